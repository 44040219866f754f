"""Admin views of student data, which the audit trail records."""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime
from typing import Any, cast

from django.contrib import admin
from django.contrib.admin.views.main import SEARCH_VAR
from django.contrib.auth.models import AbstractBaseUser
from django.db import models
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.template.response import TemplateResponse
from django.utils import timezone
from django.utils.safestring import SafeString

from assessments.desk.link_summary import context_of, time_formatter
from assessments.models import AssessmentLink, Student
from partners.actions import ActionAdmin
from partners.admin_base import ReadOnly, link_to
from partners.large_table_admin import LargeTableAdmin
from partners.models import AuditEvent
from partners.models.audit import staff_actor

READ, LISTED = "student.read", "student.listed"
FINDS = "assessments.view_assessmentlink"


def note_list(request: HttpRequest, what: str, rows: int) -> None:
    """Record that staff saw a list with this many students, even if it is empty."""
    user = cast("AbstractBaseUser", request.user)
    seen = f"{what}: {rows} row{'' if rows == 1 else 's'}"
    AuditEvent.record(LISTED, user, reason=seen, **staff_actor(request))


def looked_at(page: str) -> str:
    """Return the audit reason for a page that was viewed, even if it offers an action."""
    return f"looked at: {page}"


def time_column(field: str, label: str, never: str = "") -> Callable[..., str]:
    """Return a column with a time of the row, or `never` if it has none."""

    @admin.display(description=label)
    def column(model_admin: AuditedReading, row: Any) -> str:
        at = getattr(row, field)
        return model_admin.when(row, at) if at else never

    return column


class AuditedReading(ActionAdmin, LargeTableAdmin, ReadOnly):
    """Admin of students, links or attempts. Each view is recorded in the audit trail.

    Lists lack Django's own search, which would put e-mail addresses and links into the URL. Their
    search box posts to the search page instead.
    """

    change_form_template = "admin/assessments/link_summary.html"

    def student_of(self, row: Any) -> Student:
        student: Student = row.student
        return student

    def link_of(self, row: Any) -> AssessmentLink | None:
        """Return the link that the summary of a row describes."""
        raise NotImplementedError("Subclasses must provide a link_of() method.")

    def when(self, row: Any, at: datetime) -> str:
        return time_formatter(self.student_of(row), timezone.now())(at)

    @admin.display(description="student")
    def student_email(self, row: Any) -> str:
        return self.student_of(row).email

    @admin.display(description="student")
    def student_page(self, row: Any) -> SafeString:
        student = self.student_of(row)
        return link_to(student, student.email)

    @admin.display(description="project")
    def project_name(self, row: Any) -> str:
        return self.student_of(row).project.name_in_lists

    def get_changelist_instance(self, request: HttpRequest) -> Any:
        changelist: Any = super().get_changelist_instance(request)
        changelist.may_find = request.user.has_perm(FINDS)
        chosen = (each.chosen for each in changelist.filter_specs if hasattr(each, "chosen"))
        changelist.find_in = next(chosen, None)
        return changelist

    def changelist_view(
        self, request: HttpRequest, extra_context: dict[str, Any] | None = None
    ) -> HttpResponse:
        if SEARCH_VAR in request.GET:
            kept = request.GET.copy()
            del kept[SEARCH_VAR]
            query = f"?{kept.urlencode()}" if kept else ""
            return HttpResponseRedirect(f"{request.path}{query}")
        response = super().changelist_view(request, extra_context)
        if isinstance(response, TemplateResponse) and "cl" in (response.context_data or {}):
            changelist = (response.context_data or {})["cl"]
            note_list(request, str(self.opts.verbose_name), len(changelist.result_list))
        return response

    def render_change_form(
        self,
        request: HttpRequest,
        context: dict[str, Any],
        add: bool = False,
        change: bool = False,
        form_url: str = "",
        obj: models.Model | None = None,
    ) -> HttpResponse:
        if obj is not None:
            student, link = self.student_of(obj), self.link_of(obj)
            context |= context_of(request, student, link, timezone.now(), obj)
            AuditEvent.record(READ, student, reason=looked_at(str(obj)), **staff_actor(request))
        return super().render_change_form(request, context, add, change, form_url, obj)
