"""Forms of actions on a student: their reason, a fresh link, more time."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import UTC, datetime, timedelta
from typing import Any, cast

from django import forms

from assessments.admin.link_summary import moments
from assessments.models import Assessment, Student
from assessments.models.links import Offer
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
    mobile = forms.ChoiceField(
        label="The student's mobile number",
        error_messages={
            "required": "Ask the student for the number, then choose it.",
            "invalid_choice": "Choose one of the numbers in the list.",
        },
    )
    field_order = ("mobile", "reason")

    def __init__(self, *args: Any, numbers: Mapping[str, Offer | None], **options: Any) -> None:
        super().__init__(*args, **options)
        self._numbers = numbers
        if len(numbers) == 1:
            del self.fields["mobile"]
            return
        cast("forms.ChoiceField", self.fields["mobile"]).choices = [
            ("", "Choose a number"),
            *((mobile, f"{mobile}: {_continues(offer)}") for mobile, offer in numbers.items()),
        ]

    def what_it_does(self, has_open: bool) -> str:
        """Say whether the link continues an attempt; `has_open` if the student has an open one."""
        if len(self._numbers) > 1:
            return (
                "Different mobile numbers were given for this address, perhaps by different "
                "people. Ask the student for theirs: the link continues only the attempt that was "
                "started with the same one."
            )
        ((mobile, offer),) = self._numbers.items()
        if offer:
            return (
                f"An attempt is open, {_progress(offer)}. The link has the same mobile number, "
                f"{mobile}, so the student can continue on any device, where earlier answers are "
                "not shown, or begin a new attempt."
            )
        if has_open:
            return (
                "An attempt is open. The link continues it only in the browser where it is open, "
                f"because {mobile} is no valid mobile number, or more than three students of the "
                "project have it. Elsewhere it starts a new attempt."
            )
        return "It starts a new attempt."


def _continues(offer: Offer | None) -> str:
    if offer is None:
        return "starts a new attempt"
    return f"continues {offer.attempt}, {_progress(offer)}"


def _progress(offer: Offer) -> str:
    attempt = offer.attempt
    return f"{attempt.read_answers().answered_count} of {attempt.content.layout.total} answered"


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
