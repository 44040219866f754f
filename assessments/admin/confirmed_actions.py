"""Actions of support on a student's rows: each asks for confirmation and a reason."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import Any

from django import forms
from django.contrib import admin, messages
from django.core.exceptions import PermissionDenied
from django.db import models
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect

from assessments.admin.audited_views import READ, looked_at
from assessments.admin.link_summary import WORDS
from assessments.admin.readonly import list_of, page_of
from assessments.models import Assessment, AssessmentLink, Student
from assessments.models.students import ReasonNamesThePerson
from partners.actor_context import staff_actor
from partners.confirmation import confirmation
from partners.models import AuditEvent

View = Callable[["admin.ModelAdmin[Any]", HttpRequest, int], HttpResponse]


def report_conflicts(view: View) -> View:
    """Show a message if the row was deleted or renamed after the page was opened."""

    @wraps(view)
    def act(model_admin: admin.ModelAdmin[Any], request: HttpRequest, pk: int) -> HttpResponse:
        try:
            return view(model_admin, request, pk)
        except ReasonNamesThePerson as refusal:
            messages.error(request, f"Nothing was changed: {refusal}")
            return HttpResponseRedirect(request.path)
        except (Student.DoesNotExist, AssessmentLink.DoesNotExist, Assessment.DoesNotExist):
            gone = model_admin.opts.verbose_name
            said = f"Nothing was changed: this {gone} was deleted when its retention time ended."
            messages.warning(request, said)
            return HttpResponseRedirect(list_of(model_admin.model))

    return act


def ask(
    model_admin: admin.ModelAdmin[Any],
    request: HttpRequest,
    student: Student,
    *,
    act: str,
    says: list[str],
    form: forms.Form,
    target: models.Model,
    is_final: bool = False,
    leave: str = "Cancel",
) -> HttpResponse:
    """Show the confirmation page. It names the student, so the audit trail records that."""
    page = looked_at(f"the page “{WORDS[act]}”")
    AuditEvent.record(READ, student, reason=page, **staff_actor(request))
    return confirmation(
        model_admin,
        request,
        title=WORDS[act],
        says=[f"{student.name}, {student.email}, of {student.project.name}.", *says],
        form=form,
        button=WORDS[act],
        target=target,
        is_final=is_final,
        leave=leave,
    )


def require(request: HttpRequest, permission: str) -> None:
    if not request.user.has_perm(f"assessments.{permission}"):
        raise PermissionDenied


def back(request: HttpRequest, target: models.Model, level: int, text: str) -> HttpResponse:
    messages.add_message(request, level, text)
    return HttpResponseRedirect(page_of(target))
