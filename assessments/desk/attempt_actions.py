"""Support actions on attempts: close, extend, end the private link."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import Any, cast

from django import forms
from django.contrib import admin, messages
from django.http import HttpRequest, HttpResponse
from django.utils import timezone

from assessments.desk.confirmed_actions import ReasonAboutForm, ask, back, support_action
from assessments.desk.diagnosis import CLOSE, EXTEND
from assessments.desk.link_summary import END_PRIVATE_LINK, WORDS, moments
from assessments.desk.timeline import When
from assessments.models import Assessment, PrivateLink
from assessments.models.attempts import EXTENDED
from partners.models import AuditEvent
from partners.models.audit import staff_actor

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


@support_action("close_assessment")
def close(
    model_admin: admin.ModelAdmin[Any], request: HttpRequest, attempt: Assessment
) -> HttpResponse:
    form = ReasonAboutForm(request.POST or None, student=attempt.student)
    at = timezone.now()
    if form.is_valid() and attempt.close(
        reason=form.cleaned_data["reason"], at=at, **staff_actor(request)
    ):
        said = f"Attempt {attempt} is closed. A fresh link starts a new one."
        return back(request, attempt, messages.SUCCESS, said)
    attempt.refresh_from_db()
    if not attempt.is_open(at):
        return back(request, attempt, messages.WARNING, _has_ended(attempt, at))
    answered, total = attempt.read_answers().answered_count, attempt.content.layout.total
    return ask(
        model_admin,
        request,
        attempt,
        CLOSE,
        form,
        f"The attempt ends unfinished, with {answered} of {total} answered. The partner "
        "sees it as Abandoned, and the student cannot continue it.",
        "This cannot be undone. Close an attempt only if it must end. To move to another "
        "device, issue a fresh link instead.",
        is_final=True,
    )


@support_action("extend_assessment")
def extend(
    model_admin: admin.ModelAdmin[Any], request: HttpRequest, attempt: Assessment
) -> HttpResponse:
    at = timezone.now()
    form = ExtendForm(request.POST or None, attempt=attempt, at=at)
    when = moments(attempt.student, at)
    if (
        not form.is_outdated
        and form.is_valid()
        and attempt.extend(
            form.until(at),
            seen=form.seen,
            reason=form.cleaned_data["reason"],
            at=at,
            **staff_actor(request),
        )
    ):
        said = f"Attempt {attempt} can be continued until {when(attempt.finish_by_at)}."
        return back(request, attempt, messages.SUCCESS, said)
    attempt.refresh_from_db()
    if not attempt.is_open(at):
        return back(request, attempt, messages.WARNING, _has_ended(attempt, at))
    if form.is_outdated or attempt.finish_by_at != form.seen:
        return back(request, attempt, messages.WARNING, _was_extended(attempt, when))
    if not form.offered:
        latest = when(attempt.finish_by_at)
        said = f"It can already be continued until {latest}, the latest possible time."
        return back(request, attempt, messages.WARNING, said)
    return ask(
        model_admin,
        request,
        attempt,
        EXTEND,
        form,
        f"The attempt can be continued until {when(attempt.finish_by_at)}. Choose a later "
        "time. You cannot make it earlier again.",
        "To continue, the student opens the same link in the same browser.",
    )


@support_action("close_assessment")
def end_private_link(
    model_admin: admin.ModelAdmin[Any], request: HttpRequest, attempt: Assessment
) -> HttpResponse:
    form = ReasonAboutForm(request.POST or None, student=attempt.student)
    at = timezone.now()
    if form.is_valid() and PrivateLink.objects.end_by_staff(
        attempt, reason=form.cleaned_data["reason"], at=at, **staff_actor(request)
    ):
        return back(request, attempt, messages.SUCCESS, "The private link has ended.")
    link = PrivateLink.objects.working(at).filter(assessment=attempt).first()
    if link is None:
        said = "Nothing was changed: this result has no private link that still works."
        return back(request, attempt, messages.WARNING, said)
    return ask(
        model_admin,
        request,
        attempt,
        END_PRIVATE_LINK,
        form,
        "The address that the student shared stops working at once, for everybody who has it. "
        f"Otherwise it works until {moments(attempt.student, at)(link.expires_at)}.",
        "This cannot be undone. The student can make another link while the result opens in "
        "their browser.",
        is_final=True,
    )


def _has_ended(attempt: Assessment, at: datetime) -> str:
    return f"Nothing was changed: attempt {attempt} has ended ({attempt.how_it_ended(at)})."


def _was_extended(attempt: Assessment, when: When) -> str:
    events = AuditEvent.objects.about(attempt).of_actions([EXTENDED]).with_staff_names()
    event = events.newest_first().first()
    again = f"Nothing was changed this time. If it needs longer, press “{WORDS[EXTEND]}” again."
    until = f"It can be continued until {when(attempt.finish_by_at)}."
    if event is None:
        return f"The page was out of date. {until} {again}"
    given = f"More time was given while this page was open, {when(event.at)}, by {event.who}."
    return f"{given} {until} {again}"
