"""What support fills in to issue a fresh link, or to give more time."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import Any, cast

from django import forms

from assessments.admin.link_summary import moments
from assessments.admin.reasons import ReasonAboutForm
from assessments.models import Assessment

DAYS = (1, 2, 3, 7, 14, 30)
# Less is no help, and would be the first choice of the list.
LEAST_GAIN = timedelta(hours=1)


class FreshLinkForm(ReasonAboutForm):
    """A form that makes one link, however often it is sent: it knows which was the newest."""

    newest = forms.IntegerField(widget=forms.HiddenInput, min_value=0)


class ExtendForm(ReasonAboutForm):
    """How long from now, of what is an hour or more later than the attempt goes on anyway.

    It extends once, however often it is sent: it knows until when the attempt could be continued.
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
        # As text: what was made up need not be read as a moment.
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
