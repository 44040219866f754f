"""Admin views of student data, which the audit trail records."""

from __future__ import annotations

from typing import Any, cast

from django.contrib.admin.views.main import SEARCH_VAR
from django.contrib.auth.models import AbstractBaseUser
from django.db import models
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.template.response import TemplateResponse

from assessments.admin.readonly import Base
from assessments.models import Student
from partners.actor_context import staff_actor
from partners.models import AuditEvent

READ, LISTED = "student.read", "student.listed"
FINDS = "assessments.view_assessmentlink"


def note_list(request: HttpRequest, what: str, rows: int) -> None:
    """Record that staff saw a list with this many students, even if it is none."""
    user = cast("AbstractBaseUser", request.user)
    seen = f"{what}: {rows} row{'' if rows == 1 else 's'}"
    AuditEvent.record(LISTED, user, reason=seen, **staff_actor(request))


def looked_at(page: str) -> str:
    """Return the audit reason for a page that was viewed, even if it offers an action."""
    return f"looked at: {page}"


def _without_search(request: HttpRequest) -> HttpResponse:
    """Redirect to the same list without the search text in the address."""
    kept = request.GET.copy()
    del kept[SEARCH_VAR]
    return HttpResponseRedirect(f"{request.path}?{kept.urlencode()}" if kept else request.path)


class AuditedReading(Base):
    """Admin pages that show personal data. Each view is recorded in the audit trail.

    Lists have no search of their own, which would put e-mail addresses and links into the page's
    address. Their search box posts to the search page instead.
    """

    def student_of(self, row: Any) -> Student:
        """Return the student of a row."""
        student: Student = row.student
        return student

    def get_changelist_instance(self, request: HttpRequest) -> Any:
        changelist: Any = super().get_changelist_instance(request)
        changelist.may_find = request.user.has_perm(FINDS)
        return changelist

    def changelist_view(
        self, request: HttpRequest, extra_context: dict[str, Any] | None = None
    ) -> HttpResponse:
        if SEARCH_VAR in request.GET:
            return _without_search(request)
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
            student = self.student_of(obj)
            AuditEvent.record(READ, student, reason=looked_at(str(obj)), **staff_actor(request))
        return super().render_change_form(request, context, add, change, form_url, obj)
