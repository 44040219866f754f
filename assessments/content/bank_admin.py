from __future__ import annotations

from collections import Counter
from typing import Any

from django.contrib import admin
from django.db.models import Count, QuerySet
from django.http import HttpRequest, HttpResponse
from django.utils.html import format_html
from django.utils.safestring import SafeString

from assessments.models import Item, ItemBank
from assessments.student import languages
from partners.actions import Action, ActionAdmin, ReasonForm
from partners.admin_base import ReadOnly
from partners.models import AuditEvent


def is_current(bank: ItemBank) -> bool:
    """Return whether new attempts use the bank, which must come from `with_current()`."""
    current: int | None = bank.current_pk  # type: ignore[attr-defined]  # annotated
    return bank.pk == current


class BankAction(Action):
    permission = "assessments.publish_itembank"
    form_class = ReasonForm

    def why_not(self) -> str:
        if self.row.is_retired:
            when = f"{self.row.retired_at:%Y-%m-%d %H:%M} UTC"
            return f"Bank {self.row} was retired on {when}. Nothing was changed."
        return ""


class MakeCurrent(BankAction):
    name, title = "make-current", "Make bank current"

    def says(self) -> list[str]:
        running = ItemBank.objects.made_current().first()
        return [
            f"New attempts will use bank {self.row}"
            f"{f' instead of bank {running}' if running else ''}.",
            "Attempts that have started keep the bank that they started with. You can go back "
            "at any time by making the other bank current.",
        ]

    def why_not(self) -> str:
        return f"Bank {self.row} is current." if is_current(self.row) else super().why_not()

    def run(self, *, reason: str) -> str:
        self.row.make_current(reason=reason, **self.who)
        return f"Bank {self.row} is current."


class Retire(BankAction):
    name, title = "retire", "Retire bank"
    is_final = True

    def says(self) -> list[str]:
        return [
            f"You can never make bank {self.row} current again. This cannot be undone: to use its "
            "content again, publish it under a new version.",
            "Nothing is deleted. Attempts on this bank continue (open now: "
            f"{self.row.assessment_set.open().count()}), and results stay and can be scored again.",
        ]

    def why_not(self) -> str:
        if is_current(self.row):
            return f"Bank {self.row} is current. Make another bank current first."
        return super().why_not()

    def run(self, *, reason: str) -> str:
        self.row.retire(reason=reason, **self.who)
        return f"Bank {self.row} is retired."


@admin.register(ItemBank)
class ItemBankAdmin(ActionAdmin, ReadOnly):
    when_empty = "Banks appear here once the operator loads one: manage.py load_items."
    row_actions = (MakeCurrent, Retire)
    change_form_template = "admin/assessments/itembank/change_form.html"
    list_display = ("version", "state", "items", "language_names", "origin", "published_at")
    fields = (
        "version",
        "state",
        "origin",
        "published_at",
        "made_current_at",
        "retired_at",
        "language_names",
        "counts",
        "succeeds",
        "norms",
        "digest",
    )

    def get_queryset(self, request: HttpRequest) -> QuerySet[ItemBank]:
        return ItemBank.objects.with_current().annotate(item_count=Count("item"))

    @admin.display
    def state(self, bank: ItemBank) -> SafeString:
        return format_html('<span class="state {}">{}</span>', *_state(bank))

    @admin.display
    def items(self, bank: ItemBank) -> int:
        count: int = bank.item_count  # type: ignore[attr-defined]  # annotated
        return count

    @admin.display(description="languages")
    def language_names(self, bank: ItemBank) -> str:
        named = dict(languages.offered(bank.languages))
        return ", ".join(named.get(code, code) for code in bank.languages)

    @admin.display
    def origin(self, bank: ItemBank) -> str:
        return "shipped with the service" if bank.shipped else "your own"

    @admin.display(description="items")
    def counts(self, bank: ItemBank) -> str:
        sections = Counter(bank.item_set.values_list("section", flat=True))
        return "; ".join(
            f"{count} {Item.Section(section).label.lower()}" for section, count in sections.items()
        )

    @admin.display
    def succeeds(self, bank: ItemBank) -> str:
        return bank.succeeds or "no other bank"

    @admin.display
    def norms(self, bank: ItemBank) -> str:
        if bank.norms_from:
            return f"from {bank.norms_from:,} attempts"
        return "assumed"

    def change_view(
        self,
        request: HttpRequest,
        object_id: str,
        form_url: str = "",
        extra_context: dict[str, Any] | None = None,
    ) -> HttpResponse:
        bank = self.get_object(request, object_id)
        context = dict(extra_context or {})
        if bank:
            events = AuditEvent.objects.about(bank).with_staff_names().newest_first()
            context |= {"events": events, "state": _state(bank), "current_pk": bank.current_pk}
        return super().change_view(request, object_id, form_url, context)


def _state(bank: ItemBank) -> tuple[str, str]:
    if is_current(bank):
        return "live", "current"
    if bank.is_retired:
        return "revoked", "retired"
    return "ending", "previously current" if bank.made_current_at else "never used"
