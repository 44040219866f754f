from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from django.contrib import admin
from django.core.exceptions import PermissionDenied
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, render
from django.urls import path, reverse
from django.urls.resolvers import URLPattern
from django.utils import translation
from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString

from assessments import languages
from assessments.admin.readonly import ReadOnly
from assessments.models import Item, ItemBank
from assessments.question import question


@admin.register(ItemBank)
class ItemBankAdmin(ReadOnly):
    list_display = ("version", "is_current", "shipped", "published_at", "made_current_at")
    fields = (
        "version",
        "digest",
        "is_current",
        "shipped",
        "published_at",
        "made_current_at",
        "sheets",
    )

    def get_urls(self) -> list[URLPattern]:
        sheet = path(
            "<int:pk>/sheet/<slug:scale>/",
            self.admin_site.admin_view(self.sheet),
            name="assessments_itembank_sheet",
        )
        return [sheet, *super().get_urls()]

    def sheet(self, request: HttpRequest, pk: int, scale: str) -> HttpResponse:
        """Show all items of a family, an interest or a preference one below the other."""
        require_view_item(request)
        bank = get_object_or_404(ItemBank, pk=pk)
        items = list(bank.item_set.filter(scale=scale).select_related("bank"))
        if not items:
            raise Http404
        return as_students_see(request, f"{scale.replace('_', ' ')}: {len(items)} items", items)

    @admin.display(description="current", boolean=True)
    def is_current(self, bank: ItemBank) -> bool:
        return ItemBank.objects.has_current() and bank == ItemBank.objects.current()

    @admin.display(description="items, as students see them")
    def sheets(self, bank: ItemBank) -> SafeString:
        scales = dict.fromkeys(bank.item_set.values_list("scale", flat=True))
        return format_html_join(
            ", ",
            '<a href="{}">{}</a>',
            (
                (
                    reverse("admin:assessments_itembank_sheet", args=[bank.pk, scale]),
                    scale.replace("_", " "),
                )
                for scale in scales
            ),
        )


@admin.register(Item)
class ItemAdmin(ReadOnly):
    list_display = ("code", "section", "scale", "text", "b", "bank")
    list_select_related = ("bank",)
    list_filter = ("bank", "section", "scale")
    search_fields = ("code",)
    search_help_text = "Search by the item's code."
    fields = (
        "bank",
        "code",
        "preview",
        "section",
        "scale",
        "order",
        "text",
        "keyed",
        "key",
        "a",
        "b",
        "c",
        "made_by",
    )

    def get_urls(self) -> list[URLPattern]:
        preview = path(
            "<int:pk>/preview/",
            self.admin_site.admin_view(self.show),
            name="assessments_item_preview",
        )
        return [preview, *super().get_urls()]

    def show(self, request: HttpRequest, pk: int) -> HttpResponse:
        """Show the item as students see it."""
        require_view_item(request)
        item = get_object_or_404(Item.objects.select_related("bank"), pk=pk)
        return as_students_see(request, item.code, [item])

    @admin.display(description="text")
    def text(self, item: Item) -> str:
        words: str = item.content["text"]["en"]
        return " ".join([words, *item.content.get("lines", [])])

    @admin.display(description="as students see it")
    def preview(self, item: Item) -> SafeString:
        address = reverse("admin:assessments_item_preview", args=[item.pk])
        return format_html('<a href="{}">{}</a>', address, f"Preview {item.code}")

    @admin.display(description="made by")
    def made_by(self, item: Item) -> str:
        return ", ".join(making(item)) or "hand"


def require_view_item(request: HttpRequest) -> None:
    """Raise PermissionDenied for staff without the right to view items: the key stands on them."""
    if not request.user.has_perm("assessments.view_item"):
        raise PermissionDenied


def as_students_see(request: HttpRequest, title: str, items: Sequence[Item]) -> HttpResponse:
    """Render items in the look of the student's pages, with what only staff may know.

    The address chooses among the languages of their bank.
    """
    bank = items[0].bank
    language = languages.best(bank.languages, languages.asked_for(request.GET))
    context: dict[str, Any] = {
        "page": "preview",
        "language": language,
        "languages": languages.choice(bank.languages, request.path),
        "title": title,
        "back": reverse("admin:assessments_itembank_change", args=[bank.pk]),
        "bank": bank,
        "items": [
            {
                "code": item.code,
                "section": {"code": item.section},
                "question": question(
                    item.content,
                    item.options,
                    language,
                    position=item.order,
                    control=f"answer-{item.order}",
                    chosen=item.key,
                ),
                "facts": facts(item),
            }
            for item in items
        ],
    }
    with translation.override(language):
        return render(request, "admin/assessments/item/preview.html", context)


def facts(item: Item) -> list[str]:
    """Return what staff read beneath an item."""
    if item.is_aptitude:
        numbers = [f"key {item.key}", f"a {item.a}", f"b {item.b}", f"c {item.c}"]
        return [*numbers, *making(item)]
    known = [item.scale.replace("_", " ")]
    if item.section == Item.Section.PREFERENCES:
        known.append(f"keyed {item.keyed:+}")
    if "expected" in item.content:
        known.append(f"asks for answer {item.content['expected']}")
    if item.is_spare:
        known.append("spare, not given")
    return known


def making(item: Item) -> list[str]:
    """Return what a generated item was made from; nothing for one that somebody wrote."""
    content = item.content
    named = [str(content["template"])] if "template" in content else []
    radicals = [f"{name} {count}" for name, count in sorted(content.get("radicals", {}).items())]
    time = [f"{content['seconds']} s"] if "seconds" in content else []
    return [*named, *radicals, *time]
