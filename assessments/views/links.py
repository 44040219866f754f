"""From the link to the first page: what is coming, consent and start, coming back."""

from __future__ import annotations

from datetime import datetime

from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods

from assessments import browser, pages
from assessments.forms import StartForm
from assessments.models.attempts import Assessment, Status
from assessments.models.banks import ItemBank
from assessments.models.links import AssessmentLink, LinkState, LinkUnavailable, NothingToContinue
from assessments.pages import LANGUAGE, page, see
from tokens.limits import count_failure

NOTICE_VERSION = "2026-11"


@require_http_methods(["GET", "HEAD", "POST"])
def assessment(request: HttpRequest, project_id: str) -> HttpResponse:
    """Show what is coming, start it on a POST, or go on where this browser stopped."""
    if request.method == "POST":
        return start(request, project_id)
    if "token" in request.GET:
        return landing(request, project_id)
    return resume(request, project_id)


def landing(request: HttpRequest, project_id: str) -> HttpResponse:
    """Answer the link itself. Reading changes nothing: robots fetch links too."""
    link_tokens = request.GET.getlist("token")
    link_token = link_tokens[0] if len(link_tokens) == 1 else ""
    try:
        link = AssessmentLink.objects.for_token(project_id, link_token)
    except AssessmentLink.DoesNotExist:
        return unknown(request)
    at = timezone.now()
    attempt = own_attempt(request, link, link_token)
    if attempt:
        return go_on(attempt, browser.token_for(request, link_token), at)
    if link.state_at(at) != LinkState.UNUSED:
        return pages.link_unavailable(request, link.project, link.state_at(at))
    return landing_page(request, link, link_token, at)


def start(request: HttpRequest, project_id: str) -> HttpResponse:
    """Use the link in this browser, with consent, and go to the first page."""
    link_token = request.POST.get("token", "")
    try:
        link = AssessmentLink.objects.for_token(project_id, link_token)
    except AssessmentLink.DoesNotExist:
        return unknown(request)
    at = timezone.now()
    attempt = own_attempt(request, link, link_token)
    browser_token = browser.token_for(request, link_token)
    if attempt:
        return go_on(attempt, browser_token, at)
    if link.state_at(at) != LinkState.UNUSED:
        return pages.link_unavailable(request, link.project, link.state_at(at))
    form = StartForm(request.POST)
    if not form.is_valid():
        return landing_page(request, link, link_token, at, form=form, status=400)
    try:
        attempt = link.start(
            browser_token,
            consent_version=NOTICE_VERSION,
            language=LANGUAGE,
            start=form.cleaned_data["start"],
            at=at,
        )
    except LinkUnavailable as refused:
        return pages.link_unavailable(request, link.project, refused.state)
    except NothingToContinue:
        return landing_page(request, link, link_token, at, form=form, status=409)
    return go_on(attempt, browser_token, at)


def unknown(request: HttpRequest) -> HttpResponse:
    """Refuse a link that does not exist, and slow down who guesses."""
    address = request.client_address  # type: ignore[attr-defined]  # set by a middleware
    wait = count_failure(address, "links-unknown", settings.UNKNOWN_LINKS_PER_MINUTE)
    return pages.too_many_tries(request, wait) if wait else pages.unknown_link(request)


def own_attempt(request: HttpRequest, link: AssessmentLink, link_token: str) -> Assessment | None:
    """Return the link's attempt if it runs in this browser, by its cookie or by its secret."""
    attempt = link.assessment
    if attempt is None:
        return None
    held = browser.attempt_of(request, link.project.project_id)
    if held == attempt or attempt.is_in_browser(browser.token_for(request, link_token)):
        return attempt
    return None


def go_on(attempt: Assessment, browser_token: str, at: datetime) -> HttpResponse:
    """Send the browser to where its attempt stands, with the cookie that opens it."""
    response = where_it_stands(attempt, at) or see("assessment", attempt.student.project.project_id)
    if attempt.is_in_browser(browser_token):
        browser.remember(response, attempt, browser_token, at)
    return response


def landing_page(
    request: HttpRequest,
    link: AssessmentLink,
    link_token: str,
    at: datetime,
    form: StartForm | None = None,
    status: int = 200,
) -> HttpResponse:
    bank = ItemBank.cached(ItemBank.objects.current().pk)
    layout = bank.layout
    measured = Assessment.objects.recent_on(bank, at).median_duration
    earlier = link.open_attempt(at)
    return page(
        request,
        "student/landing.html",
        "landing",
        link.project,
        status,
        given_name=link.given_name,
        minutes=bank.minutes(measured),
        minutes_estimated=measured is None,
        question_count=layout.total,
        parts=[
            {"code": section.code, "title": section.title[LANGUAGE]} for section in layout.sections
        ],
        hours=link.project.finish_by_hours,
        token=link_token,
        action=reverse("assessment", args=[link.project.project_id]),
        open_attempt=earlier
        and {
            "given_name": earlier.given_name,
            "answered": earlier.answered_count,
            "total": earlier.content.layout.total,
        },
        completed_before=link.student.assessments.completed().exists(),
        errors=start_errors(form, status),
        consent_given=form is not None and "consent" in form.data,
        notice_version=NOTICE_VERSION,
    )


def start_errors(form: StartForm | None, status: int) -> list[dict[str, str]]:
    """Return what kept a start from happening, each beside its field."""
    if form is None:
        return []
    if status == 409:
        text = _("The assessment you wanted to continue has ended meanwhile. Choose again.")
        return [{"field": "start", "label": _("Start"), "text": text}]
    return [
        {"field": name, "label": name, "text": str(errors[0])}
        for name, errors in form.errors.items()
    ]


def resume(request: HttpRequest, project_id: str) -> HttpResponse:
    """Go on where this browser stopped."""
    attempt = browser.attempt_of(request, project_id)
    if attempt is None:
        held = settings.ATTEMPT_COOKIE_NAME in request.COOKIES
        return pages.not_in_this_browser(request, 403 if held else 404)
    onward = where_it_stands(attempt, timezone.now())
    if onward:
        return onward
    if attempt.abandoned_at and not attempt.was_replaced():  # left by the student
        return page(request, "student/left.html", "left", attempt.student.project)
    return pages.link_unavailable(request, attempt.student.project, LinkState.ENDED)


def where_it_stands(attempt: Assessment, at: datetime) -> HttpResponse | None:
    """Return the way to the next question or to the result; None if the attempt was abandoned."""
    project_id = attempt.student.project.project_id
    status = attempt.status_at(at)
    if status == Status.IN_PROGRESS:
        return see("question", project_id, attempt.resume_position())
    return see("result", project_id) if status == Status.COMPLETED else None
