"""Support actions on links and attempts: issue, close, extend, end. Each asks for confirmation."""

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
from assessments.admin.link_forms import ExtendForm, FreshLinkForm, ReasonAboutForm
from assessments.admin.link_summary import END_PRIVATE_LINK, WORDS, moments
from assessments.admin.readonly import list_of, page_of
from assessments.models import Assessment, AssessmentLink, PrivateLink, Student
from assessments.models.attempts import EXTENDED
from assessments.models.links import AnotherIssued, LinkState, LinkUnavailable
from assessments.models.students import ReasonNamesThePerson
from assessments.support.diagnosis import CLOSE, EXTEND, ISSUE
from assessments.support.timeline import When
from partners.actor_context import staff_actor
from partners.confirmation import confirmation
from partners.models import AuditEvent

# Why `issue_by_staff` refuses, by the state that it raises. The student may have changed meanwhile.
WHY_NOT = {
    LinkState.CLOSED: "The project is closed, so its links cannot be started. If the partner wants "
    "that, reopen the project first.",
    LinkState.EXPIRED: "This student was erased, so there is nobody to send a link to.",
}
View = Callable[["admin.ModelAdmin[Any]", HttpRequest, int], HttpResponse]


def report_conflicts(view: View) -> View:
    """Show a message if the row was deleted or renamed after the page was opened."""

    @wraps(view)
    def act(model_admin: admin.ModelAdmin[Any], request: HttpRequest, pk: int) -> HttpResponse:
        try:
            return view(model_admin, request, pk)
        except ReasonNamesThePerson as refusal:
            messages.error(request, f"Nothing was changed: {refusal}")
            return HttpResponseRedirect(request.path)
        except (Student.DoesNotExist, Assessment.DoesNotExist):
            gone = model_admin.opts.verbose_name
            said = f"Nothing was changed: this {gone} was deleted when its retention time ended."
            messages.warning(request, said)
            return HttpResponseRedirect(list_of(model_admin.model))

    return act


