"""The result: its page, courses that the student removes from it, and courses side by side."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from django.http import HttpRequest, HttpResponse
from django.utils import timezone
from django.utils.translation import get_language
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods

from assessments.models.attempts import Assessment
from assessments.models.banks import ItemBank
from assessments.models.course_choices import dismiss, restore, visible_courses
from assessments.models.courses import Course
from assessments.models.links import LinkState
from assessments.models.private_links import PrivateLink
from assessments.student import pages
from assessments.student.pages import SeeOther, address_of, page, redirect_303
from assessments.student.report import (
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
def result(request: HttpRequest, attempt: Assessment) -> HttpResponse:
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
def compare(request: HttpRequest, attempt: Assessment) -> HttpResponse:
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


def result_unavailable(request: HttpRequest, attempt: Assessment) -> HttpResponse | None:
    """Return the answer for an attempt whose result can't be seen here, else None."""
    attempt.refresh_from_db(fields=["profile", "recommendations", "dismissed"])
    if attempt.profile is None or attempt.recommendations is None:
        return redirect_303(attempt, "attempt")
    if timezone.now() >= attempt.result_visible_until:
        return pages.link_unavailable(request, attempt.student.project, LinkState.FINISHED)
    return None


def result_page(
    request: HttpRequest,
    attempt: Assessment,
    context: Mapping[str, Any],
    errors: Sequence[Mapping[str, str]] = (),
    ticked: Sequence[str] = (),
) -> HttpResponse:
    """Render the page of a completed attempt, as a 400 with errors.

    `errors` are texts with the id of their field, `ticked` the codes of courses to compare.
    """
    link = PrivateLink.objects.working(timezone.now()).filter(assessment=attempt).first()
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


def attempt_result(attempt: Assessment, *, with_puzzles: bool = True) -> dict[str, Any]:
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
    descriptions = Course.objects.descriptions(project, codes, language)
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
        "groups": course_groups(told, language, names, descriptions),
        "ideas": ideas(profile, language, names, with_puzzles=with_puzzles),
        "named": [each["code"] for each in profile.get("considered", [])],
    }
