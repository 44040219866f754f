"""Inside an attempt: section pages, question pages and leaving."""

from collections.abc import Callable, Collection, Mapping, Sequence
from datetime import datetime
from functools import wraps
from typing import Any

from django.http import Http404, HttpRequest, HttpResponse, JsonResponse
from django.utils import timezone
from django.utils.translation import get_language
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods

from assessments.models import bank_usage
from assessments.models.answers import AttemptAnswers, NotShown, ShownAnswer
from assessments.models.attempts import Attempt
from assessments.models.banks import ItemBank
from assessments.models.course_choices import asks_ideas
from assessments.models.ended import AttemptEnded, ContinuedElsewhere
from assessments.models.items import Item
from assessments.student import cookies, languages, pages
from assessments.student.forms import PageForm, describe_example
from assessments.student.pages import SeeOther, address_of, page, redirect_303
from measurement.layout import Layout, Section
from measurement.profile import enjoyed_fields, score_interests
from measurement.validity import INTERESTS, AnsweredItem


def redirect_as_json(view: Callable[..., HttpResponse]) -> Callable[..., HttpResponse]:
    """Answer scripts with `{"next": path}`, because `fetch` would follow a redirect."""

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


def inside_attempt(view: Callable[..., HttpResponse]) -> Callable[..., HttpResponse]:
    """Give a view the open attempt and the time in place of the ids, or refuse the request."""

    @require_http_methods(["GET", "HEAD", "POST"])
    @redirect_as_json
    @pages.needs_attempt
    @wraps(view)
    def wrapped(request: HttpRequest, attempt: Attempt, **kwargs: Any) -> HttpResponse:
        at = timezone.now()
        if not attempt.is_open(at):
            return after_the_end(request, attempt, kwargs.get("position"))
        try:
            response = view(request, attempt, at, **kwargs)
        except ContinuedElsewhere:
            return pages.not_in_this_browser(request)
        except AttemptEnded:
            attempt.refresh_from_db()
            return after_the_end(request, attempt, kwargs.get("position"))
        if request.method == "POST":
            held = cookies.held_tokens(request).get(attempt.assessment_id, "")
            if attempt.is_in_browser(held):  # staff may have given more time
                cookies.remember(response, attempt, held, at)
        return response

    return wrapped


@inside_attempt
def question(request: HttpRequest, attempt: Attempt, at: datetime, position: int) -> HttpResponse:
    layout = attempt.cached_bank.layout
    if not 1 <= position <= layout.total:
        raise Http404
    first = layout.section_at(position).page_first(position)
    if position != first:
        return redirect_303(attempt, "question", first)
    if request.method != "POST":
        return show(request, attempt, position)
    form = PageForm(layout, position, request.POST)
    try:
        if "to-language" in request.POST:
            return change_language(request, attempt, at, form.choices)
        if "without-pictures" in request.POST:
            attempt.replace_puzzle(position, at)
        elif "begin" not in request.POST:
            return answer(request, attempt, form, at)
        elif not asks_ideas(attempt, attempt.read_answers()):
            attempt.begin_section(position, at)
            return redirect_303(attempt, "question", position)
    except NotShown:
        pass
    return pages.redirect_to_question(attempt)


def after_the_end(request: HttpRequest, attempt: Attempt, position: int | None) -> HttpResponse:
    """Refuse a change, unless the form to leave or the unchanged last page was sent again."""
    if request.method != "POST" or ("leave" in request.POST and not attempt.completed_at):
        return redirect_303(attempt, "attempt")
    if attempt.completed_at and position == attempt.cached_bank.layout.last_page:
        shown = attempt.read_answers().visible(position)
        sent = PageForm(attempt.cached_bank.layout, position, request.POST).choices
        if all(sent.get(answer.position) == answer.choice for answer in shown):
            return redirect_303(attempt, "result")
    home_url, is_completed = address_of(attempt, "attempt"), attempt.completed_at is not None
    context = {"page": "error-409", "home_url": home_url, "is_completed": is_completed}
    return page(request, "ended", attempt, 409, **context)


def answer(request: HttpRequest, attempt: Attempt, form: PageForm, at: datetime) -> HttpResponse:
    position = form.positions[0]
    recorded = attempt.record(
        position,
        form.choices,
        at,
        is_replacement="replacement" in request.POST,
        language=languages.of_form(request, attempt),
    )
    visible = recorded.answers.visible(position)
    is_filled = all(each.is_locked or each.position in form.choices for each in visible)
    if form.errors or recorded.not_offered or not is_filled:
        # Back opens the page again, as it would not after an answer to a POST.
        return SeeOther(f"{request.path}?missing=yes")
    if recorded.next_position is None:
        return redirect_303(attempt, "result")
    aptitude = attempt.cached_bank.layout.find(Item.Section.APTITUDE)
    if recorded.next_position == aptitude.first and asks_ideas(attempt, recorded.answers):
        return redirect_303(attempt, "ideas")
    return redirect_303(attempt, "question", recorded.next_position)


def change_language(
    request: HttpRequest, attempt: Attempt, at: datetime, choices: Mapping[int, int]
) -> HttpResponse:
    """Show this page in the language of the pressed button, and store what is ticked."""
    language = languages.of_attempt(attempt, request.POST["to-language"])
    attempt.change_language(language, choices, languages.of_form(request, attempt), at)
    return SeeOther(request.path)


