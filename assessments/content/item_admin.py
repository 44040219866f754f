from __future__ import annotations

from typing import Any

from django.conf import settings
from django.contrib import admin
from django.core.exceptions import PermissionDenied
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, render
from django.urls import path, reverse
from django.urls.resolvers import URLPattern
from django.utils import translation

from assessments.content.field_choices import FIELD_CHOICES
from assessments.models import Item
from assessments.student import languages
from assessments.student.question import question
from measurement.wording import PREFERENCE_WORDS
from partners.admin_base import ReadOnly

LANGUAGES = tuple(code for code, _ in settings.LANGUAGES)


def scale_label(scale: str) -> str:
    """Return the name of an interest, a field, a family of puzzles or a preference."""
    if scale in FIELD_CHOICES:
        return FIELD_CHOICES[scale].name.lower()
    return " or ".join(PREFERENCE_WORDS["en"].get(scale, (scale.replace("_", " "),)))


class ScaleFilter(admin.AllValuesFieldListFilter):
    def choices(self, changelist: Any) -> Any:
        for choice in super().choices(changelist):
            yield {**choice, "display": scale_label(str(choice["display"]))}


@admin.register(Item)
class ItemAdmin(ReadOnly):
    when_empty = "Items appear here once the operator loads a bank: manage.py load_items."
    change_form_template = "admin/assessments/item/change_form.html"
    list_display = ("code", "text", "scale_name", "difficulty", "bank")
    sortable_by = ("code", "scale_name", "difficulty")
    list_select_related = ("bank",)
    list_filter = ("bank", "section", ("scale", ScaleFilter))
    search_fields = (
        "code",
        *(f"content__{part}__{code}" for part in ("text", "passage") for code in LANGUAGES),
    )
    search_help_text = "Search by item code, or by words of the text in any language."
    fields = ("bank", "code", "section", "scale_name", "order", "text")

    def get_urls(self) -> list[URLPattern]:
        preview = path(
            "<int:pk>/preview/",
            self.admin_site.admin_view(self.preview_view),
            name="assessments_item_preview",
        )
        return [preview, *super().get_urls()]

    def get_fields(self, request: HttpRequest, obj: Item | None = None) -> tuple[str, ...]:
        if obj and obj.is_aptitude:
            return (*self.fields, "key", "discrimination", "difficulty", "guessing", "made_by")
        if obj and "fields" in obj.content:
            return (*self.fields, "speaks_of")
        is_keyed = obj and obj.section == Item.Section.PREFERENCES
        return (*self.fields, "direction") if is_keyed else self.fields

    def preview_view(self, request: HttpRequest, pk: int) -> HttpResponse:
        """Render the item as on the student's pages, with the correct answer ticked.

        The address chooses one of the bank's languages.
        """
        if not request.user.has_perm("assessments.view_item"):
            raise PermissionDenied
        item = get_object_or_404(Item.objects.select_related("bank"), pk=pk)
        language = languages.best(item.bank.languages, languages.asked_for(request.GET))
        context: dict[str, Any] = {
            "page": "preview",
            "language": language,
            "languages": languages.choice(request, item.bank.languages),
            "title": item.code,
            "back": reverse("admin:assessments_item_change", args=[item.pk]),
            "section": {"code": item.section},
            "question": question(
                item.content,
                item.options,
                language,
                position=item.order,
                control="answer",
                chosen=item.key,
            ),
        }
        with translation.override(language):
            return render(request, "admin/assessments/item/preview.html", context)

    @admin.display(description="text")
    def text(self, item: Item) -> str:
        words: str = item.content["text"]["en"]
        return " ".join([words, *item.content.get("lines", [])])

    @admin.display(description="scale", ordering="scale")
    def scale_name(self, item: Item) -> str:
        return scale_label(item.scale)

    @admin.display(description="fields")
    def speaks_of(self, item: Item) -> str:
        return ", ".join(map(scale_label, item.content["fields"]))

    @admin.display(description="difficulty", ordering="b")
    def difficulty(self, item: Item) -> str:
        return "" if item.b is None else f"{item.b:.2f}"

    @admin.display(description="discrimination")
    def discrimination(self, item: Item) -> str:
        return f"{item.a:.2f}"

    @admin.display(description="correct by guessing")
    def guessing(self, item: Item) -> str:
        return f"{100 * (item.c or 0):.0f} of 100"

    @admin.display(description="agreeing means")
    def direction(self, item: Item) -> str:
        return PREFERENCE_WORDS["en"][item.scale][item.keyed > 0]

    @admin.display(description="made by")
    def made_by(self, item: Item) -> str:
        radicals = sorted(item.content.get("radicals", {}).items())
        template = item.content.get("template", "hand")
        return ", ".join([template, *(f"{name} {count}" for name, count in radicals)])
