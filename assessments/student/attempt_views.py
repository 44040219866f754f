"""Inside an attempt: section pages, question pages, and leaving."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from datetime import datetime
from functools import wraps
from typing import Any

from django.http import Http404, HttpRequest, HttpResponse, JsonResponse
from django.utils import timezone
from django.utils.translation import get_language
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods

from assessments.models.answers import Answer, AttemptAnswers, NotShown
from assessments.models.attempts import Assessment
from assessments.models.banks import ItemBank
from assessments.models.ends import AttemptEnded, AttemptMoved
from assessments.models.ideas import asks_ideas
from assessments.models.items import Item
from assessments.student import browser, languages, pages
from assessments.student.forms import PageForm
from assessments.student.pages import SeeOther, address_of, page, redirect_303
from assessments.student.question import example
from assessments.student.report import enjoyed
from measurement.layout import Layout, Section
from measurement.profile import score_interests
from measurement.validity import Given


def redirect_as_json(view: Callable[..., HttpResponse]) -> Callable[..., HttpResponse]:
    """Answer a redirect as `{"next": path}` if the request is a POST that asks for JSON.

    The page's script sends such requests. `fetch` would follow a redirect by itself, so the next
    page would cross the network twice.
    """

    @wraps(view)
    def wrapped(request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponse:
        response = view(request, *args, **kwargs)
        asked = request.method == "POST" and request.headers.get("Accept") == "application/json"
        if not asked or not isinstance(response, SeeOther):
            return response
        as_json = JsonResponse({"next": response.url})
        as_json.cookies = response.cookies
        return as_json

    return wrapped


def refuse_late_changes(view: Callable[..., HttpResponse]) -> Callable[..., HttpResponse]:
    """Answer a change after the attempt has ended, or has moved to another browser."""

    @wraps(view)
    def wrapped(request: HttpRequest, attempt: Assessment, **kwargs: Any) -> HttpResponse:
        try:
            return view(request, attempt, **kwargs)
        except AttemptMoved:
            return pages.not_in_this_browser(request)
        except AttemptEnded:
            attempt.refresh_from_db()
            return after_the_end(request, attempt, kwargs.get("position"))

    return wrapped


@require_http_methods(["GET", "HEAD", "POST"])
@redirect_as_json
@pages.needs_attempt
@refuse_late_changes
def question(request: HttpRequest, attempt: Assessment, position: int) -> HttpResponse:
    """Show the page that begins at a position, or store its answers."""
    posted = request.method == "POST"
    at = timezone.now()
    if not attempt.is_open(at):
        return after_the_end(request, attempt, position)
    layout = attempt.cached_bank.layout
    if not 1 <= position <= layout.total:
        raise Http404
    section = layout.section_at(position)
    if position != section.page_first(position):
        return redirect_303(attempt, "question", section.page_first(position))
    if posted and "to-language" in request.POST:
        return change_language(request, attempt, page_form(attempt, position, request.POST).choices)
    try:
        if posted and "begin" in request.POST:
            attempt.begin_section(position, at)
            return redirect_303(attempt, "question", position)
        if posted and "without-pictures" in request.POST:
            attempt.replace_puzzle(position, at)
            return browser.refresh_cookie(request, pages.redirect_to_question(attempt), attempt, at)
        if posted:
            return answer(request, attempt, position, at)
    except NotShown:
        return pages.redirect_to_question(attempt)
    return show(request, attempt, section, position)


def after_the_end(
    request: HttpRequest, attempt: Assessment, position: int | None = None
) -> HttpResponse:
    """Refuse changes to an ended attempt. The last page, sent again unchanged, shows the result."""
    if request.method != "POST":
        return redirect_303(attempt, "attempt")
    if attempt.completed_at and position == attempt.cached_bank.layout.last_page:
        shown = attempt.read_answers().shown(position)
        sent = page_form(attempt, position, request.POST).choices
        if all(sent.get(answer.position) == answer.choice for answer in shown):
            return redirect_303(attempt, "result")
    return pages.ended(request, attempt)


def answer(request: HttpRequest, attempt: Assessment, position: int, at: datetime) -> HttpResponse:
    """Store the choices, then redirect to the next page, or show an incomplete page again."""
    form = page_form(attempt, position, request.POST)
    is_replacement = "replacement" in request.POST
    recorded = attempt.record(
        position,
        form.choices,
        at,
        is_replacement=is_replacement,
        language=languages.of_form(request, attempt),
    )
    form.check(recorded.answers.shown(position), recorded.not_offered)
    if form.errors:
        response = question_page(request, attempt, recorded.answers, position, form, status=400)
    elif recorded.next_position is None:
        response = redirect_303(attempt, "result")
    elif recorded.next_position == attempt.cached_bank.layout.find(Item.Section.APTITUDE).first:
        response = pages.redirect_to_question(attempt)
    else:
        response = redirect_303(attempt, "question", recorded.next_position)
    return browser.refresh_cookie(request, response, attempt, at)


def change_language(
    request: HttpRequest, attempt: Assessment, choices: Mapping[int, int] | None = None
) -> HttpResponse:
    """Show this page again in the language of the pressed button, and store what is ticked."""
    at, language = timezone.now(), languages.of_attempt(attempt, request.POST["to-language"])
    attempt.change_language(language, choices or {}, languages.of_form(request, attempt), at)
    return browser.refresh_cookie(request, SeeOther(request.path), attempt, at)


def page_form(
    attempt: Assessment, position: int, data: Mapping[str, Any] | None = None
) -> PageForm:
    return PageForm(attempt.cached_bank.layout.section_at(position), position, data)


def show(
    request: HttpRequest, attempt: Assessment, section: Section, position: int
) -> HttpResponse:
    """Render a page that was shown before or the next section page, or redirect to it."""
    answers = attempt.read_answers()
    if answers.shown(position):
        return question_page(request, attempt, answers, position, page_form(attempt, position))
    is_asked_before = attempt.asks_stream(answers) or asks_ideas(attempt, answers)
    if position != answers.resume_position or is_asked_before:
        return pages.redirect_to_question(attempt)
    return page(
        request,
        "student/section.html",
        "section",
        attempt,
        **section_context(
            attempt.cached_bank,
            section,
            # After a move, no answer given before it is shown.
            attempt.given() if answers.has_stage_2 and not attempt.moved_at else [],
        ),
        back=back_from_section(attempt, answers, section),
        **addresses(attempt, position),
        **progress(attempt.cached_bank.layout, position, answers.answered_by_section),
    )


def section_context(bank: ItemBank, section: Section, given: Sequence[Given]) -> dict[str, Any]:
    """Return what the page before a section says; `given` are the answers before it."""
    language = get_language()
    return {
        "section": {
            "code": section.code,
            "title": section.title[language],
            "intro": section.intro[language],
        },
        "can_replace_pictures": bank.can_replace_pictures and section.code == Item.Section.APTITUDE,
        "enjoyed": enjoyed_so_far(bank, section, given),
        "question_count": section.total,
        "minutes": section.minutes,
    }


def enjoyed_so_far(bank: ItemBank, section: Section, given: Sequence[Given]) -> list[str]:
    """Return the names of the fields that stand out, on pages after the second stage.

    Returns none if the answers show signs of carelessness.
    """
    if section.number <= bank.layout.find(Item.Section.FIELDS).number or not given:
        return []
    profile = score_interests(bank.scoring, given)
    if profile.confidence == "low":
        return []
    names = bank.names(get_language())
    return [names[name] for name in enjoyed(profile, bank.scoring)]


def question_page(
    request: HttpRequest,
    attempt: Assessment,
    answers: AttemptAnswers,
    position: int,
    form: PageForm,
    status: int = 200,
) -> HttpResponse:
    section = attempt.cached_bank.layout.section_at(position)
    shown = answers.shown(position)
    return page(
        request,
        "student/question.html",
        "question",
        attempt,
        status,
        **questions_context(form, shown, set(answers.choices(section))),
        **form.summary(),
        next_url=address_of(attempt, "attempt"),
        back=back_url(attempt, answers, section, position),
        **addresses(attempt, position),
        **progress(attempt.cached_bank.layout, position, answers.answered_by_section),
    )


def questions_context(
    form: PageForm, shown: Sequence[Answer], given: Collection[int]
) -> dict[str, Any]:
    """Return the questions of a page; `given` are the keys of the section's items so far."""
    section, language = form.section, get_language()
    return {
        "section": {"code": section.code, "title": section.title[language]},
        "questions": [form.question(answer, language) for answer in shown],
        "where": where(section, shown[0].position, form.positions[-1]),
        "last": form.positions[-1],
        "is_locked": all(answer.is_locked for answer in shown),
        "is_replacement": shown[0].is_replacement,
        "is_replaceable": shown[0].is_replaceable,
        "example": worked_example(section, shown[0], given),
    }


