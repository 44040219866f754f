"""Filters of the list of items: bank, scale, and statistics that need review."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, cast

from django.contrib import admin
from django.db.models import QuerySet
from django.http import HttpRequest

from assessments.admin.bank_words import is_current
from assessments.admin.item_words import scale_name
from assessments.models import Item, ItemBank
from assessments.models.item_counts import needing_review

if TYPE_CHECKING:
    from assessments.models.items import ItemQuerySet

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
            yield {**choice, "display": scale_name(str(choice["display"]))}


class LookFilter(admin.SimpleListFilter):
    title = "statistics"
    parameter_name = "look"

    def lookups(self, request: HttpRequest, model_admin: Any) -> list[tuple[str, str]]:
        return [("yes", "Needs review")]

    def queryset(self, request: HttpRequest, queryset: QuerySet[Item]) -> QuerySet[Item]:
        if self.value() != "yes":
            return queryset
        return cast("ItemQuerySet", queryset).with_keys(needing_review())
