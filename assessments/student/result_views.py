"""The result: its page, the comparison of courses, private links, and forgetting the browser."""

from collections.abc import Callable
from datetime import datetime
from functools import wraps
from typing import Any
from urllib.parse import quote, urlencode

from django.http import HttpRequest, HttpResponse
from django.utils import timezone, translation
from django.utils.translation import get_language
from django.utils.translation import gettext as _
from django.views.decorators.debug import sensitive_variables
from django.views.decorators.http import require_http_methods

from assessments.models.attempts import Attempt
from assessments.models.course_choices import dismiss, restore, visible_courses
from assessments.models.links import LinkState
from assessments.models.private_links import WORKS_FOR, AnotherMade, NoResult, PrivateLink
from assessments.student import cookies, languages, pages
from assessments.student.link_views import read_secret, unknown_secret
from assessments.student.pages import SeeOther, address_of, page, redirect_303
from assessments.student.result_context import (
    MAX_TO_COMPARE,
    MIN_TO_COMPARE,
    compare_courses,
    describe_courses,
    describe_profile,
)


def needs_result(view: Callable[..., HttpResponse]) -> Callable[..., HttpResponse]:
    """Give a view the completed attempt in place of the ids; redirect or refuse any other."""

    @pages.needs_attempt
    @wraps(view)
    def wrapped(request: HttpRequest, attempt: Attempt) -> HttpResponse:
        attempt.refresh_from_db(fields=["profile", "recommendations", "dismissed"])
        if attempt.profile is None or attempt.recommendations is None:
            return redirect_303(attempt, "attempt")
        if timezone.now() >= attempt.result_visible_until:
            return pages.link_unavailable(request, attempt.project, LinkState.COMPLETED)
        return view(request, attempt)

    return wrapped


@require_http_methods(["GET", "HEAD", "POST"])
@needs_result
def result(request: HttpRequest, attempt: Attempt) -> HttpResponse:
    """Show the result until a week after finish-by; a POST dismisses or restores a course."""
    if request.method == "POST":
        if code := request.POST.get("dismiss"):
            dismiss(attempt, code)
        else:
            restore(attempt, request.POST.get("restore", ""))
        return SeeOther(f"{address_of(attempt, 'result')}#courses")
    return result_page(request, attempt)


@require_http_methods(["GET", "HEAD"])
@needs_result
def compare(request: HttpRequest, attempt: Attempt) -> HttpResponse:
    ticked = request.GET.getlist("course")
    chosen = [course for course in visible_courses(attempt).shown if course["code"] in ticked]
    if not MIN_TO_COMPARE <= len(chosen) <= MAX_TO_COMPARE:
        error = {"field": "compare-ticked", "text": _("To compare, tick two or three courses.")}
        return result_page(request, attempt, 400, errors=[error], ticked=ticked)
    courses = describe_courses(attempt.project, attempt.cached_bank, chosen)["courses"]
    return page(
        request,
        "compare",
        attempt,
        courses=courses,
        rows=compare_courses(courses),
        back=f"{address_of(attempt, 'result')}#courses",
    )


def result_page(
    request: HttpRequest, attempt: Attempt, status: int = 200, **context: Any
) -> HttpResponse:
    bank, courses = attempt.cached_bank, visible_courses(attempt)
    link = PrivateLink.objects.working().filter(attempt=attempt).first()
    return page(
        request,
        "result",
        attempt,
        status,
        **describe_profile(bank, attempt.profile or {}),
        **describe_courses(attempt.project, bank, courses.shown),
        dismissed=courses.dismissed,
        recommended_count=len(attempt.recommendations or []),
        unlisted=attempt.considers_unlisted,
        given_name=attempt.given_name,
        finished_on=attempt.completed_at,
        action=address_of(attempt, "result"),
        compare_url=address_of(attempt, "compare"),
        keep={
            "visible_until": attempt.result_visible_until,
            "link_until": link.expires_at if link else None,
            "link_url": address_of(attempt, "private-link"),
            "forget_url": address_of(attempt, "forget"),
        },
        **context,
    )


@require_http_methods(["GET", "HEAD", "POST"])
@needs_result
def private_link(request: HttpRequest, attempt: Attempt) -> HttpResponse:
    at = timezone.now()
    if "make" in request.POST:
        return make_private_link(request, attempt, at)
    if "end" in request.POST:
        PrivateLink.objects.end(attempt, at)
        return redirect_303(attempt, "private-link")
    return private_link_page(request, attempt, at)


