from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from typing import Any

from django.contrib import admin, messages
from django.core.exceptions import PermissionDenied
from django.db.models import Count, QuerySet
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect
from django.urls import path
from django.urls.resolvers import URLPattern
from django.utils.html import format_html
from django.utils.safestring import SafeString

from assessments.models import Item, ItemBank
from assessments.models.banks import BankRefused
from assessments.student import languages
from partners.admin_base import ReadOnly
from partners.confirmation import ReasonForm, confirmation
from partners.models import AuditEvent
from partners.models.audit import staff_actor


def is_current(bank: ItemBank) -> bool:
    """Return whether new attempts use the bank, which must come from `with_current()`."""
    current: int | None = bank.current_pk  # type: ignore[attr-defined]  # annotated
    return bank.pk == current


@admin.register(ItemBank)
class ItemBankAdmin(ReadOnly):
    change_form_template = "admin/assessments/itembank/change_form.html"
    list_display = ("version", "state", "items", "spoken", "origin", "published_at")
    fields = (
        "version",
        "state",
        "origin",
        "published_at",
        "made_current_at",
        "retired_at",
        "spoken",
        "counts",
        "succeeds",
        "norms",
        "digest",
    )

    def get_queryset(self, request: HttpRequest) -> QuerySet[ItemBank]:
        return ItemBank.objects.with_current().annotate(item_count=Count("item"))

    def get_urls(self) -> list[URLPattern]:
        wrap = self.admin_site.admin_view
        return [
            path(
                "<int:pk>/make-current/",
                wrap(self.make_current_view),
                name="assessments_itembank_make_current",
            ),
            path("<int:pk>/retire/", wrap(self.retire_view), name="assessments_itembank_retire"),
            *super().get_urls(),
        ]

    @admin.display
    def state(self, bank: ItemBank) -> SafeString:
        return format_html('<span class="state {}">{}</span>', *_state(bank))

    @admin.display
    def items(self, bank: ItemBank) -> int:
        count: int = bank.item_count  # type: ignore[attr-defined]  # annotated
        return count

    @admin.display(description="languages")
    def spoken(self, bank: ItemBank) -> str:
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

    def make_current_view(self, request: HttpRequest, pk: int) -> HttpResponse:
        bank = self._bank_to_act_on(request, pk)
        if is_current(bank):
            return self._back(request, bank, messages.WARNING, f"Bank {bank} is current.")
        running = ItemBank.objects.made_current().first()
        return self._act(
            request,
            bank,
            bank.make_current,
            title="Make bank current",
            says=[
                f"New attempts will use bank {bank}"
                f"{f' instead of bank {running}' if running else ''}.",
                "Attempts that have started keep the bank that they started with. You can go back "
                "at any time by making the other bank current.",
            ],
            done=f"Bank {bank} is current.",
        )

    def retire_view(self, request: HttpRequest, pk: int) -> HttpResponse:
        bank = self._bank_to_act_on(request, pk)
        if is_current(bank):
            text = f"Bank {bank} is current. Make another bank current first."
            return self._back(request, bank, messages.ERROR, text)
        return self._act(
            request,
            bank,
            bank.retire,
            title="Retire bank",
            says=[
                f"You can never make bank {bank} current again. This cannot be undone: to use its "
                "content again, publish it under a new version.",
                "Nothing is deleted. Attempts on this bank continue (open now: "
                f"{bank.assessment_set.open().count()}), and results stay and can be scored again.",
            ],
            done=f"Bank {bank} is retired.",
            is_final=True,
        )

    def _act(
        self,
        request: HttpRequest,
        bank: ItemBank,
        act: Callable[..., bool | None],
        *,
        title: str,
        says: list[str],
        done: str,
        is_final: bool = False,
    ) -> HttpResponse:
        if bank.is_retired:
            when = f"{bank.retired_at:%Y-%m-%d %H:%M} UTC"
            text = f"Bank {bank} was retired on {when}. Nothing was changed."
            return self._back(request, bank, messages.WARNING, text)
        form = ReasonForm(request.POST or None)
        if form.is_valid():
            try:
                act(reason=form.cleaned_data["reason"], **staff_actor(request))
            except BankRefused as refused:
                return self._back(request, bank, messages.ERROR, str(refused))
            return self._back(request, bank, messages.SUCCESS, done)
        return confirmation(
            self,
            request,
            title=title,
            says=says,
            form=form,
            button=title,
            target=bank,
            is_final=is_final,
        )

    def _bank_to_act_on(self, request: HttpRequest, pk: int) -> ItemBank:
        if not request.user.has_perm("assessments.publish_itembank"):
            raise PermissionDenied
        return get_object_or_404(self.get_queryset(request), pk=pk)

    def _back(self, request: HttpRequest, bank: ItemBank, level: int, text: str) -> HttpResponse:
        messages.add_message(request, level, text)
        return redirect("admin:assessments_itembank_change", bank.pk)


def _state(bank: ItemBank) -> tuple[str, str]:
    if is_current(bank):
        return "live", "current"
    if bank.is_retired:
        return "revoked", "retired"
    return "ending", "previously current" if bank.made_current_at else "never used"
