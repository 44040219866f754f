"""The result: its page, courses side by side, its private link, and forgetting the browser."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any
from urllib.parse import quote, urlencode

from django.http import HttpRequest, HttpResponse
from django.utils import timezone, translation
from django.utils.translation import get_language
from django.utils.translation import gettext as _
from django.views.decorators.debug import sensitive_variables
from django.views.decorators.http import require_http_methods

from assessments.models.attempts import Attempt
from assessments.models.banks import ItemBank
from assessments.models.course_choices import dismiss, restore, visible_courses
from assessments.models.links import LinkState
from assessments.models.private_links import WORKS_FOR, AnotherMade, NoResult, PrivateLink
from assessments.student import cookies, languages, pages
from assessments.student.link_views import secret_of, unknown_secret
from assessments.student.pages import SeeOther, address_of, page, redirect_303
from assessments.student.result_context import (
    FEWEST_TO_COMPARE,
    MOST_TO_COMPARE,
    compared,
    course_groups,
    ideas,
    report,
)
from measurement import explanation
from measurement.profile import Profile
from partners.models import Project


@require_http_methods(["GET", "HEAD", "POST"])
@pages.needs_attempt
def result(request: HttpRequest, attempt: Attempt) -> HttpResponse:
    """Show the result, until a week after finish-by; remove a course or bring one back on POST."""
    if unavailable := result_unavailable(request, attempt):
        return unavailable
    if request.method == "POST":
        if code := request.POST.get("dismiss"):
            dismiss(attempt, code)
        else:
            restore(attempt, request.POST.get("restore", ""))
        return SeeOther(f"{address_of(attempt, 'result')}#courses")
    return result_page(request, attempt, attempt_result(attempt))


@require_http_methods(["GET", "HEAD"])
@pages.needs_attempt
def compare(request: HttpRequest, attempt: Attempt) -> HttpResponse:
    if unavailable := result_unavailable(request, attempt):
        return unavailable
    context, ticked = attempt_result(attempt), request.GET.getlist("course")
    shown = [course for group in context["groups"] for course in group["courses"]]
    chosen = [course for course in shown if course["code"] in ticked]
    if not FEWEST_TO_COMPARE <= len(chosen) <= MOST_TO_COMPARE:
        error = {"field": "compare-ticked", "text": _("To compare, tick two or three courses.")}
        return result_page(request, attempt, context, [error], ticked)
    return page(
        request,
        "compare",
        attempt,
        courses=chosen,
        rows=compared(chosen),
        back=f"{address_of(attempt, 'result')}#courses",
    )


def result_unavailable(request: HttpRequest, attempt: Attempt) -> HttpResponse | None:
    """Return the answer for an attempt whose result can't be seen here, else None."""
    attempt.refresh_from_db(fields=["profile", "recommendations", "dismissed"])
    if attempt.profile is None or attempt.recommendations is None:
        return redirect_303(attempt, "attempt")
    if timezone.now() >= attempt.result_visible_until:
        return pages.link_unavailable(request, attempt.student.project, LinkState.FINISHED)
    return None


def result_page(
    request: HttpRequest,
    attempt: Attempt,
    context: Mapping[str, Any],
    errors: Sequence[Mapping[str, str]] = (),
    ticked: Sequence[str] = (),
) -> HttpResponse:
    """Render the page, as a 400 with errors; `ticked` are the codes of courses to compare."""
    link = PrivateLink.objects.working(timezone.now()).filter(attempt=attempt).first()
    return page(
        request,
        "result",
        attempt,
        400 if errors else 200,
        action=address_of(attempt, "result"),
        compare_url=address_of(attempt, "compare"),
        errors=errors,
        ticked=ticked,
        can_compare=context["course_count"] >= FEWEST_TO_COMPARE,
        keep={
            "visible_until": attempt.result_visible_until,
            "link_until": link.expires_at if link else None,
            "link_url": address_of(attempt, "private-link"),
            "forget_url": address_of(attempt, "forget"),
        },
        **context,
    )


def attempt_result(attempt: Attempt, *, with_puzzles: bool = True) -> dict[str, Any]:
    """Return what pages say about the result of a completed attempt, as `result_context` does."""
    view, bank, name = visible_courses(attempt), attempt.cached_bank, attempt.given_name
    said = result_context(
        attempt.student.project, bank, attempt.profile or {}, view.shown, name, with_puzzles
    )
    return {
        **said,
        "recommended_count": len(attempt.recommendations or []),
        "finished_on": attempt.completed_at,
        "dismissed": view.dismissed,
    }


def result_context(
    project: Project,
    bank: ItemBank,
    profile: Mapping[str, Any],
    courses: Sequence[Mapping[str, Any]],
    given_name: str,
    with_puzzles: bool = True,
) -> dict[str, Any]:
    """Return what pages say about a result: `report`, and the courses to show.

    `profile` and `courses` are as an attempt stores them. Without puzzles, no reason or
    counterpoint of a course rests on them.
    """
    language, codes = get_language(), [each["code"] for each in courses]
    names = bank.names(language)
    described = {course.code: course for course in project.courses.filter(code__in=codes)}
    said = report(
        Profile.from_json(profile),
        language,
        bank.scoring,
        bank.reference,
        names,
        profile.get("other_subjects", []),
        bank.answers_to_statements(language),
    )
    told = courses if with_puzzles else [explanation.without_puzzles(each) for each in courses]
    return {
        **said,
        "given_name": given_name,
        "question_count": bank.layout.total,
        "has_norms_of_students": bank.norms_from > 0,
        "recommended_count": len(courses),
        "course_count": len(courses),
        "groups": course_groups(told, language, names, described),
        "ideas": ideas(profile, language, names, with_puzzles=with_puzzles),
        "named": [each["code"] for each in profile.get("considered", [])],
    }


@require_http_methods(["GET", "HEAD", "POST"])
@pages.needs_attempt
def private_link(request: HttpRequest, attempt: Attempt) -> HttpResponse:
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
def make(request: HttpRequest, attempt: Attempt, at: datetime) -> HttpResponse:
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
    request: HttpRequest, attempt: Attempt, at: datetime, *, is_stale: bool = False
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
    attempt = cookies.attempt_of_browser(request, project_id, assessment_id)
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
    """Delete the cookies of all other attempts; each opens here again by its own link."""
    response = redirect_303(attempt, "attempt")
    others = cookies.held_tokens(request).keys() - {attempt.assessment_id}
    cookies.forget(request, response, others)
    return response


@sensitive_variables("key")
@require_http_methods(["GET", "HEAD"])
def private_result(request: HttpRequest, project_id: str) -> HttpResponse:
    """Show the part of a result that its student shared. Robots may fetch it too."""
    key = secret_of(request.GET, "key")
    try:
        link = PrivateLink.objects.for_key(project_id, key)
    except PrivateLink.DoesNotExist:
        return unknown_secret(request, "key")
    link.attempt.student.project.mark_test_traffic(request.META)
    attempt = link.attempt
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
