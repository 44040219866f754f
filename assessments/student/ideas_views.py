"""The question which courses the student is already thinking of, asked before the puzzles."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import groupby
from typing import Any

from django.http import HttpRequest, HttpResponse
from django.utils import timezone
from django.views.decorators.http import require_http_methods

from assessments.models.attempts import Assessment
from assessments.models.ideas import name_ideas, offered_courses
from assessments.models.items import Item
from assessments.student import browser, pages
from assessments.student.attempt_views import (
    addresses,
    after_the_end,
    change_language,
    progress,
    redirect_as_json,
    refuse_late_changes,
)
from assessments.student.forms import IdeasForm
from assessments.student.pages import page
from measurement.considered import MOST
from measurement.courses import CourseData


@require_http_methods(["GET", "HEAD", "POST"])
@redirect_as_json
@pages.needs_attempt
@refuse_late_changes
def ideas(request: HttpRequest, attempt: Assessment) -> HttpResponse:
    """Show the question, or store its answer, which can change while the attempt is open."""
    at = timezone.now()
    if not attempt.is_open(at):
        return after_the_end(request, attempt)
    answers = attempt.read_answers()
    puzzles = attempt.cached_bank.layout.find(Item.Section.APTITUDE)
    courses = offered_courses(attempt)
    if not courses or answers.answered_count < puzzles.first - 1:
        return pages.redirect_to_question(attempt)
    form = IdeasForm(courses, request.POST if request.method == "POST" else None)
    if form.is_valid():
        name_ideas(attempt, form.cleaned_data["course"], at)
    if "to-language" in request.POST:
        return change_language(request, attempt)
    if form.is_valid():
        return browser.refresh_cookie(request, pages.redirect_to_question(attempt), attempt, at)
    # After a move to another browser, no choice made before it is shown.
    stored = [] if attempt.moved_at else attempt.considered or []
    ticked = request.POST.getlist("course") if form.is_bound else stored
    error = str(form.errors["course"][0]) if form.errors else ""
    return page(
        request,
        "student/ideas.html",
        "ideas",
        attempt,
        400 if error else 200,
        departments=departments(courses, ticked),
        most=MOST,
        error=error,
        errors=[{"field": "course-1", "text": error}] if error else [],
        **addresses(attempt, puzzles.first) | {"action": pages.address_of(attempt, "ideas")},
        **progress(attempt.cached_bank.layout, puzzles.first, answers.answered_by_section),
    )


def departments(courses: Sequence[CourseData], ticked: Sequence[str]) -> list[dict[str, Any]]:
    """Return the courses by department, in the order of each one's first course."""
    order: dict[str, int] = {}
    for course in courses:
        order.setdefault(course.department, len(order))
    ranked = sorted(enumerate(courses, 1), key=lambda row: order[row[1].department])
    return [
        {
            "name": name,
            "courses": [
                {
                    "id": f"course-{number}",
                    "code": each.code,
                    "name": each.name,
                    "ticked": each.code in ticked,
                }
                for number, each in rows
            ],
        }
        for name, rows in groupby(ranked, key=lambda row: row[1].department)
    ]
