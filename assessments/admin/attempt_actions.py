"""Support actions on attempts: close, extend, end the private link."""

from __future__ import annotations

from datetime import datetime
from typing import Any

from django.contrib import admin, messages
from django.http import Http404, HttpRequest, HttpResponse
from django.utils import timezone

from assessments.admin.confirmed_actions import ask, back, report_conflicts, require
from assessments.admin.link_forms import ExtendForm, ReasonAboutForm
from assessments.admin.link_summary import END_PRIVATE_LINK, WORDS, moments
from assessments.models import Assessment, PrivateLink
from assessments.models.attempts import EXTENDED
from assessments.support.diagnosis import CLOSE, EXTEND
from assessments.support.timeline import When
from partners.actor_context import staff_actor
from partners.models import AuditEvent


@report_conflicts
def close(model_admin: admin.ModelAdmin[Any], request: HttpRequest, pk: int) -> HttpResponse:
    """Ask for a reason, then close an open attempt.

    Raises PermissionDenied without the permission, Http404 if the attempt does not exist.
    """
    require(request, "close_assessment")
    attempt = _attempt(model_admin, request, pk)
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
        attempt.student,
        act=CLOSE,
        says=[
            f"The attempt ends unfinished, with {answered} of {total} answered. The partner "
            "sees it as Abandoned, and the student cannot continue it.",
            "This cannot be undone. Close an attempt only if it must end. To move to another "
            "device, issue a fresh link instead.",
        ],
        form=form,
        target=attempt,
        is_final=True,
    )


@report_conflicts
def extend(model_admin: admin.ModelAdmin[Any], request: HttpRequest, pk: int) -> HttpResponse:
    """Ask for a later deadline and a reason, then extend an open attempt.

    Raises PermissionDenied without the permission, Http404 if the attempt does not exist.
    """
    require(request, "extend_assessment")
    attempt = _attempt(model_admin, request, pk)
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
        attempt.student,
        act=EXTEND,
        says=[
            f"The attempt can be continued until {when(attempt.finish_by_at)}. Choose a later "
            "time. You cannot make it earlier again.",
            "To continue, the student opens the same link in the same browser.",
        ],
        form=form,
        target=attempt,
    )


@report_conflicts
def end_private_link(
    model_admin: admin.ModelAdmin[Any], request: HttpRequest, pk: int
) -> HttpResponse:
    """Ask for a reason, then end the private link to a result.

    Raises PermissionDenied without the permission, Http404 if the attempt does not exist.
    """
    require(request, "close_assessment")
    attempt = _attempt(model_admin, request, pk)
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
        attempt.student,
        act=END_PRIVATE_LINK,
        says=[
            "The address that the student shared stops working at once, for everybody who has it. "
            f"Otherwise it works until {moments(attempt.student, at)(link.expires_at)}.",
            "This cannot be undone. The student can make another link while the result opens in "
            "their browser.",
        ],
        form=form,
        target=attempt,
        is_final=True,
    )


def _attempt(model_admin: admin.ModelAdmin[Any], request: HttpRequest, pk: int) -> Assessment:
    """Return the attempt. Raises Http404 if it does not exist."""
    attempt = model_admin.get_object(request, str(pk))
    if not isinstance(attempt, Assessment):
        raise Http404
    return attempt


def _has_ended(attempt: Assessment, at: datetime) -> str:
    return f"Nothing was changed: attempt {attempt} has ended ({attempt.how_it_ended(at)})."


def _was_extended(attempt: Assessment, when: When) -> str:
    """Tell the second user who extended the attempt, and until when."""
    events = AuditEvent.objects.about(attempt).of_actions([EXTENDED]).with_staff_names()
    event = events.newest_first().first()
    again = f"Nothing was changed this time. If it needs longer, press “{WORDS[EXTEND]}” again."
    until = f"It can be continued until {when(attempt.finish_by_at)}."
    if event is None:
        return f"The page was out of date. {until} {again}"
    given = f"More time was given while this page was open, {when(event.at)}, by {event.who}."
    return f"{given} {until} {again}"
