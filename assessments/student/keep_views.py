"""Keep a result: its private link and the page behind it, and let this browser forget it."""

from __future__ import annotations

from datetime import datetime
from urllib.parse import quote, urlencode

from django.http import HttpRequest, HttpResponse
from django.utils import timezone, translation
from django.utils.translation import get_language
from django.utils.translation import gettext as _
from django.views.decorators.debug import sensitive_variables
from django.views.decorators.http import require_http_methods

from assessments.models.attempts import Assessment
from assessments.models.private_links import WORKS_FOR, AnotherMade, NoResult, PrivateLink
from assessments.student import browser, languages, pages
from assessments.student.link_views import secret_of, unknown
from assessments.student.pages import SeeOther, address_of, page, redirect_303
from assessments.student.result_views import attempt_result, result_unavailable


@require_http_methods(["GET", "HEAD", "POST"])
@pages.needs_attempt
def private_link(request: HttpRequest, attempt: Assessment) -> HttpResponse:
    """Say what a private link shows and to whom; make one, or end it, on POST."""
    if unavailable := result_unavailable(request, attempt):
        return unavailable
    at = timezone.now()
    if "make" in request.POST:
        return make(request, attempt, at)
    if "end" in request.POST:
        PrivateLink.objects.end(attempt, at)
        return redirect_303(attempt, "private-link")
    return private_link_page(request, attempt, at)


@sensitive_variables("key", "address", "message")
def make(request: HttpRequest, attempt: Assessment, at: datetime) -> HttpResponse:
    """Make a link and show its address in this answer alone: it is not stored."""
    try:
        link, key = PrivateLink.objects.make(
            attempt,
            with_puzzles="puzzles" in request.POST,
            with_ideas="ideas" in request.POST,
            seen=request.POST.get("link", ""),
            at=at,
        )
    except NoResult:  # erased, deleted or forgotten meanwhile
        return pages.not_in_this_browser(request)
    except AnotherMade:
        return private_link_page(request, attempt, at, is_stale=True)
    project = attempt.student.project
    address = PrivateLink.url(project.project_id, key)
    # Alone on its line: chats and mail programs take what follows for a part of the address.
    message = f"{_('My result, with courses to explore:')}\n{address}"
    mail = urlencode({"subject": _("My course suggestions"), "body": message}, quote_via=quote)
    return page(
        request,
        "private_link_made",
        attempt,
        page="private-link",
        address=address,
        until=link.expires_at,
        with_puzzles=link.with_puzzles,
        with_ideas=link.with_ideas,
        whatsapp_url=f"https://wa.me/?{urlencode({'text': message}, quote_via=quote)}",
        mail_url=f"mailto:?{mail}",
        back=address_of(attempt, "result"),
    )


def private_link_page(
    request: HttpRequest, attempt: Assessment, at: datetime, *, is_stale: bool = False
) -> HttpResponse:
    """Render the page before a link is made; as a 409 if the one sent was out of date."""
    newest = PrivateLink.objects.newest_of(attempt)
    return page(
        request,
        "private_link",
        attempt,
        409 if is_stale else 200,
        errors=[{"field": "make", "text": pages.CHANGED}] if is_stale else [],
        action=address_of(attempt, "private-link"),
        seen=newest.version if newest else "",
        link=newest if newest and newest.works(at) else None,
        has_ended=newest is not None and not newest.works(at),
        has_ideas="considered" in (attempt.profile or {}),
        days=WORKS_FOR.days,
        visible_until=attempt.result_visible_until,
        back=address_of(attempt, "result"),
    )


@require_http_methods(["GET", "HEAD", "POST"])
def forget(request: HttpRequest, project_id: str, assessment_id: str) -> HttpResponse:
    """Say what forgetting this attempt does, do it on POST, and afterwards say that it is done."""
    attempt = browser.attempt_of_browser(request, project_id, assessment_id)
    if attempt is None:
        # A second tap finds the attempt gone.
        return page(
            request,
            "forgotten",
            None,
            forgotten=assessment_id if "done" in request.GET else "",
        )
    if attempt.completed_at is None:
        return redirect_303(attempt, "attempt")
    if request.method == "POST":
        attempt.forget_browser()
        query = urlencode({"language": get_language(), "done": "yes"})
        response = SeeOther(f"{request.path}?{query}")
        browser.forget(request, response, [assessment_id])
        return response
    return page(
        request,
        "forget",
        attempt,
        action=address_of(attempt, "forget"),
        has_link=PrivateLink.objects.working().filter(assessment=attempt).exists(),
        link_url=address_of(attempt, "private-link"),
        back=address_of(attempt, "result"),
    )


@require_http_methods(["POST"])
@pages.needs_attempt
def forget_others(request: HttpRequest, attempt: Assessment) -> HttpResponse:
    """Delete the cookies of all other attempts in this browser.

    Each opens here again by its own link.
    """
    response = redirect_303(attempt, "attempt")
    others = browser.held_tokens(request).keys() - {attempt.assessment_id}
    browser.forget(request, response, others)
    return response


@sensitive_variables("key")
@require_http_methods(["GET", "HEAD"])
def private_result(request: HttpRequest, project_id: str) -> HttpResponse:
    """Show the part of a result that its student shared. Robots may fetch it too."""
    key = secret_of(request.GET, "key")
    try:
        link = PrivateLink.objects.for_key(project_id, key)
    except PrivateLink.DoesNotExist:
        return unknown(request, "key")
    link.assessment.student.project.mark_test_traffic(request.META)
    attempt = link.assessment
    # Of the address or the browser: who reads it need not be who took the assessment.
    translation.activate(languages.of_attempt(attempt, get_language()))
    context = attempt_result(attempt, with_puzzles=link.with_puzzles)
    if not link.with_ideas:
        context |= {"ideas": [], "named": []}
    response = page(
        request,
        "private_result",
        attempt.student.project,
        languages=languages.choice(request, attempt.cached_bank.languages),
        until=link.expires_at,
        with_puzzles=link.with_puzzles,
        **context,
    )
    # The address is a secret. Without forms, nothing here needs a referrer.
    response.headers["Referrer-Policy"] = "no-referrer"
    response.headers["X-Robots-Tag"] = "noindex, nofollow"
    return response
