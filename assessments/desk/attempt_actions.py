"""Support actions on attempts: close, extend, end the private link."""

from __future__ import annotations

from datetime import UTC, timedelta
from typing import Any, cast

from django import forms

from assessments.desk.diagnosis import CLOSE, EXTEND
from assessments.desk.link_summary import END_PRIVATE_LINK, WORDS, time_formatter
from assessments.desk.support_actions import ReasonAboutForm, SupportAction
from assessments.desk.timeline import When
from assessments.models import Assessment, PrivateLink
from assessments.models.attempts import EXTENDED
from partners.models import AuditEvent

DAYS = (1, 2, 3, 7, 14, 30)
# A smaller extension would not help, yet would be the first choice in the list.
LEAST_GAIN = timedelta(hours=1)


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

    def __init__(self, *args: Any, choices: list[tuple[int, str]], **options: Any) -> None:
        super().__init__(*args, **options)
        cast("forms.ChoiceField", self.fields["days"]).choices = choices


class AttemptAction(SupportAction):
    """An action on an attempt that is open."""

    permission = "assessments.close_assessment"

    def why_not(self) -> str:
        self.row.refresh_from_db()
        if self.row.is_open(self.at):
            return ""
        ended = self.row.how_it_ended(self.at)
        return f"Nothing was changed: attempt {self.row} has ended ({ended})."


class CloseAttempt(AttemptAction):
    name, title = CLOSE, WORDS[CLOSE]
    is_final = True

    def says(self) -> list[str]:
        answered = self.row.read_answers().answered_count
        return [
            self.whom,
            f"The attempt ends unfinished, with {answered} of {self.row.cached_bank.layout.total} "
            "answered. The partner sees it as Abandoned, and the student cannot continue it.",
            "This cannot be undone. Close an attempt only if it must end. To move to another "
            "device, issue a fresh link instead.",
        ]

    def run(self, *, reason: str) -> str | None:
        if self.row.close(reason=reason, at=self.at, **self.who):
            return f"Attempt {self.row} is closed. A fresh link starts a new one."
        return None


class ExtendAttempt(AttemptAction):
    name, title = EXTEND, WORDS[EXTEND]
    permission = "assessments.extend_assessment"
    form_class = ExtendForm

    @property
    def when(self) -> When:
        return time_formatter(self.student, self.at)

    @property
    def deadline(self) -> str:
        """The deadline as the form sends it back. Compared as text: it may be forged."""
        return str(self.row.finish_by_at.astimezone(UTC).isoformat())

    @property
    def choices(self) -> list[tuple[int, str]]:
        least = self.row.finish_by_at + LEAST_GAIN
        times = [(days, self.at + timedelta(days=days)) for days in DAYS]
        return [
            (days, f"{self.when(until)}, in {days} day{'s' if days > 1 else ''}")
            for days, until in times
            if until >= least
        ]

    def get_form_kwargs(self) -> dict[str, Any]:
        initial = {"finish_by_at": self.deadline}
        return {**super().get_form_kwargs(), "choices": self.choices, "initial": initial}

    def says(self) -> list[str]:
        return [
            self.whom,
            f"The attempt can be continued until {self.when(self.row.finish_by_at)}. Choose a "
            "later time. You cannot make it earlier again.",
            "To continue, the student opens the same link in the same browser.",
        ]

    def why_not(self) -> str:
        if has_ended := super().why_not():
            return has_ended
        if self.request.POST and self.request.POST.get("finish_by_at") != self.deadline:
            return _was_extended(self.row, self.when)
        if not self.choices:
            latest = self.when(self.row.finish_by_at)
            return f"It can already be continued until {latest}, the latest possible time."
        return ""

    def run(self, *, days: int, finish_by_at: str, reason: str) -> str | None:
        if finish_by_at == self.deadline and self.row.extend(
            self.at + timedelta(days=days),
            seen=self.row.finish_by_at,
            reason=reason,
            at=self.at,
            **self.who,
        ):
            until = self.when(self.row.finish_by_at)
            return f"Attempt {self.row} can be continued until {until}."
        return None


class EndPrivateLink(SupportAction):
    name, title = END_PRIVATE_LINK, WORDS[END_PRIVATE_LINK]
    permission = "assessments.close_assessment"
    is_final = True

    @property
    def link(self) -> PrivateLink | None:
        return PrivateLink.objects.working(self.at).filter(assessment=self.row).first()

    def says(self) -> list[str]:
        link = cast("PrivateLink", self.link)
        return [
            self.whom,
            "The address that the student shared stops working at once, for everybody who has it. "
            f"Otherwise it works until {time_formatter(self.student, self.at)(link.expires_at)}.",
            "This cannot be undone. The student can make another link while the result opens in "
            "their browser.",
        ]

    def why_not(self) -> str:
        if self.link:
            return ""
        return "Nothing was changed: this result has no private link that still works."

    def run(self, *, reason: str) -> str | None:
        ended = PrivateLink.objects.end_by_staff(self.row, reason=reason, at=self.at, **self.who)
        return "The private link has ended." if ended else None


def _was_extended(attempt: Assessment, when: When) -> str:
    events = AuditEvent.objects.about(attempt).of_actions([EXTENDED]).with_staff_names()
    event = events.newest_first().first()
    again = f"Nothing was changed this time. If it needs longer, press “{WORDS[EXTEND]}” again."
    until = f"It can be continued until {when(attempt.finish_by_at)}."
    if event is None:
        return f"The page was out of date. {until} {again}"
    given = f"More time was given while this page was open, {when(event.at)}, by {event.who}."
    return f"{given} {until} {again}"
