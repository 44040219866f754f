"""The stream question, asked before the first section if a course requires certain subjects."""

from __future__ import annotations

from typing import Any

from django.http import HttpRequest, HttpResponse
from django.utils import timezone
from django.utils.text import capfirst
from django.utils.translation import get_language
from django.views.decorators.http import require_http_methods

from assessments.models.answers import AttemptAnswers
from assessments.models.attempts import Assessment
from assessments.student import browser, pages
from assessments.student.attempt_views import (
    addresses,
    after_the_end,
    change_language,
    progress,
    redirect_as_json,
    refuse_late_changes,
)
from assessments.student.forms import StreamForm
from assessments.student.pages import page
from measurement.courses import STREAM_ANSWERS
from measurement.reason_wording import STREAM_ANSWER_WORDS
from measurement.wording import known_language


@require_http_methods(["GET", "HEAD", "POST"])
@redirect_as_json
@pages.needs_attempt
@refuse_late_changes
def subjects(request: HttpRequest, attempt: Assessment) -> HttpResponse:
    """Show the stream question, or store its answer, which can change while the attempt is open."""
    posted = request.method == "POST"
    at = timezone.now()
    if not attempt.is_open(at):
        return after_the_end(request, attempt)
    answers = attempt.read_answers()
    if not attempt.stream and not attempt.asks_stream(answers):
        return pages.redirect_to_question(attempt)
    if not posted:
        return subjects_page(request, attempt, answers)
    form = StreamForm(request.POST)
    if form.is_valid():
        attempt.choose_stream(form.cleaned_data["answer"], at)
    if "to-language" in request.POST:
        return change_language(request, attempt)
    if form.errors:
        return subjects_page(request, attempt, answers, str(form.errors["answer"][0]))
    return browser.refresh_cookie(request, pages.redirect_to_question(attempt), attempt, at)


def subjects_page(
    request: HttpRequest, attempt: Assessment, answers: AttemptAnswers, error: str = ""
) -> HttpResponse:
    """Render the question, as a 400 with an error.

    Its answer has no time, so after a move to another browser it is never shown again.
    """
    chosen = "" if attempt.moved_at else attempt.stream
    return page(
        request,
        "student/subjects.html",
        "question",
        attempt,
        400 if error else 200,
        questions=[question(get_language(), chosen, error)],
        errors=[{"field": "answer-1", "text": error}] if error else [],
        **addresses(attempt, 1) | {"action": pages.address_of(attempt, "subjects")},
        **progress(attempt.cached_bank.layout, 1, answers.answered_by_section),
    )


def question(language: str, chosen: str, error: str) -> dict[str, Any]:
    words = STREAM_ANSWER_WORDS[known_language(language)]
    return {
        "control": "answer",
        "error": error,
        "options": [
            {"value": value, "label": capfirst(words[value]), "checked": value == chosen}
            for value in STREAM_ANSWERS
        ],
    }