@sensitive_variables("key", "address", "message")
def make_private_link(request: HttpRequest, attempt: Attempt, at: datetime) -> HttpResponse:
    """Make a link and show its address, this once: it is not stored."""
    try:
        link, key = PrivateLink.objects.make(
            attempt,
            with_puzzles="puzzles" in request.POST,
            with_ideas="ideas" in request.POST,
            seen_version=request.POST.get("link", ""),
            at=at,
        )
    except NoResult:  # erased, deleted or forgotten since
        return pages.not_in_this_browser(request)
    except AnotherMade:
        return private_link_page(request, attempt, at, is_stale=True)
    address = PrivateLink.url(attempt.project.project_id, key)
    # The address ends the line: chats and mail programs take what follows as part of it.
    says, subject = _("My result:"), _("My result")
    if attempt.recommendations:
        says, subject = _("My result, with courses to explore:"), _("My course suggestions")
    message = f"{says}\n{address}"
    mail = urlencode({"subject": subject, "body": message}, quote_via=quote)
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
    request: HttpRequest, attempt: Attempt, at: datetime, *, is_stale: bool = False
) -> HttpResponse:
    newest = attempt.private_links.first()
    return page(
        request,
        "private_link",
        attempt,
        409 if is_stale else 200,
        errors=[{"field": "make", "text": pages.CHANGED}] if is_stale else [],
        action=address_of(attempt, "private-link"),
        newest=newest,
        link=newest if newest and newest.works(at) else None,
        has_courses=bool(attempt.recommendations),
        has_ideas="considered" in (attempt.profile or {}),
        days=WORKS_FOR.days,
        visible_until=attempt.result_visible_until,
        back=address_of(attempt, "result"),
    )


@require_http_methods(["GET", "HEAD", "POST"])
def forget(request: HttpRequest, project_id: str, assessment_id: str) -> HttpResponse:
    attempt = cookies.attempt_of_browser(request, project_id, assessment_id)
    if attempt is None:
        # Already forgotten, by this form or a second tap on it.
        forgotten = assessment_id if "done" in request.GET else ""
        return page(request, "forgotten", None, forgotten=forgotten)
    if attempt.completed_at is None:
        return redirect_303(attempt, "attempt")
    if request.method == "POST":
        attempt.forget_browser()
        query = urlencode({"language": get_language(), "done": "yes"})
        response = SeeOther(f"{request.path}?{query}")
        cookies.forget(request, response, [assessment_id])
        return response
    return page(
        request,
        "forget",
        attempt,
        action=address_of(attempt, "forget"),
        has_link=PrivateLink.objects.working().filter(attempt=attempt).exists(),
        link_url=address_of(attempt, "private-link"),
        back=address_of(attempt, "result"),
    )


@require_http_methods(["POST"])
@pages.needs_attempt
def forget_others(request: HttpRequest, attempt: Attempt) -> HttpResponse:
    """Delete the cookies of all other attempts, which their links open again."""
    response = redirect_303(attempt, "attempt")
    others = cookies.held_tokens(request).keys() - {attempt.assessment_id}
    cookies.forget(request, response, others)
    return response


@sensitive_variables("key")
@require_http_methods(["GET", "HEAD"])
def private_result(request: HttpRequest, project_id: str) -> HttpResponse:
    """Show what a student shared of a result, also to robots that preview links."""
    key = read_secret(request.GET, "key")
    try:
        link = PrivateLink.objects.for_key(project_id, key)
    except PrivateLink.DoesNotExist:
        return unknown_secret(request, "key")
    attempt, bank, project = link.attempt, link.attempt.cached_bank, link.attempt.project
    project.mark_test_traffic(request.META)
    # The family reads what the student read; the page offers the other languages.
    translation.activate(languages.of_attempt(attempt, languages.asked_for(request.GET)))
    puzzles, courses = link.with_puzzles, visible_courses(attempt).shown
    response = page(
        request,
        "private_result",
        project,
        **describe_profile(
            bank, attempt.profile or {}, with_puzzles=puzzles, with_ideas=link.with_ideas
        ),
        **describe_courses(project, bank, courses, with_puzzles=puzzles),
        given_name=attempt.given_name,
        languages=languages.choice(request, bank.languages),
        until=link.expires_at,
    )
    # The address is a secret. Only forms, which this page lacks, would need a referrer.
    response.headers["Referrer-Policy"] = "no-referrer"
    response.headers["X-Robots-Tag"] = "noindex, nofollow"
    return response
