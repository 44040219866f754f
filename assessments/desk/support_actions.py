"""Actions of support on a student's rows: each asks for confirmation and a reason."""

from __future__ import annotations

from datetime import datetime
from functools import cached_property
from typing import Any

from django import forms
from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponseBase, HttpResponseRedirect
from django.utils import timezone

from assessments.desk.audited_views import READ, looked_at
from assessments.models import Assessment, AssessmentLink, Student
from assessments.models.students import ReasonNamesThePerson
from partners.actions import Action, ReasonForm
from partners.models import AuditEvent


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
            raise forms.ValidationError(refusal.messages) from None
        return reason


class SupportAction(Action):
    """An action on a student, link or attempt. Its page names the student, and is audited."""

    form_class: type[forms.BaseForm] = ReasonAboutForm

    @property
    def student(self) -> Student:
        student: Student = self.row if isinstance(self.row, Student) else self.row.student
        return student

    @cached_property
    def at(self) -> datetime:
        return timezone.now()

    @property
    def whom(self) -> str:
        return f"{self.student.name}, {self.student.email}, of {self.student.project.name}."

    def get_row(self, pk: int) -> Any:
        row = self.model_admin.get_object(self.request, str(pk))
        if row is None:
            raise Http404
        return row

    def get_form_kwargs(self) -> dict[str, Any]:
        return {**super().get_form_kwargs(), "student": self.student}

    def dispatch(self, request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponseBase:
        try:
            return super().dispatch(request, *args, **kwargs)
        except (Student.DoesNotExist, AssessmentLink.DoesNotExist, Assessment.DoesNotExist):
            messages.warning(
                request,
                f"Nothing was changed: this {self.model_admin.opts.verbose_name} was deleted when "
                "its retention time ended.",
            )
            return HttpResponseRedirect(self.address("changelist"))

    def get_context_data(self, **context: Any) -> dict[str, Any]:
        page = looked_at(f"the page “{self.title}”")
        AuditEvent.record(READ, self.student, reason=page, **self.who)
        return super().get_context_data(**context)
