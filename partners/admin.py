from collections.abc import Sequence
from typing import Any, ClassVar

from django import forms
from django.contrib import admin
from django.contrib.admin.widgets import AdminURLFieldWidget
from django.db.models import Model
from django.http import HttpRequest
from django.utils.html import format_html

from partners.back_office.actions import Action
from partners.back_office.admin_base import EditableAdmin, nobody
from partners.back_office.edit_forms import EditForm
from partners.back_office.filters import ChoiceFilter
from partners.back_office.pages import link_to
from partners.models import AuditEvent, Partner, Project, staff_actor
from partners.times import zones


class ProjectForm(EditForm):
    # A choice, so that an unknown zone never reaches the row, whose page is shown in it.
    time_zone = forms.ChoiceField(
        choices=[(zone, zone) for zone in zones()],
        initial=Project().time_zone,
        help_text="Students and staff see times in this zone.",
    )

    class Meta:
        widgets: ClassVar = {"return_url": AdminURLFieldWidget(attrs={"placeholder": "https://"})}


class RecordedAdmin(EditableAdmin):
    """Audits what its form created or changed."""

    def save_model(self, request: HttpRequest, obj: Any, form: Any, change: bool) -> None:
        super().save_model(request, obj, form, change)
        kind, by = obj._meta.model_name, staff_actor(request)
        if not change:
            AuditEvent.record(f"{kind}.created", obj, by=by)
        elif changes := form.changes:
            reason = ", ".join(changes)
            AuditEvent.record(f"{kind}.changed", obj, by=by, reason=reason, changes=changes)


@admin.display(description="state", ordering="closed_at")
def state_of(project: Project) -> str:
    state = "closed" if project.is_closed else "open"
    test = format_html(' <span class="state test">test</span>') if project.is_test else ""
    return format_html('<span class="state {0}">{0}</span>{1}', state, test)


class ProjectTable(admin.TabularInline):  # type: ignore[type-arg]  # Django's takes none
    model = Project
    has_add_permission = has_change_permission = has_delete_permission = nobody
    fields = readonly_fields = ("page", "state", "time_zone", "created_at")
    state = staticmethod(state_of)

    @admin.display(description="project")
    def page(self, project: Project) -> str:
        return link_to(project, str(project))


@admin.register(Partner)
class PartnerAdmin(RecordedAdmin):
    when_empty = "Partners appear here once you onboard one."
    fields = ("name", "contact_email")
    list_display = ("name", "contact_email", "created_at")
    search_fields = ("name", "contact_email", "projects__project_id")
    search_help_text = "Name, contact e-mail or project id"
    ordering = ("name",)

    def get_inlines(self, request: HttpRequest, obj: Model | None) -> Any:
        return [ProjectTable] if obj else []


class OpenFilter(ChoiceFilter):
    options = (("open", "Open"), ("closed", "Closed"))


class Close(Action):
    name, title = "close", "Close project"
    permission = "partners.close_project"

    def refusal(self) -> str:
        return f"Project {self.row} was already closed." if self.row.is_closed else ""

    def explain(self) -> Sequence[str]:
        return (
            f"Project {self.row} will be closed. Its access tokens will be refused, and its links "
            "cannot be started. Students who have started can finish.",
            f"Live tokens affected: {self.row.access_tokens.live().count()}. You can reopen the "
            "project at any time.",
        )

    def run(self, *, reason: str) -> str:
        self.row.close(by=self.by, reason=reason)
        return f"Project {self.row} was closed."


class Reopen(Action):
    name, title = "reopen", "Reopen project"
    permission = "partners.close_project"

    def refusal(self) -> str:
        return "" if self.row.is_closed else f"Project {self.row} was already open."

    def explain(self) -> Sequence[str]:
        return (
            f"Project {self.row} will be reopened. Its access tokens and links work again, except "
            "those that were revoked or have expired.",
        )

    def run(self, *, reason: str) -> str:
        self.row.reopen(by=self.by, reason=reason)
        return f"Project {self.row} was reopened."


@admin.register(Project)
class ProjectAdmin(RecordedAdmin):
    form = ProjectForm
    when_empty = "Projects appear here once you onboard a partner."
    row_actions: ClassVar[Any] = [Close, Reopen]  # an annex appends its own
    fieldsets = (
        (None, {"fields": ("partner", "name", "is_test", "time_zone")}),
        ("Time limits", {"fields": ("start_by_minutes", "finish_by_hours")}),
        ("Results", {"fields": ("takers", "recommendation_count")}),
        ("Student pages", {"fields": ("consent_mode", "accent", "return_url")}),
        ("Rate limits", {"fields": ("link_rate_per_minute", "results_rate_per_minute")}),
        ("Privacy", {"fields": ("retention_months",)}),
    )
    facts = ("project_id", "created_at", "closed_at")
    list_display = ("name", "state", "partner", "project_id", "created_at")
    list_filter = (OpenFilter,)
    list_select_related = ("partner",)
    search_fields = ("name", "project_id", "partner__name")
    search_help_text = "Name, project id or partner"
    ordering = ("partner__name", "name")
    state = staticmethod(state_of)

    def get_fieldsets(self, request: HttpRequest, obj: Model | None = None) -> Any:
        if obj is None:
            return self.fieldsets
        first: Any = (None, {"fields": ("partner", "name", "test_project", "time_zone")})
        others = self.fieldsets[1:]
        folded = [(title, {**part, "classes": ("collapse",)}) for title, part in others]
        return (first, ("Identity", {"fields": self.facts}), *folded)

    def get_readonly_fields(self, request: HttpRequest, obj: Model | None = None) -> Any:
        # The partner holds its tokens, so a project cannot move to another partner, and a test
        # project's tokens and rows are of another kind.
        return ("partner", "test_project", *self.facts) if obj else ()

    def test_project(self, project: Project) -> str:
        # Django marks False with a red cross.
        return "yes" if project.is_test else "no"
