"""What support can do about a link: each a page that asks first, and one method of the record."""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime
from functools import wraps
from typing import Any

from django import forms
from django.contrib import admin, messages
from django.core.exceptions import PermissionDenied
from django.db import models
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseRedirect
from django.template.response import TemplateResponse
from django.utils import timezone
from django.views.decorators.debug import sensitive_variables

from assessments.admin.audited_views import READ, looked_at
from assessments.admin.link_forms import ExtendForm, FreshLinkForm
from assessments.admin.link_summary import WORDS, moments
from assessments.admin.readonly import list_of, page_of
from assessments.admin.reasons import ReasonAboutForm
from assessments.models import Assessment, AssessmentLink, Student
from assessments.models.attempts import EXTENDED
from assessments.models.links import AnotherIssued, LinkState, LinkUnavailable
from assessments.models.students import ReasonNamesThePerson
from assessments.support.diagnosis import CLOSE, EXTEND, ISSUE
from assessments.support.timeline import When
from partners.confirmation import confirmation
from partners.models import AuditEvent
from partners.origin import of_staff

# What `issue_by_staff` refuses, in words: the row at hand may be older than the refusal.
WHY_NONE = {
    LinkState.CLOSED: "The project is closed: nobody could start a link of it. Reopen the project "
    "first, if the partner wants that.",
    LinkState.EXPIRED: "This student was erased: there is nobody to hand a link to.",
}
View = Callable[["admin.ModelAdmin[Any]", HttpRequest, int], HttpResponse]


def said_if_overtaken(view: View) -> View:
    """Say so, instead of failing, where the row went or was renamed since the page was made."""

    @wraps(view)
    def act(model_admin: admin.ModelAdmin[Any], request: HttpRequest, pk: int) -> HttpResponse:
        try:
            return view(model_admin, request, pk)
        except ReasonNamesThePerson as refusal:
            messages.error(request, f"Nothing was done: {refusal}")
            return HttpResponseRedirect(request.path)
        except (Student.DoesNotExist, Assessment.DoesNotExist):
            gone = model_admin.opts.verbose_name
            said = f"Nothing was done: this {gone} does not exist any more, its time was over."
            messages.warning(request, said)
            return HttpResponseRedirect(list_of(model_admin.model))

    return act


@said_if_overtaken
@sensitive_variables("link_token", "address")
def issue(model_admin: admin.ModelAdmin[Any], request: HttpRequest, pk: int) -> HttpResponse:
    """Ask why, then issue a fresh link to a student and show it in this very answer."""
    _require(request, "issue_link")
    student = model_admin.get_object(request, str(pk))
    if not isinstance(student, Student):
        raise Http404
    at = timezone.now()
    links = AssessmentLink.objects.of_students([student])
    latest = links.newest_of_each().first()
    newest = {"newest": latest.pk if latest else 0}
    form = FreshLinkForm(request.POST or None, student=student, initial=newest)
    if form.is_valid():
        try:
            link, link_token = AssessmentLink.objects.issue_by_staff(
                student,
                newest=form.cleaned_data["newest"],
                reason=form.cleaned_data["reason"],
                at=at,
                **of_staff(request),
            )
        except LinkUnavailable as refused:
            return _back(request, student, messages.ERROR, WHY_NONE[refused.state])
        except AnotherIssued as another:
            said = (
                f"A link was issued to this student a moment ago: {another.link}. This time "
                "nothing was done. If you sent the page twice and did not copy the address, press "
                f"“{WORDS[ISSUE]}” once more: an address is shown only once."
            )
            return _back(request, student, messages.WARNING, said)
        address = AssessmentLink.url(student.project, link_token)
        return _handed_over(model_admin, request, student, link, address, at)
    if why := _why_none(student):
        return _back(request, student, messages.ERROR, why)
    when = moments(student, at)
    waiting = student.assessments.open(at).newest_first().first()
    goes_on = (
        f"An attempt is open: the link offers to continue it, on any device "
        f"({waiting.answered_count} of {waiting.content.layout.total} answered), or to start again."
        if waiting
        else "It starts a new attempt, from the first question."
    )
    return _ask(
        model_admin,
        request,
        student,
        act=ISSUE,
        says=[
            f"The student gets a new link. It can be started until "
            f"{when(at + student.project.start_by)}. {goes_on}",
            "The next page shows the link, once: nothing here keeps it. Earlier links live on.",
        ],
        form=form,
        target=student,
    )


def _ask(
    model_admin: admin.ModelAdmin[Any],
    request: HttpRequest,
    student: Student,
    *,
    act: str,
    says: list[str],
    form: forms.Form,
    target: models.Model,
    is_final: bool = False,
) -> HttpResponse:
    """Show the page that asks, with whom it is about: which is a reading of the student too."""
    page = looked_at(f"the page “{WORDS[act]}”")
    AuditEvent.record(READ, student, reason=page, **of_staff(request))
    return confirmation(
        model_admin,
        request,
        title=WORDS[act],
        says=[f"{student.name}, {student.email}, of {student.project.name}.", *says],
        form=form,
        button=WORDS[act],
        target=target,
        is_final=is_final,
    )