@report_conflicts
@sensitive_variables("link_token", "address")
def issue(model_admin: admin.ModelAdmin[Any], request: HttpRequest, pk: int) -> HttpResponse:
    """Ask for a reason, then issue a fresh link to a student and show it in the response.

    Raises PermissionDenied without the permission, Http404 if the student does not exist.
    """
    _require(request, "issue_link")
    student = model_admin.get_object(request, str(pk))
    if not isinstance(student, Student):
        raise Http404
    at = timezone.now()
    links = AssessmentLink.objects.of_students([student])
    latest = links.newest_of_each().first()
    newest = {"newest": latest.pk if latest else 0}
    form = FreshLinkForm(
        request.POST or None,
        student=student,
        numbers=links.numbers_for(student, at),
        initial=newest,
    )
    if form.is_valid():
        try:
            link, link_token = AssessmentLink.objects.issue_by_staff(
                student,
                mobile=form.cleaned_data.get("mobile", ""),
                newest=form.cleaned_data["newest"],
                reason=form.cleaned_data["reason"],
                at=at,
                **staff_actor(request),
            )
        except LinkUnavailable as refused:
            return _back(request, student, messages.ERROR, WHY_NOT[refused.state])
        except AnotherIssued as another:
            said = (
                f"A link was issued to this student a moment ago: {another.link}. Nothing was "
                "changed this time. If you submitted the page twice and did not copy the address, "
                f"press “{WORDS[ISSUE]}” again: an address is shown only once."
            )
            return _back(request, student, messages.WARNING, said)
        address = AssessmentLink.url(student.project, link_token)
        return _show_link(model_admin, request, student, link, address, at)
    if why := _why_not(student):
        return _back(request, student, messages.ERROR, why)
    when = moments(student, at)
    does = form.what_it_does(student.assessments.open(at).exists())
    return _ask(
        model_admin,
        request,
        student,
        act=ISSUE,
        says=[
            f"The student gets a new link. It can be started until "
            f"{when(at + student.project.start_by)}. {does}",
            "The next page shows the link once; we do not store it. Earlier links keep working.",
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
    """Show the confirmation page. It names the student, so the audit trail records that."""
    page = looked_at(f"the page “{WORDS[act]}”")
    AuditEvent.record(READ, student, reason=page, **staff_actor(request))
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


@report_conflicts
def close(model_admin: admin.ModelAdmin[Any], request: HttpRequest, pk: int) -> HttpResponse:
    """Ask for a reason, then close an open attempt.

    Raises PermissionDenied without the permission, Http404 if the attempt does not exist.
    """
    _require(request, "close_assessment")
    attempt = _attempt(model_admin, request, pk)
    form = ReasonAboutForm(request.POST or None, student=attempt.student)
    at = timezone.now()
    if form.is_valid() and attempt.close(
        reason=form.cleaned_data["reason"], at=at, **staff_actor(request)
    ):
        said = f"Attempt {attempt} is closed. A fresh link starts a new one."
        return _back(request, attempt, messages.SUCCESS, said)
    attempt.refresh_from_db()
    if not attempt.is_open(at):
        return _back(request, attempt, messages.WARNING, _has_ended(attempt, at))
    answered, total = attempt.read_answers().answered_count, attempt.content.layout.total
    return _ask(
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
            **staff_actor(request),
        )
    ):
        said = f"Attempt {attempt} can be continued until {when(attempt.finish_by_at)}."
        return _back(request, attempt, messages.SUCCESS, said)
    attempt.refresh_from_db()
    if not attempt.is_open(at):
        return _back(request, attempt, messages.WARNING, _has_ended(attempt, at))
    if form.is_outdated or attempt.finish_by_at != form.seen:
        return _back(request, attempt, messages.WARNING, _was_extended(attempt, when))
    if not form.offered:
        latest = when(attempt.finish_by_at)
        said = f"It can already be continued until {latest}, the latest possible time."
        return _back(request, attempt, messages.WARNING, said)
    return _ask(
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
    _require(request, "close_assessment")
    attempt = _attempt(model_admin, request, pk)
    form = ReasonAboutForm(request.POST or None, student=attempt.student)
    at = timezone.now()
    if form.is_valid() and PrivateLink.objects.end_by_staff(
        attempt, reason=form.cleaned_data["reason"], at=at, **staff_actor(request)
    ):
        return _back(request, attempt, messages.SUCCESS, "The private link has ended.")
    link = PrivateLink.objects.working(at).filter(assessment=attempt).first()
    if link is None:
        said = "Nothing was changed: this result has no private link that still works."
        return _back(request, attempt, messages.WARNING, said)
    return _ask(
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


@sensitive_variables("address")
def _show_link(
    model_admin: admin.ModelAdmin[Any],
    request: HttpRequest,
    student: Student,
    link: AssessmentLink,
    address: str,
    at: datetime,
) -> HttpResponse:
    """Show the link in a response that no cache and no browser may store."""
    context = {
        **model_admin.admin_site.each_context(request),
        "opts": model_admin.opts,
        "title": "Send this link to the student",
        "student": student,
        "link": link,
        "address": address,
        "until": moments(student, at)(link.expires_at),
    }
    headers = {"Cache-Control": "no-store"}
    return TemplateResponse(request, "admin/assessments/fresh_link.html", context, headers=headers)


def _attempt(model_admin: admin.ModelAdmin[Any], request: HttpRequest, pk: int) -> Assessment:
    """Return the attempt. Raises Http404 if it does not exist."""
    attempt = model_admin.get_object(request, str(pk))
    if not isinstance(attempt, Assessment):
        raise Http404
    return attempt


def _why_not(student: Student) -> str:
    """Return why a link for this student could not be started, or ""."""
    if student.is_erased:
        return WHY_NOT[LinkState.EXPIRED]
    return WHY_NOT[LinkState.CLOSED] if student.project.is_closed else ""


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


def _require(request: HttpRequest, permission: str) -> None:
    if not request.user.has_perm(f"assessments.{permission}"):
        raise PermissionDenied


def _back(request: HttpRequest, target: models.Model, level: int, text: str) -> HttpResponse:
    messages.add_message(request, level, text)
    return HttpResponseRedirect(page_of(target))
