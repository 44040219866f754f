"""Banks and their items: lists, making current, retiring, items as students see them."""

from collections import Counter
from collections.abc import Sequence
from typing import Any

from django.conf import settings
from django.contrib import admin
from django.core.exceptions import PermissionDenied
from django.db.models import QuerySet
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, render
from django.urls import path, reverse
from django.urls.resolvers import URLPattern
from django.utils import translation
from django.utils.html import format_html
from django.utils.safestring import SafeString

from assessments.models import Item, ItemBank
from assessments.student import languages
from assessments.student.forms import describe_question
from measurement.course_names import FIELD_CHOICES
from measurement.wording import ENGLISH
from partners.back_office.actions import Action
from partners.back_office.admin_base import ReadOnlyAdmin


class BankAction(Action):
    permission = "assessments.publish_itembank"

    def refusal(self) -> str:
        state = "current" if self.row.is_current else "retired" if self.row.is_retired else ""
        return f"Bank {self.row} is {state}." if state else ""


class MakeCurrent(BankAction):
    name, title, link = "make-current", "Make bank current", "Make current"

    def explain(self) -> Sequence[str]:
        current = ItemBank.objects.made_current().first()
        return (
            f"New attempts will use bank {self.row}"
            f"{f' instead of bank {current}' if current else ''}.",
            "Attempts that have started keep the bank that they started with. You can go back at "
            "any time by making the other bank current.",
        )

    def run(self, *, reason: str) -> str:
        self.row.make_current(by=self.by, reason=reason)
        return f"Bank {self.row} is current."


class Retire(BankAction):
    name, title, link = "retire", "Retire bank", "Retire"
    is_final = True

    def explain(self) -> Sequence[str]:
        return (
            f"You can never make bank {self.row} current again. This cannot be undone: to use its "
            "content again, publish it under a new version.",
            "Nothing is deleted. Attempts on this bank continue (open now: "
            f"{self.row.attempt_set.open().count()}), and results stay and can be scored again.",
        )

    def run(self, *, reason: str) -> str:
        self.row.retire(by=self.by, reason=reason)
        return f"Bank {self.row} is retired."


@admin.register(ItemBank)
class ItemBankAdmin(ReadOnlyAdmin):
    when_empty = "Banks appear here once the operator loads one: manage.py load_items."
    row_actions = (MakeCurrent, Retire)
    list_display = ("version", "state", "language_names", "origin", "published_at")
    fields = (
        *("version", "state", "origin", "published_at", "made_current_at", "retired_at"),
        *("language_names", "counts", "succeeds", "norms", "digest"),
    )

    def get_queryset(self, request: HttpRequest) -> QuerySet[ItemBank]:
        return ItemBank.objects.with_current()

    def state(self, bank: ItemBank) -> SafeString:
        if bank.is_current:  # type: ignore[attr-defined]  # annotated
            css_class, state = "live", "current"
        elif bank.is_retired:
            css_class, state = "revoked", "retired"
        else:
            css_class = "ending"
            state = "previously current" if bank.made_current_at else "never used"
        return format_html('<span class="state {}">{}</span>', css_class, state)

    @admin.display(description="languages")
    def language_names(self, bank: ItemBank) -> str:
        names = dict(languages.offered(bank.languages))
        return ", ".join(names.get(code, code) for code in bank.languages)

    def origin(self, bank: ItemBank) -> str:
        return "shipped with the service" if bank.shipped else "your own"

    @admin.display(description="items")
    def counts(self, bank: ItemBank) -> str:
        sections = Counter(bank.item_set.values_list("section", flat=True))
        return "; ".join(
            f"{count} {Item.Section(section).label.lower()}" for section, count in sections.items()
        )

    def succeeds(self, bank: ItemBank) -> str:
        return bank.succeeds or "no other bank"

    def norms(self, bank: ItemBank) -> str:
        return f"from {bank.norms_from:,} attempts" if bank.norms_from else "assumed"


def scale_label(scale: str) -> str:
    """Return the name of an interest, field or family of puzzles, or both ends of a preference."""
    if scale in FIELD_CHOICES:
        return FIELD_CHOICES[scale].name.lower()
    return " or ".join(ENGLISH.preferences.get(scale, (scale.replace("_", " "),)))


class ScaleFilter(admin.AllValuesFieldListFilter):
    def choices(self, changelist: Any) -> Any:
        for choice in super().choices(changelist):
            yield {**choice, "display": scale_label(str(choice["display"]))}


@admin.register(Item)
class ItemAdmin(ReadOnlyAdmin):
    when_empty = "Items appear here once the operator loads a bank: manage.py load_items."
    list_display = ("code", "text", "scale_name", "difficulty", "bank")
    sortable_by = ("code", "scale_name", "difficulty")
    list_select_related = ("bank",)
    list_filter = ("bank", "section", ("scale", ScaleFilter))
    search_fields = (
        "code",
        *(f"content__text__{code}" for code, _ in settings.LANGUAGES),
        *(f"content__passage__{code}" for code, _ in settings.LANGUAGES),
    )
    search_help_text = "Search by item code, or by words of the text in any language."
    fields = ("bank", "code", "section", "scale_name", "order", "text")

    def get_urls(self) -> list[URLPattern]:
        view = self.admin_site.admin_view(self.preview_view)
        preview = path("<int:pk>/preview/", view, name="assessments_item_preview")
        return [preview, *super().get_urls()]

    def get_fields(self, request: HttpRequest, obj: Item | None = None) -> tuple[str, ...]:
        if obj and obj.is_aptitude:
            return (*self.fields, "key", "difficulty")
        if obj and "fields" in obj.content:
            return (*self.fields, "fields_of_work")
        if obj and obj.section == Item.Section.PREFERENCES:
            return (*self.fields, "direction")
        return self.fields

    def preview_view(self, request: HttpRequest, pk: int) -> HttpResponse:
        """Show the item as students see it, and its key; `?language=` chooses the language."""
        if not request.user.has_perm("assessments.view_item"):
            raise PermissionDenied
        item = get_object_or_404(Item.objects.select_related("bank"), pk=pk)
        language = languages.best(item.bank.languages, languages.asked_for(request.GET))
        with translation.override(language):
            context = {
                "page": "preview",
                "language": language,
                "title": item.code,
                "back": reverse("admin:assessments_item_change", args=[item.pk]),
                "section": {"code": item.section},
                "question": describe_question(
                    item.content, item.options, language, item.order, "answer", item.key
                ),
            }
            return render(request, "admin/assessments/item/preview.html", context)

    def text(self, item: Item) -> str:
        return " ".join([item.content["text"]["en"], *item.content.get("lines", [])])

    @admin.display(description="scale", ordering="scale")
    def scale_name(self, item: Item) -> str:
        return scale_label(item.scale)

    @admin.display(description="fields")
    def fields_of_work(self, item: Item) -> str:
        return ", ".join(map(scale_label, item.content["fields"]))

    @admin.display(description="difficulty", ordering="b")
    def difficulty(self, item: Item) -> str:
        return "" if item.b is None else f"{item.b:.2f}"

    @admin.display(description="agreeing means")
    def direction(self, item: Item) -> str:
        return ENGLISH.preferences[item.scale][item.keyed > 0]
