from __future__ import annotations

from typing import TYPE_CHECKING, Any, cast

from django.conf import settings
from django.contrib import admin
from django.db.models import QuerySet
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404
from django.urls import path
from django.urls.resolvers import URLPattern

from assessments import languages
from assessments.admin import item_words
from assessments.admin.bank_words import is_current
from assessments.admin.item_preview import as_students_see, making, require_view_item, shown_in
from assessments.admin.readonly import ReadOnly
from assessments.models import Item, ItemBank, ItemStatistics
from assessments.models.item_counts import figures_of, findings_of, needing_review

if TYPE_CHECKING:
    from assessments.models.items import ItemQuerySet

LANGUAGES = tuple(code for code, _ in settings.LANGUAGES)
# These columns are empty until statistics are counted.
COUNTED = ("look", "shown", "correct", "time")
ALL = "all"


def bank_listed(request: HttpRequest) -> int | None:
    """Return the primary key of the bank to list, or None for all banks.

    The default is the current bank.
    """
    wanted = request.GET.get(BankFilter.parameter_name)
    if wanted is None:
        current = ItemBank.objects.made_current().values_list("pk", flat=True)
        return current.first()
    return int(wanted) if wanted.isdecimal() and len(wanted) < 10 else None


class BankFilter(admin.SimpleListFilter):
    title = "bank"
    parameter_name = "bank"

    def lookups(self, request: HttpRequest, model_admin: Any) -> list[tuple[str, str]]:
        self.listed = bank_listed(request)
        banks = ItemBank.objects.with_current().defer("definition")
        named = [
            (str(bank.pk), f"{bank} (current)" if is_current(bank) else str(bank)) for bank in banks
        ]
        return [*named, (ALL, "All banks")]

    def choices(self, changelist: Any) -> Any:
        chosen = ALL if self.listed is None else str(self.listed)
        for value, label in self.lookup_choices:
            yield {
                "selected": value == chosen,
                "query_string": changelist.get_query_string({self.parameter_name: value}),
                "display": label,
            }

    def queryset(self, request: HttpRequest, queryset: QuerySet[Item]) -> QuerySet[Item]:
        if self.listed is None:
            return queryset
        return cast("ItemQuerySet", queryset).of_bank(self.listed)


class ScaleFilter(admin.AllValuesFieldListFilter):
    """Filters by scale, shown by its name."""

    def choices(self, changelist: Any) -> Any:
        for choice in super().choices(changelist):
            yield {**choice, "display": item_words.scale_name(str(choice["display"]))}


class LookFilter(admin.SimpleListFilter):
    title = "statistics"
    parameter_name = "look"

    def lookups(self, request: HttpRequest, model_admin: Any) -> list[tuple[str, str]]:
        return [("yes", "Needs review")]

    def queryset(self, request: HttpRequest, queryset: QuerySet[Item]) -> QuerySet[Item]:
        if self.value() != "yes":
            return queryset
        return cast("ItemQuerySet", queryset).with_keys(needing_review())


