"""Actions of support on a student's rows: each asks for confirmation and a reason."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import Any

from django import forms
from django.contrib import admin, messages
from django.core.exceptions import PermissionDenied
from django.db import models
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseRedirect
from django.shortcuts import redirect

from assessments.desk.audited_views import READ, looked_at
from assessments.desk.link_summary import WORDS
from assessments.models import Assessment, AssessmentLink, Student
from assessments.models.students import ReasonNamesThePerson
from partners.admin_base import page_of
from partners.confirmation import ReasonForm, confirmation
from partners.models import AuditEvent
from partners.models.audit import staff_actor

Act = Callable[["admin.ModelAdmin[Any]", HttpRequest, Any], HttpResponse]
View = Callable[["admin.ModelAdmin[Any]", HttpRequest, int], HttpResponse]


class ReasonAboutForm(ReasonForm):
    """A form whose reason may not identify the student."""

    def __init__(self, *args: Any, student: Student, **options: Any) -> None:
        super().__init__(*args, **options)
        self.student = student

    def clean_reason(self) -> str:
        reason = super().clean_reason()
        try:
            self.student.refuse_naming(reason)
        except ReasonNamesThePerson as refusal:
            raise forms.ValidationError(str(refusal)) from None
        return reason


def support_action(permission: str) -> Callable[[Act], View]:
    """Make a view of an action on a row, for users with a permission.

    Shows a message if the row was deleted or renamed after the page was opened.
    """

    def decorate(act: Act) -> View:
        @wraps(act)
        def view(model_admin: admin.ModelAdmin[Any], request: HttpRequest, pk: int) -> HttpResponse:
            if not request.user.has_perm(f"assessments.{permission}"):
                raise PermissionDenied
            row = model_admin.get_object(request, str(pk))
            if row is None:
                raise Http404
            try:
                return act(model_admin, request, row)
            except ReasonNamesThePerson as refusal:
                messages.error(request, f"Nothing was changed: {refusal}")
                return HttpResponseRedirect(request.path)
            except (Student.DoesNotExist, AssessmentLink.DoesNotExist, Assessment.DoesNotExist):
                opts = model_admin.opts
                messages.warning(
                    request,
                    f"Nothing was changed: this {opts.verbose_name} was deleted when its "
                    "retention time ended.",
                )
                return redirect(f"admin:{opts.app_label}_{opts.model_name}_changelist")

        return view

    return decorate


def ask(
    model_admin: admin.ModelAdmin[Any],
    request: HttpRequest,
    row: Student | AssessmentLink | Assessment,
    act: str,
    form: forms.Form,
    *says: str,
    is_final: bool = False,
    leave: str = "Cancel",
) -> HttpResponse:
    """Show the confirmation page. It names the student, so the audit trail records that."""
    student = row if isinstance(row, Student) else row.student
    page = looked_at(f"the page “{WORDS[act]}”")
    AuditEvent.record(READ, student, reason=page, **staff_actor(request))
    return confirmation(
        model_admin,
        request,
        title=WORDS[act],
        says=[f"{student.name}, {student.email}, of {student.project.name}.", *says],
        form=form,
        button=WORDS[act],
        target=row,
        is_final=is_final,
        leave=leave,
    )


def back(request: HttpRequest, target: models.Model, level: int, text: str) -> HttpResponse:
    messages.add_message(request, level, text)
    return HttpResponseRedirect(page_of(target))
