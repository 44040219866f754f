"""The two questions that are not the bank's: subjects at the start, ideas before the puzzles.

Their answers can change and carry no time, so a browser that took over shows none.
"""

from datetime import datetime
from typing import Any

from django import forms
from django.http import HttpRequest, HttpResponse
from django.utils.text import capfirst
from django.utils.translation import get_language

from assessments.models.answers import AttemptAnswers
from assessments.models.attempts import Attempt
from assessments.models.course_choices import asks_unlisted, name_ideas, offered_courses
from assessments.models.items import Item
from assessments.student import pages
from assessments.student.attempt_views import change_language, inside_attempt, page_inside
from assessments.student.forms import IdeasForm, StreamForm
from measurement.courses import STREAM_ANSWERS
from measurement.recommendation import MAX_NAMED
from measurement.wording import WORDS, known_language


@inside_attempt
def subjects(request: HttpRequest, attempt: Attempt, at: datetime) -> HttpResponse:
    """Ask for the student's subjects if a course requires certain ones, or store them."""
    answers = attempt.read_answers()
    if not attempt.stream and not attempt.asks_stream(answers):
        return pages.redirect_to_question(attempt)
    form = StreamForm(request.POST if request.method == "POST" else None)
    if form.is_valid():
        attempt.choose_stream(form.cleaned_data["answer"], at)
    chosen = "" if attempt.answers_hidden_until else attempt.stream
    words = WORDS[known_language(get_language())].streams
    options = [
        {"number": n, "value": each, "label": capfirst(words[each]), "checked": each == chosen}
        for n, each in enumerate(STREAM_ANSWERS, start=1)
    ]
    context = {"options": options, "page": "question"}
    return ask_or_continue(request, attempt, at, answers, form, "subjects", 1, **context)


@inside_attempt
def ideas(request: HttpRequest, attempt: Attempt, at: datetime) -> HttpResponse:
    answers = attempt.read_answers()
    puzzles = attempt.cached_bank.layout.find(Item.Section.APTITUDE)
    courses = offered_courses(attempt)
    if not courses or answers.answered_count < puzzles.first - 1:
        return pages.redirect_to_question(attempt)
    form = IdeasForm(courses, request.POST if request.method == "POST" else None)
    if form.is_valid():
        codes, unlisted = form.cleaned_data["course"], form.cleaned_data["unlisted"]
        name_ideas(attempt, codes, at, unlisted=unlisted)
    ticked, unlisted = attempt.considered or [], bool(attempt.considers_unlisted)
    if form.is_bound:
        ticked, unlisted = request.POST.getlist("course"), "unlisted" in request.POST
    elif attempt.answers_hidden_until:
        ticked, unlisted = [], False
    departments: dict[str, list[dict[str, Any]]] = {}
    for number, course in enumerate(courses, start=1):
        departments.setdefault(course.department, []).append(
            {
                "number": number,
                "value": course.code,
                "label": course.name,
                "checked": course.code in ticked,
            }
        )
    opened = {each.department for each in courses if form.is_bound or each.code in ticked}
    context = {
        "departments": [(name, of, name in opened) for name, of in departments.items()],
        "most": MAX_NAMED,
        "asks_unlisted": asks_unlisted(attempt),
        "unlisted": unlisted,
    }
    return ask_or_continue(request, attempt, at, answers, form, "ideas", puzzles.first, **context)


def ask_or_continue(
    request: HttpRequest,
    attempt: Attempt,
    at: datetime,
    answers: AttemptAnswers,
    form: forms.Form,
    view: str,
    position: int,
    **context: Any,
) -> HttpResponse:
    if "to-language" in request.POST:
        return change_language(request, attempt, at, {})
    if form.is_valid():
        return pages.redirect_to_question(attempt)
    for field, errors in form.errors.items():
        error = str(errors[0])
        context |= {"error": error, "errors": [{"field": f"{field}-1", "text": error}]}
    status, action = 400 if form.errors else 200, pages.address_of(attempt, view)
    return page_inside(request, view, attempt, answers, position, status, action=action, **context)
