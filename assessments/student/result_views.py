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
from assessments.models.courses import Course
from assessments.models.dismissals import VisibleCourses, dismiss, restore, visible_courses
from assessments.models.links import LinkState
from assessments.models.private_links import PrivateLink
from assessments.student import pages
from assessments.student import recommended_courses as courses
from assessments.student.pages import SeeOther, address_of, page, redirect_303
from assessments.student.report import report
from measurement import explanation
from measurement.profile import Profile


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
    groups = shown_groups(attempt, visible_courses(attempt))
    shown = [course for group in groups for course in group["courses"]]
    ticked = request.GET.getlist("course")
    chosen = [course for course in shown if course["code"] in ticked]
    if not courses.FEWEST_TO_COMPARE <= len(chosen) <= courses.MOST_TO_COMPARE:
        error = {"field": "compare-ticked", "text": _("To compare, tick two or three courses.")}
        return result_page(request, attempt, errors=[error], ticked=ticked)
    return page(
        request,
        "student/compare.html",
        "compare",
        attempt,
        courses=chosen,
        rows=courses.compared(chosen),
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
    context = result_context(attempt)
    link = PrivateLink.objects.working(timezone.now()).filter(assessment=attempt).first()
    return page(
        request,
        "student/result.html",
        "result",
        attempt,
        400 if errors else 200,
        action=address_of(attempt, "result"),
        compare_url=address_of(attempt, "compare"),
        errors=errors,
        ticked=ticked,
        can_compare=sum(len(group["courses"]) for group in context["groups"])
        >= courses.FEWEST_TO_COMPARE,
        keep={
            "visible_until": attempt.result_visible_until,
            "link_until": link.expires_at if link else None,
            "link_url": address_of(attempt, "private-link"),
            "forget_url": address_of(attempt, "forget"),
        },
        **context,
    )


def result_context(attempt: Assessment, *, with_puzzles: bool = True) -> dict[str, Any]:
    """Return what pages say about the result of a completed attempt: its courses and `report`.

    Without puzzles, no reason or counterpoint of a course rests on them.
    """
    content, language = attempt.cached_bank, get_language()
    given_name, profile = attempt.given_name, attempt.profile or {}
    view = visible_courses(attempt)
    said = report(
        Profile.from_json(profile),
        attempt.recommendations or [],
        language,
        content.scoring,
        content.reference,
        content.names(language),
        given_name=given_name,
        has_norms_of_students=content.norms_from > 0,
        other_subjects=profile.get("other_subjects", []),
    )
    if view.dismissed:
        said["retake_note"] = ""  # about the stored courses
    return {
        **said,
        "given_name": given_name,
        "finished_on": attempt.completed_at,
        "groups": shown_groups(attempt, view, with_puzzles=with_puzzles),
        "dismissed": view.dismissed,
    }


def shown_groups(
    attempt: Assessment, view: VisibleCourses, *, with_puzzles: bool = True
) -> list[dict[str, Any]]:
    language = get_language()
    codes = [course["code"] for course in view.shown]
    return courses.groups(
        view.shown if with_puzzles else [explanation.without_puzzles(one) for one in view.shown],
        language,
        attempt.cached_bank.names(language),
        Course.objects.descriptions(attempt.student.project, codes, language),
    )
