"""The audit trail in the admin: a large, append-only table."""

from __future__ import annotations

from typing import Any, cast

from django.apps import apps
from django.contrib import admin
from django.db.models import Model, QuerySet
from django.http import HttpRequest
from django.urls import NoReverseMatch, reverse
from django.utils.html import format_html
from django.utils.http import urlencode

from partners.audit_actions import ACTIONS, of_kind
from partners.large_table_admin import LargeTableAdmin, PeriodFilter, ProjectFilter
from partners.list_filters import ListedFilters
from partners.models import AuditEvent
from partners.models.audit import AuditEventQuerySet


class ActionFilter(admin.SimpleListFilter):
    """Filter by kind of action, then by action, because a list of all would be too long."""

    title = "action"
    parameter_name = "action"

    def lookups(self, request: HttpRequest, model_admin: Any) -> list[tuple[str, str]]:
        chosen = request.GET.get(self.parameter_name, "").partition(".")[0]
        return [
            (value, value)
            for kind in ACTIONS
            for value in (kind, *(of_kind(kind) if kind == chosen else ()))
        ]

    def queryset(
        self, request: HttpRequest, queryset: QuerySet[AuditEvent]
    ) -> QuerySet[AuditEvent]:
        value, events = self.value(), cast("AuditEventQuerySet", queryset)
        return events.of_actions(of_kind(value) or [value]) if value else events


@admin.register(AuditEvent)
class AuditEventAdmin(LargeTableAdmin, ListedFilters, admin.ModelAdmin):  # type: ignore[type-arg]  # Django's takes none
    """Who did what. Nobody can add, change or delete an event."""

    list_display = ("at", "who", "action", "done_to", "reason")
    list_filter = (ActionFilter, PeriodFilter.on("at"), ProjectFilter)
    list_select_related = ("project",)
    search_fields = ("object_id__exact",)  # shows the search box; see `get_search_results`
    search_help_text = (
        "A complete identifier (prj_…, tok_…, asm_…, or ers_… for an erasure), a record as its "
        "page names it (student 5, link 7), or a staff user name. To see who viewed a student, "
        "open the student's page and choose “Who has looked at this student”."
    )
    fields = (
        "at",
        "who",
        "actor",
        "action",
        "object_type",
        "done_to",
        "project_name",
        "reason",
        "address",
        "request_id",
    )

    def get_queryset(self, request: HttpRequest) -> QuerySet[AuditEvent]:
        return AuditEvent.objects.with_staff_names()

    def get_search_results(
        self, request: HttpRequest, queryset: QuerySet[AuditEvent], search_term: str
    ) -> tuple[QuerySet[AuditEvent], bool]:
        events = cast("AuditEventQuerySet", queryset)
        text = search_term.strip()
        return (events.search(text) if text else events), False

    @admin.display
    def who(self, event: AuditEvent) -> str:
        return event.who

    @admin.display(description="object")
    def done_to(self, event: AuditEvent) -> str:
        """Return the object's identifier, linked to its page, and its project's name."""
        project = format_html(' <span class="label">{}</span>', self.project_name(event))
        address = self._address(event)
        if not address:
            return format_html("{}{}", event.object_id, project)
        return format_html('<a href="{}">{}</a>{}', address, event.object_id, project)

    @admin.display(description="project")
    def project_name(self, event: AuditEvent) -> str:
        return event.project.name if event.project else ""

    def _address(self, event: AuditEvent) -> str:
        """Return the address of the object's page without a query, or "" if it has none."""
        kind, number = event.object_type, event.object_id.removeprefix(f"{event.object_type}-")
        labels = {
            model._meta.model_name: model._meta.app_label
            for model in apps.get_models()
            if self.admin_site.is_registered(model)
        }
        if kind == "project" and event.project_id:
            number = str(event.project_id)
        try:
            if number.isdecimal():
                return reverse(f"admin:{labels.get(kind)}_{kind}_change", args=[number])
            found = reverse(f"admin:{labels.get(kind)}_{kind}_changelist")
        except NoReverseMatch:
            return ""
        return f"{found}?{urlencode({'q': event.object_id})}"

    def has_add_permission(self, request: HttpRequest) -> bool:
        return False

    def has_change_permission(self, request: HttpRequest, obj: Model | None = None) -> bool:
        return False

    def has_delete_permission(self, request: HttpRequest, obj: Model | None = None) -> bool:
        return False
