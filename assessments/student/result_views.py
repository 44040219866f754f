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
    return result_page(request, attempt)


@require_http_methods(["GET", "HEAD"])
@pages.needs_attempt
def compare(request: HttpRequest, attempt: Assessment) -> HttpResponse:
    if unavailable := result_unavailable(request, attempt):
        return unavailable
    recommended = visible_courses(attempt).shown
    groups = shown_groups(attempt.project, attempt.cached_bank, recommended)
    shown = [course for group in groups for course in group["courses"]]
    ticked = request.GET.getlist("course")
    chosen = [course for course in shown if course["code"] in ticked]
    if not FEWEST_TO_COMPARE <= len(chosen) <= MOST_TO_COMPARE:
        error = {"field": "compare-ticked", "text": _("To compare, tick two or three courses.")}
        return result_page(request, attempt, errors=[error], ticked=ticked)
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
    project = attempt.student.project
    if attempt.profile is None or attempt.recommendations is None:
        return redirect_303(attempt, "attempt")
    if timezone.now() >= attempt.result_visible_until:
        return pages.link_unavailable(request, project, LinkState.FINISHED)
    return None


def result_page(
    request: HttpRequest,
    attempt: Assessment,
    errors: Sequence[Mapping[str, str]] = (),
    ticked: Sequence[str] = (),
) -> HttpResponse:
    """Render the page of a completed attempt, as a 400 with errors.

    `errors` are texts with the id of their field, `ticked` the codes of courses to compare.
    """
    context = attempt_result(attempt)
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
        can_compare=sum(len(group["courses"]) for group in context["groups"]) >= FEWEST_TO_COMPARE,
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
    view = visible_courses(attempt)
    said = result_context(
        attempt.student.project,
        attempt.cached_bank,
        attempt.profile or {},
        attempt.recommendations or [],
        attempt.given_name,
        shown=view.shown,
        with_puzzles=with_puzzles,
    )
    return {**said, "finished_on": attempt.completed_at, "dismissed": view.dismissed}


def result_context(
    project: Project,
    bank: ItemBank,
    profile: Mapping[str, Any],
    recommended: Sequence[Mapping[str, Any]],
    given_name: str,
    *,
    shown: Sequence[Mapping[str, Any]] | None = None,
    with_puzzles: bool = True,
) -> dict[str, Any]:
    """Return what pages say about a result: its courses and `report`.

    `profile` and the `recommended` courses are as an attempt stores them; `shown` are the courses
    to show if they are others. Without puzzles, no reason or counterpoint of a course rests on
    them.
    """
    language, shown = get_language(), recommended if shown is None else shown
    names = bank.names(language)
    said = report(
        Profile.from_json(profile),
        language,
        bank.scoring,
        bank.reference,
        names,
        profile.get("other_subjects", []),
        bank.answers_to_statements(language),
    )
    return {
        **said,
        "given_name": given_name,
        "question_count": bank.layout.total,
        "has_norms_of_students": bank.norms_from > 0,
        "recommended_count": len(recommended),
        "course_count": len(shown),
        "groups": shown_groups(project, bank, shown, with_puzzles=with_puzzles),
        "ideas": ideas(profile, language, names, with_puzzles=with_puzzles),
        "named": [each["code"] for each in profile.get("considered", [])],
    }


def shown_groups(
    project: Project,
    bank: ItemBank,
    recommended: Sequence[Mapping[str, Any]],
    *,
    with_puzzles: bool = True,
) -> list[dict[str, Any]]:
    language = get_language()
    return course_groups(
        recommended if with_puzzles else [explanation.without_puzzles(one) for one in recommended],
        language,
        bank.names(language),
        Course.objects.descriptions(project, [each["code"] for each in recommended], language),
    )