def worked_example(
    section: Section, answer: Answer, given: Collection[int]
) -> dict[str, Any] | None:
    """Return the example of a puzzle's kind. It is open before the first puzzle of the kind."""
    content = section.example_of(answer.item.scale)
    if content is None:
        return None
    items = answer.item.bank.items
    others = {items[pk].scale for pk in given if pk != answer.item_id}
    is_open = not answer.is_locked and answer.item.scale not in others
    return {**example(content, get_language()), "is_open": is_open}


def where(section: Section, first: int, last: int) -> str:
    """Say which questions of its section are on a page, in words that pages show twice."""
    numbers = {
        "first": section.number_of(first),
        "last": section.number_of(last),
        "total": section.total,
    }
    if first == last:
        return _("Question %(first)s of %(total)s") % numbers
    return _("%(first)s to %(last)s of %(total)s") % numbers


def addresses(attempt: Assessment, position: int) -> dict[str, Any]:
    return {
        "action": address_of(attempt, "question", position),
        "leave_url": address_of(attempt, "leave"),
    }


def progress(layout: Layout, position: int, answered: Mapping[str, int]) -> dict[str, Any]:
    """Return the progress by part and the time left; `answered` counts by the code of a section."""
    section = layout.section_at(position)
    numbers = {"number": section.number, "of": len(layout.sections)}
    counts = {"answered": answered[section.code], "total": section.total}
    return {
        "number": section.number,
        "bars": layout.bars(answered),
        "total": layout.total,
        "part_in_words": _("Part %(number)s of %(of)s") % numbers,
        "answered_in_words": _("%(answered)s of %(total)s answered") % counts,
        "minutes_left": layout.minutes_left(answered),
    }