@admin.register(Item)
class ItemAdmin(ReadOnly):
    change_form_template = "admin/assessments/item/change_form.html"
    list_display = ("code", "text", *COUNTED, "scale_name", "difficulty", "bank")
    sortable_by = ("code", "scale_name", "difficulty")
    list_select_related = ("bank", "statistics")
    list_filter = (BankFilter, LookFilter, "section", ("scale", ScaleFilter))
    search_fields = (
        "code",
        *(f"content__{part}__{code}" for part in ("text", "passage") for code in LANGUAGES),
    )
    search_help_text = "Search by item code, or by words of the text in any language."
    fields = ("bank", "code", "part", "scale_name", "order", "text")

    def get_urls(self) -> list[URLPattern]:
        preview = path(
            "<int:pk>/preview/",
            self.admin_site.admin_view(self.show),
            name="assessments_item_preview",
        )
        return [preview, *super().get_urls()]

    def get_list_display(self, request: HttpRequest) -> tuple[str, ...]:
        """Leave out columns that are empty or the same in every row, to make room for the text."""
        bank = bank_listed(request)
        figures = ItemStatistics.objects.all()
        is_counted = (figures if bank is None else figures.of_bank(bank)).exists()
        left_out = {*(() if is_counted else COUNTED), *(() if bank is None else ("bank",))}
        return tuple(column for column in self.list_display if column not in left_out)

    def get_fields(self, request: HttpRequest, obj: Item | None = None) -> tuple[str, ...]:
        if obj and obj.is_aptitude:
            return (*self.fields, "key", "discrimination", "difficulty", "guessing", "made_by")
        if obj and "fields" in obj.content:
            return (*self.fields, "speaks_of", "made_by")
        is_keyed = obj and obj.section == Item.Section.PREFERENCES
        return (*self.fields, "direction", "made_by") if is_keyed else (*self.fields, "made_by")

    def show(self, request: HttpRequest, pk: int) -> HttpResponse:
        """Show the item as students see it."""
        require_view_item(request)
        item = get_object_or_404(Item.objects.select_related("bank"), pk=pk)
        return as_students_see(request, item.code, [item])

    @admin.display(description="text")
    def text(self, item: Item) -> str:
        words: str = item.content["text"]["en"]
        return " ".join([words, *item.content.get("lines", [])])

    @admin.display(description="scale", ordering="scale")
    def scale_name(self, item: Item) -> str:
        return item_words.scale_name(item.scale)

    @admin.display(description="section")
    def part(self, item: Item) -> str:
        return item.get_section_display()

    @admin.display(description="fields")
    def speaks_of(self, item: Item) -> str:
        return ", ".join(map(item_words.scale_name, item.content["fields"]))

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
        return item_words.leads_to(item.scale, item.keyed)

    @admin.display
    def shown(self, item: Item) -> str:
        statistics = counted(item)
        return f"{statistics.shown:,}" if statistics else ""

    @admin.display
    def correct(self, item: Item) -> str:
        statistics = counted(item)
        if not statistics or statistics.correct is None or not statistics.answered:
            return ""
        return f"{100 * statistics.correct / statistics.answered:.0f} %"

    @admin.display
    def time(self, item: Item) -> str:
        statistics = counted(item)
        return item_words.seconds(figures_of(statistics).together) if statistics else ""

    @admin.display(description="needs review")
    def look(self, item: Item) -> str:
        return ", ".join(item_words.SHORT[code] for code in findings_of(item))

    def change_view(
        self,
        request: HttpRequest,
        object_id: str,
        form_url: str = "",
        extra_context: dict[str, Any] | None = None,
    ) -> HttpResponse:
        """Add the item as students see it, and its statistics."""
        item = self.get_object(request, object_id)
        context = {**(extra_context or {}), **(preview_and_statistics(item) if item else {})}
        return super().change_view(request, object_id, form_url, context)

    @admin.display(description="made by")
    def made_by(self, item: Item) -> str:
        return ", ".join(making(item)) or "hand"


def counted(item: Item) -> ItemStatistics | None:
    """Return the statistics of an item, or None before they are counted."""
    return getattr(item, "statistics", None)


def preview_and_statistics(item: Item) -> dict[str, Any]:
    """Return the context of an item's page: the item in each language and its statistics."""
    offered = languages.offered(item.bank.languages)
    context: dict[str, Any] = {
        "previews": [
            {"code": code, "name": name, "question": shown_in(item, code, f"answer-{code}")}
            for code, name in offered
        ],
        "section": {"code": item.section},
    }
    statistics = counted(item)
    if statistics is None:
        return context
    figures = figures_of(statistics)
    return context | {
        "statistics": statistics,
        "findings": [item_words.LONG[code] for code in findings_of(item)],
        "lines": item_words.lines(
            figures.together,
            statistics.attempts,
            item.c,
            item.content.get("seconds"),
            item.section,
        ),
        "rows": item_words.language_rows(dict(figures.by_language), offered),
    }
