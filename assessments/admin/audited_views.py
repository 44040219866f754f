"""Reading what is known of a student leaves a line in the audit trail, as every door to it does."""

from __future__ import annotations

from typing import Any, cast

from django.contrib.admin.views.main import SEARCH_VAR
from django.contrib.auth.models import AbstractBaseUser
from django.db import models
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.template.response import TemplateResponse

from assessments.admin.readonly import Base
from assessments.models import Student
from partners.models import AuditEvent
from partners.origin import of_staff

READ, LISTED = "student.read", "student.listed"
FINDS = "assessments.view_assessmentlink"


def note_list(request: HttpRequest, what: str, rows: int) -> None:
    """Keep that somebody saw so many rows with e-mail addresses. Call it for none too."""
    user = cast("AbstractBaseUser", request.user)
    seen = f"{what}: {rows} row{'' if rows == 1 else 's'}"
    AuditEvent.record(LISTED, user, reason=seen, **of_staff(request))


def looked_at(page: str) -> str:
    """Return what the trail says of a page that was only read: to ask “close?” closes nothing."""
    return f"looked at: {page}"


def _without_search(request: HttpRequest) -> HttpResponse:
    """Lead to the same list by an address that repeats nothing of what was looked for."""
    kept = request.GET.copy()
    del kept[SEARCH_VAR]
    return HttpResponseRedirect(f"{request.path}?{kept.urlencode()}" if kept else request.path)


class AuditedReading(Base):
    """Pages and lists in which students can be recognised.

    A list has no search of its own, which would put an e-mail address or a pasted link into the
    address of the page: its box posts to the page “Find”.
    """

    def student_of(self, row: Any) -> Student:
        """Return the student whom a row is about."""
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
            AuditEvent.record(READ, student, reason=looked_at(str(obj)), **of_staff(request))
        return super().render_change_form(request, context, add, change, form_url, obj)