def back_url(attempt: Assessment, answers: AttemptAnswers, section: Section, position: int) -> str:
    """Return the address of the page before if its answers are shown and may change, else ""."""
    if section.code == "aptitude" or position == section.first:
        return ""
    before = section.page_first(position - 1)
    return address_of(attempt, "question", before) if answers.shown(before) else ""


def back_from_section(attempt: Assessment, answers: AttemptAnswers, section: Section) -> str:
    """Return the address of the answers before a section, as `back_url` does."""
    if section.number == 1 and attempt.stream and attempt.moved_at is None:
        return address_of(attempt, "subjects")
    if section.code == "aptitude" and attempt.considered is not None:
        return address_of(attempt, "ideas")
    if section.code != "fields":
        return ""
    before = attempt.cached_bank.layout.section_at(section.first - 1)
    return back_url(attempt, answers, before, section.first)


@require_http_methods(["GET", "HEAD", "POST"])
@pages.needs_attempt
@refuse_late_changes
def leave(request: HttpRequest, attempt: Assessment) -> HttpResponse:
    if request.method == "POST" and "to-language" in request.POST:
        return change_language(request, attempt)
    if request.method == "POST":
        left = attempt.abandon()
        attempt.refresh_from_db()
        if not left and attempt.completed_at:
            return pages.ended(request, attempt)
        return redirect_303(attempt, "attempt")
    if not attempt.is_open():
        return redirect_303(attempt, "attempt")
    return page(
        request,
        "student/leave.html",
        "leave",
        attempt,
        action=address_of(attempt, "leave"),
        back=address_of(attempt, "attempt"),
    )
