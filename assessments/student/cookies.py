"""The cookies that open attempts: an opaque token for each, in place of a session table.

A token is a hash of the CSRF cookie's secret and the link token. So a double tap on Start, or a
link opened again, finds its attempt, and a cookie planted without the link token opens nothing.
Cookie and address name the attempt, so students who share a phone continue side by side.
"""

import hashlib
from collections.abc import Collection, Iterable
from datetime import UTC, datetime, timedelta
from itertools import islice
from typing import Any

from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.utils import translation

from assessments.models.attempt_in_browser import attempt_in_browser
from assessments.models.attempts import Attempt
from assessments.models.identity import BROWSER_TOKEN
from assessments.student import languages

MAX_COOKIES = 4  # attempts in one browser, over all projects
MAX_READ = 20  # cookies of a hostile request
NEVER_WITHIN = timedelta(hours=1)
ASKED_FOR = timedelta(days=1)


def token_for(request: HttpRequest, link_token: str) -> str:
    """Return this browser's token for a link; "" without a CSRF cookie."""
    secret = request.META.get("CSRF_COOKIE", "")
    return hashlib.sha256(f"{secret}:{link_token}".encode()).hexdigest() if secret else ""


def cookie_of(assessment_id: str) -> str:
    return f"{settings.ATTEMPT_COOKIE_PREFIX}{assessment_id}"


def held_tokens(request: HttpRequest) -> dict[str, str]:
    """Return the tokens in this browser's cookies, by AssessmentId."""
    prefix = settings.ATTEMPT_COOKIE_PREFIX
    found = (
        (name.removeprefix(prefix), token)
        for name, token in request.COOKIES.items()
        if name.startswith(prefix) and BROWSER_TOKEN.fullmatch(token)
    )
    return dict(islice(found, MAX_READ))


def attempt_of_browser(request: HttpRequest, project_id: str, assessment_id: str) -> Attempt | None:
    """Return this attempt of this project if a cookie of the browser opens it, or None.

    Activates its language; after its end the form's or address's; without an attempt the form's.
    """
    attempt = attempt_in_browser(held_tokens(request).get(assessment_id, ""))
    ids = (project_id, assessment_id)
    if attempt is None or (attempt.project.project_id, attempt.assessment_id) != ids:
        languages.follow_form(request)
        return None
    attempt.project.mark_test_traffic(request.META)
    asked = [languages.asked_for(each) for each in (request.POST, request.GET)]
    wanted = [] if attempt.is_open() else asked
    translation.activate(languages.of_attempt(attempt, *wanted))
    return attempt


def attempts_to_choose(request: HttpRequest, project_id: str, at: datetime) -> list[Attempt]:
    """Return this browser's attempts of a project among which a student chooses, newest first.

    The open ones and those completed within a day, else the one that ended last within a day.
    """
    held = Attempt.objects.held_by(held_tokens(request).values()).newest_first()
    held = held.filter(student__project__project_id=project_id).select_related("student__project")
    recent = [each for each in held if each.is_open(at) or each.ends_at > at - ASKED_FOR]
    return [each for each in recent if each.is_open(at) or each.completed_at] or recent[:1]


def remember(response: HttpResponse, attempt: Attempt, browser_token: str, at: datetime) -> None:
    """Set the cookie that opens the attempt, until its result expires."""
    lifetime = attempt.result_visible_until - at
    response.set_cookie(
        cookie_of(attempt.assessment_id),
        browser_token,
        max_age=max(0, int(lifetime.total_seconds())),
        secure=settings.SECURE_COOKIES,
        httponly=True,
        samesite="Lax",
    )


def make_room(request: HttpRequest, response: HttpResponse, attempt: Attempt, at: datetime) -> None:
    """Delete cookies beyond MAX_COOKIES: ended attempts, then idle ones, none of the last hour."""
    held = {k: v for k, v in held_tokens(request).items() if k != attempt.assessment_id}
    if len(held) < MAX_COOKIES:
        return
    rows: Iterable[Any] = Attempt.objects.held_by(held.values()).with_progress()
    known = {
        each.assessment_id: (each.is_open(at), each.last_answered_at or each.started_at)
        for each in rows
    }
    never = (False, datetime.min.replace(tzinfo=UTC))  # a cookie that opens nothing
    may_leave = [name for name in held if known.get(name, never)[1] < at - NEVER_WITHIN]
    may_leave.sort(key=lambda name: known.get(name, never))
    for name in may_leave[: len(held) - MAX_COOKIES + 1]:
        response.delete_cookie(cookie_of(name), samesite="Lax")


def forget(request: HttpRequest, response: HttpResponse, forgotten: Collection[str]) -> None:
    """Delete the cookies of these attempts; with the last one, the CSRF cookie as well."""
    for assessment_id in forgotten:
        response.delete_cookie(cookie_of(assessment_id), samesite="Lax")
    if not held_tokens(request).keys() - set(forgotten):
        response.delete_cookie(settings.CSRF_COOKIE_NAME, samesite="Lax")
