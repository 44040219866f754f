"""The audit trail in the admin: a large, append-only table."""

from collections.abc import Mapping, Sequence
from typing import Any

from django.apps import apps
from django.contrib import admin
from django.contrib.admin.options import ShowFacets
from django.contrib.admin.views.main import SEARCH_VAR
from django.db.models import QuerySet
from django.http import HttpRequest
from django.urls import reverse
from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString

from partners.back_office.admin_base import ReadOnlyAdmin
from partners.back_office.filters import PeriodFilter, ProjectFilter
from partners.models import AuditEvent
from partners.models.audit import ACTIONS, READS, SIGN_INS, of_kind

GROUPS = {"reads": READS, "sign_ins": SIGN_INS}
EVERYTHING = "all"


class ActionFilter(admin.SimpleListFilter):
    """Without a choice or a search, leaves out reads and sign-ins."""

    title = "action"
    parameter_name = "action"

    def lookups(self, request: HttpRequest, model_admin: Any) -> list[tuple[str, str]]:
        groups = [(EVERYTHING, "Everything"), ("reads", "Reads"), ("sign_ins", "Sign-ins")]
        return [*groups, *((kind, kind) for kind in ACTIONS)]

    def choices(self, changelist: Any) -> Any:
        default, *others = super().choices(changelist)
        yield {**default, "display": "Acts"}
        yield from others

    def queryset(self, request: HttpRequest, events: Any) -> Any:
        value = self.value()
        if value == EVERYTHING or (value is None and request.GET.get(SEARCH_VAR)):
            return events
        if value is None:
            return events.exclude(action__in=[*READS, *SIGN_INS])
        return events.of_actions(GROUPS.get(value) or of_kind(value) or [value])


@admin.register(AuditEvent)
class AuditEventAdmin(ReadOnlyAdmin):
    show_facets = ShowFacets.NEVER
    sortable_by = ()
    ordering = ("-pk",)
    list_display = ("at", "who", "action", "done_to", "reason")
    list_filter = (ActionFilter, PeriodFilter.on("at"), ProjectFilter)
    list_select_related = ("project",)
    search_fields = ("object_id__exact",)  # shows the search box; see `get_search_results`
    search_help_text = (
        "A complete identifier (prj_…, tok_…, asm_…, or ers_… for an erasure), another record as "
        "an event names it (student-5), or a staff user name. To see who viewed a student, "
        "open the student's page and choose “Who has looked at this student”."
    )
    fields = (
        *("at", "who", "actor", "action", "object_type", "done_to", "project_name", "reason"),
        *("changes", "numbers", "address", "request_id"),
    )

    def get_queryset(self, request: HttpRequest) -> QuerySet[AuditEvent]:
        return AuditEvent.objects.with_staff_names()

    def get_search_results(
        self, request: HttpRequest, events: Any, search_term: str
    ) -> tuple[QuerySet[AuditEvent], bool]:
        text = search_term.strip()
        return (events.search(text) if text else events), False

    @admin.display(description="object")
    def done_to(self, event: AuditEvent) -> str:
        name: SafeString | str = event.object_id
        if address := self._address(event):
            name = format_html('<a href="{}">{}</a>', address, name)
        return format_html('{} <span class="label">{}</span>', name, self.project_name(event))

    def changes(self, event: AuditEvent) -> SafeString | str:
        rows = [
            (name, *(map(_in_words, values) if values else ("changed", "not shown")))
            for name, values in _changes(event.details).items()
        ]
        if not rows:
            return ""
        return format_html(
            '<div class="scroll"><table><thead><tr><th scope="col">Value</th>'
            '<th scope="col">Before</th><th scope="col">After</th></tr></thead>'
            "<tbody>{}</tbody></table></div>",
            format_html_join("", '<tr><th scope="row">{}</th><td>{}</td><td>{}</td></tr>', rows),
        )

    @admin.display(description="counts and codes")
    def numbers(self, event: AuditEvent) -> SafeString | str:
        counts = event.details.get("counts", {}).items()
        lists = event.details.get("codes", {}).items()
        lines = [
            *(f"{count} {name}" for name, count in counts),
            *(f"{name}: {', '.join(codes)}" for name, codes in lists if codes),
            *([f"digest {digest}"] if (digest := event.details.get("digest")) else []),
        ]
        return format_html_join("", "<p>{}</p>", ((line,) for line in lines))

    def _address(self, event: AuditEvent) -> str:
        """Return the address of the object's page, or of a list with it alone; "" for neither."""
        kind, number = event.object_type, event.object_id.removeprefix(f"{event.object_type}-")
        for model in filter(self.admin_site.is_registered, apps.get_models()):
            if model._meta.model_name == kind:
                page = f"admin:{model._meta.app_label}_{kind}"
                if number.isdecimal():
                    return reverse(f"{page}_change", args=[number])
                return reverse(f"{page}_changelist", query={SEARCH_VAR: event.object_id})
        return ""


def _changes(details: Mapping[str, Any]) -> dict[str, Sequence[Any] | None]:
    """Map what an event changed to its values before and after, or to None if not stored."""
    changes = dict(details.get("changes", {}))
    for code, columns in details.get("courses", {}).items():
        changes |= {f"{code}: {column}": values for column, values in columns.items()}
    if "roles" in details:
        changes["roles"] = details["roles"]
    return changes


def _in_words(value: Any) -> str:
    if isinstance(value, list):
        return ", ".join(map(str, value))
    return "" if value is None else str(value)