def show(request: HttpRequest, attempt: Attempt, position: int) -> HttpResponse:
    """Render a question page or the next section page, or redirect to what comes next."""
    answers, bank = attempt.read_answers(), attempt.cached_bank
    if shown := answers.visible(position):
        unanswered = [each.position for each in shown if each.choice is None]
        missing = unanswered if "missing" in request.GET else []
        form = PageForm(bank.layout, position, missing=missing)
        context = {
            **questions_context(form, shown, answers.choices(form.section).keys()),
            **form.summarize_missing(),
            "next_url": address_of(attempt, "attempt"),
            "back": back_url(attempt, answers, position),
        }
        status = 400 if missing else 200
        return page_inside(request, "question", attempt, answers, position, status, **context)
    if (following := pages.next_url(attempt, answers)) != request.path:
        return SeeOther(following)
    # A browser that took over sees nothing of the answers before.
    given = attempt.given() if answers.has_stage_2 and not attempt.answers_hidden_until else []
    section = bank_usage.layout(bank, timezone.now()).section_at(position)
    context = section_context(bank, section, given)
    back = back_url(attempt, answers, position)
    return page_inside(request, "section", attempt, answers, position, back=back, **context)


def section_context(
    bank: ItemBank, section: Section, given: Sequence[AnsweredItem]
) -> dict[str, Any]:
    """Return what the page says, after stage 2 the enjoyed fields, unless answers look careless."""
    language, leading = get_language(), []
    if given and section.number > bank.layout.find(Item.Section.FIELDS).number:
        profile = score_interests(bank.scoring, given)
        if INTERESTS not in profile.doubts:
            leading = enjoyed_fields(bank.scoring, profile)
    names = bank.names(language)
    return {
        "section": {
            "code": section.code,
            "title": section.title[language],
            "intro": section.intro[language],
        },
        "can_replace_pictures": bank.can_replace_pictures and section.code == Item.Section.APTITUDE,
        "enjoyed": [names[field] for field in leading],
        "question_count": section.total,
        "minutes": section.minutes,
    }


def questions_context(
    form: PageForm, shown: Sequence[ShownAnswer], given: Collection[str]
) -> dict[str, Any]:
    """Return the questions of a page; `given` has the codes of the section's items so far."""
    section, language = form.section, get_language()
    # In a browser that took over, a page begins with its first open question.
    first, last = shown[0].position, form.positions[-1]
    where = _("%(first)s to %(last)s of %(total)s")
    if first == last:
        where = _("Question %(first)s of %(total)s")
    numbers = {
        "first": section.number_of(first),
        "last": section.number_of(last),
        "total": section.total,
    }
    return {
        "section": {"code": section.code, "title": section.title[language]},
        "questions": [form.question_context(answer, language) for answer in shown],
        "where": where % numbers,
        "last": last,
        "is_locked": all(answer.is_locked for answer in shown),
        "is_replacement": shown[0].is_replacement,
        "is_replaceable": shown[0].is_replaceable,
        "example": worked_example(section, shown[0], given),
    }


def worked_example(
    section: Section, answer: ShownAnswer, given: Collection[str]
) -> dict[str, Any] | None:
    """Return the example of a puzzle's family, open at the family's first puzzle."""
    family, by_code = answer.item.scale, answer.item.bank.by_code
    others = {by_code[code].scale for code in given if code != answer.item.code}
    for content in section.examples:
        if content["family"] == family:
            is_open = not answer.is_locked and family not in others
            return {**describe_example(content, get_language()), "is_open": is_open}
    return None


def page_inside(
    request: HttpRequest,
    name: str,
    attempt: Attempt,
    answers: AttemptAnswers,
    position: int,
    status: int = 200,
    **context: Any,
) -> HttpResponse:
    layout = bank_usage.layout(attempt.cached_bank, timezone.now())
    context = {
        "action": address_of(attempt, "question", position),
        "leave_url": address_of(attempt, "leave"),
        **progress(layout, position, answers.answered_by_section),
        **context,
    }
    return page(request, name, attempt, status, **context)


def progress(layout: Layout, position: int, answered: Mapping[str, int]) -> dict[str, Any]:
    """Return progress and time left; `answered` counts answers by section code."""
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


def back_url(attempt: Attempt, answers: AttemptAnswers, position: int) -> str:
    """Return the address of the page before, or "" if it may not be shown or changed."""
    layout = attempt.cached_bank.layout
    section = layout.section_at(position)
    if answers.visible(position):
        may_go_back = section.code != "aptitude" and position != section.first
    elif section.number == 1 and attempt.stream and attempt.answers_hidden_until is None:
        return address_of(attempt, "subjects")
    elif section.code == "aptitude" and attempt.considered is not None:
        return address_of(attempt, "ideas")
    else:
        may_go_back = section.code == "fields"
    if not may_go_back:
        return ""
    before = layout.section_at(position - 1).page_first(position - 1)
    return address_of(attempt, "question", before) if answers.visible(before) else ""


@inside_attempt
def leave(request: HttpRequest, attempt: Attempt, at: datetime) -> HttpResponse:
    if "to-language" in request.POST:
        return change_language(request, attempt, at, {})
    if request.method != "POST":
        action, back = address_of(attempt, "leave"), address_of(attempt, "attempt")
        return page(request, "leave", attempt, action=action, back=back)
    if not attempt.abandon(at):
        raise AttemptEnded
    return redirect_303(attempt, "attempt")