@said_if_overtaken
def close(model_admin: admin.ModelAdmin[Any], request: HttpRequest, pk: int) -> HttpResponse:
    """Ask why, then end an open attempt."""
    _require(request, "close_assessment")
    attempt = _attempt(model_admin, request, pk)
    form = ReasonAboutForm(request.POST or None, student=attempt.student)
    at = timezone.now()
    if form.is_valid() and attempt.close(
        reason=form.cleaned_data["reason"], at=at, **of_staff(request)
    ):
        said = f"The attempt {attempt} is closed. A fresh link starts a new one."
        return _back(request, attempt, messages.SUCCESS, said)
    attempt.refresh_from_db()
    if not attempt.is_open(at):
        return _back(request, attempt, messages.WARNING, _has_ended(attempt, at))
    total = attempt.content.layout.total
    return _ask(
        model_admin,
        request,
        attempt.student,
        act=CLOSE,
        says=[
            f"The attempt ends unfinished, with {attempt.answered_count} of {total} answered, and "
            "the partner reads it as Abandoned. The student can't go on with it.",
            "This cannot be undone. Close it only if it must not go on: to change the device, a "
            "fresh link is enough, and it goes on where it stopped.",
        ],
        form=form,
        target=attempt,
        is_final=True,
    )


@said_if_overtaken
def extend(model_admin: admin.ModelAdmin[Any], request: HttpRequest, pk: int) -> HttpResponse:
    """Ask until when and why, then let an open attempt be continued for longer."""
    _require(request, "extend_assessment")
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
            **of_staff(request),
        )
    ):
        said = f"The attempt {attempt} can be continued until {when(attempt.finish_by_at)}."
        return _back(request, attempt, messages.SUCCESS, said)
    attempt.refresh_from_db()
    if not attempt.is_open(at):
        return _back(request, attempt, messages.WARNING, _has_ended(attempt, at))
    if form.is_outdated or attempt.finish_by_at != form.seen:
        return _back(request, attempt, messages.WARNING, _was_extended(attempt, when))
    if not form.offered:
        said = (
            f"It can be continued until {when(attempt.finish_by_at)} anyway, the latest there is."
        )
        return _back(request, attempt, messages.WARNING, said)
    return _ask(
        model_admin,
        request,
        attempt.student,
        act=EXTEND,
        says=[
            f"Now the attempt can be continued until {when(attempt.finish_by_at)}. Choose a later "
            "time; it can't be made earlier again.",
            "The student opens the same link in the same browser: it goes on at the next question.",
        ],
        form=form,
        target=attempt,
    )


@sensitive_variables("address")
def _handed_over(
    model_admin: admin.ModelAdmin[Any],
    request: HttpRequest,
    student: Student,
    link: AssessmentLink,
    address: str,
    at: datetime,
) -> HttpResponse:
    """Show the link. Nothing keeps this answer: neither we, nor a cache, nor the browser."""
    context = {
        **model_admin.admin_site.each_context(request),
        "opts": model_admin.opts,
        "title": "Hand this link to the student",
        "student": student,
        "link": link,
        "address": address,
        "until": moments(student, at)(link.expires_at),
    }
    headers = {"Cache-Control": "no-store"}
    return TemplateResponse(request, "admin/assessments/fresh_link.html", context, headers=headers)


def _attempt(model_admin: admin.ModelAdmin[Any], request: HttpRequest, pk: int) -> Assessment:
    """Return the attempt, or raise Http404."""
    attempt = model_admin.get_object(request, str(pk))
    if not isinstance(attempt, Assessment):
        raise Http404
    return attempt


def _why_none(student: Student) -> str:
    """Return why nobody could start a link of this student; "" if somebody could."""
    if student.is_erased:
        return WHY_NONE[LinkState.EXPIRED]
    return WHY_NONE[LinkState.CLOSED] if student.project.is_closed else ""


def _has_ended(attempt: Assessment, at: datetime) -> str:
    return f"Nothing was done: the attempt {attempt} has ended ({attempt.how_it_ended(at)})."


def _was_extended(attempt: Assessment, when: When) -> str:
    """Say to who comes second until when the attempt was extended, and by whom."""
    events = AuditEvent.objects.about(attempt).of_actions([EXTENDED]).with_staff_names()
    event = events.newest_first().first()
    again = f"This time nothing was done. If it needs longer, press “{WORDS[EXTEND]}” once more."
    until = f"It can be continued until {when(attempt.finish_by_at)}."
    if event is None:
        return f"The page was out of date. {until} {again}"
    given = f"More time was given while this page was open, {when(event.at)}, by {event.who}."
    return f"{given} {until} {again}"


def _require(request: HttpRequest, permission: str) -> None:
    if not request.user.has_perm(f"assessments.{permission}"):
        raise PermissionDenied


def _back(request: HttpRequest, target: models.Model, level: int, text: str) -> HttpResponse:
    messages.add_message(request, level, text)
    return HttpResponseRedirect(page_of(target))
