"""Forms of actions on a student: their reason, a fresh link, more time."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import Any, cast

from django import forms

from assessments.admin.link_summary import moments
from assessments.models import Assessment, Student
from assessments.models.students import ReasonNamesThePerson
from partners.confirmation import ReasonForm

DAYS = (1, 2, 3, 7, 14, 30)
# A smaller extension would not help, yet would be the first choice in the list.
LEAST_GAIN = timedelta(hours=1)


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


class FreshLinkForm(ReasonAboutForm):
    """Issues one link even if submitted twice: `newest` is the student's newest link before it."""

    newest = forms.IntegerField(widget=forms.HiddenInput, min_value=0)


class ExtendForm(ReasonAboutForm):
    """Extends an attempt to a number of days from now, by an hour or more.

    It extends once even if submitted twice: `finish_by_at` is the deadline before it.
    """

    days = forms.TypedChoiceField(
        label="It can be continued until",
        coerce=int,
        error_messages={"invalid_choice": "Choose one of the times in the list."},
    )
    finish_by_at = forms.CharField(widget=forms.HiddenInput, required=False)
    field_order = ("days", "reason")

    def __init__(self, data: Any, *, attempt: Assessment, at: datetime) -> None:
        self.seen = attempt.finish_by_at
        now = self.seen.astimezone(UTC).isoformat()
        super().__init__(data, student=attempt.student, initial={"finish_by_at": now})
        # Compared as text, as a forged value may not be a date.
        self.is_outdated = self.is_bound and self["finish_by_at"].value() != now
        when = moments(attempt.student, at)
        self.offered = [
            (days, f"{when(at + timedelta(days=days))}, in {days} day{'s' if days > 1 else ''}")
            for days in DAYS
            if at + timedelta(days=days) >= attempt.finish_by_at + LEAST_GAIN
        ]
        cast("forms.ChoiceField", self.fields["days"]).choices = self.offered

    def until(self, at: datetime) -> datetime:
        return at + timedelta(days=self.cleaned_data["days"])
