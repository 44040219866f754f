"""A reason for an action on a student that does not identify the student."""

from __future__ import annotations

from typing import Any

from django import forms

from assessments.models import Student
from assessments.models.students import ReasonNamesThePerson
from partners.confirmation import ReasonForm


class ReasonAboutForm(ReasonForm):
    """Reports a reason that names the student as an error of the field."""

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
