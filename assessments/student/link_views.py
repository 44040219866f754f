"""From the link to the first page of an attempt: landing page, consent, start and return."""

from datetime import datetime
from typing import Any, Literal

from django.conf import settings
from django.http import HttpRequest, HttpResponse, QueryDict
from django.urls import reverse
from django.utils import timezone, translation
from django.utils.translation import gettext as _
from django.views.decorators.debug import sensitive_post_parameters
from django.views.decorators.http import require_http_methods

from assessments.models import bank_usage
from assessments.models.attempts import Attempt
from assessments.models.banks import ItemBank
from assessments.models.catalogue_snapshots import CatalogueSnapshot
from assessments.models.ended import End, Status
from assessments.models.identity import URL_SECRET
from assessments.models.items import Item
from assessments.models.link_events import FetchKind, LinkEvent
from assessments.models.links import (
    NOTICE_VERSION,
    AgeMissing,
    AssessmentLink,
    LinkState,
    LinkUnavailable,
    OfferChanged,
    OfferedAttempt,
    StartOptions,
)
from assessments.student import cookies, languages, pages, robots
from assessments.student.forms import AGE_FIELDS, GUARDIAN_FIELDS, StartForm
from assessments.student.pages import page, redirect_303
from partners.models import Project
from tokens.limits import count_failure


@sensitive_post_parameters("token", *GUARDIAN_FIELDS)
@require_http_methods(["GET", "HEAD", "POST"])
def assessment(request: HttpRequest, project_id: str) -> HttpResponse:
    """Show the landing page, start or resume. A GET never uses the link: robots fetch it too."""
    is_post = request.method == "POST"
    if is_post:
        languages.follow_form(request)
    elif "token" not in request.GET:
        return choose_attempt(request, project_id)
    link_token = read_secret(request.POST if is_post else request.GET, "token")
    try:
        link = AssessmentLink.objects.for_token(project_id, link_token)
    except AssessmentLink.DoesNotExist:
        return unknown_secret(request, "token")
    link.student.project.mark_test_traffic(request.META)
    at = timezone.now()
    held = cookies.held_tokens(request).values()
    options = link.start_options(cookies.token_for(request, link_token), held, at)
    if options.own_attempt is None and options.state != LinkState.UNUSED:
        return refuse(request, link, options.state, at)
    if not is_post:
        note_fetch(request, link, at)
    if options.own_attempt:
        return redirect_and_remember(request, options.own_attempt, link_token, at)
    if is_post:
        return start(request, link, link_token, options, at)
    return landing_page(request, link, link_token, options, at)


def start(
    request: HttpRequest, link: AssessmentLink, link_token: str, options: StartOptions, at: datetime
) -> HttpResponse:
    form = StartForm(request.POST, asks_age=options.asks_age(request.POST.get("start", "")))
    if not form.is_valid():
        return landing_page(request, link, link_token, options, at, form, 400)
    language = activate_chosen_language(request, ItemBank.objects.current())
    browser_token = cookies.token_for(request, link_token)
    held = cookies.held_tokens(request).values()
    posted = (request.POST.get("attempt", ""), request.POST.get("continuations", ""))
    try:
        attempt = link.start(
            browser_token,
            language=language,
            start=form.cleaned_data["start"],
            age=form.read_age(),
            held=held,
            offered_on_page=OfferedAttempt(*posted),
            at=at,
        )
    except LinkUnavailable as unavailable:
        return refuse(request, link, unavailable.state, at)
    except (OfferChanged, AgeMissing):  # what the page offered has changed since
        form.add_error("start", pages.CHANGED)
        options = link.start_options(browser_token, held, at)
        return landing_page(request, link, link_token, options, at, form, 409)
    return redirect_and_remember(request, attempt, link_token, at)


def read_secret(values: QueryDict, name: str) -> str:
    """Return a link token or key, without what chats and mail append; "" if not exactly one."""
    sent = values.getlist(name)
    match = URL_SECRET.match(sent[0]) if len(sent) == 1 else None
    return match[0] if match else ""


def note_fetch(request: HttpRequest, link: AssessmentLink, at: datetime, refusal: str = "") -> None:
    """Record the fetch; `refusal` is the state of a link that can't be started in this browser."""
    robot = robots.identify_robot(request.method or "", request.headers)
    kind = FetchKind.ROBOT if robot else FetchKind.REFUSED if refusal else FetchKind.OPENED
    LinkEvent.objects.note(link, kind, robot or refusal, at)


def refuse(
    request: HttpRequest, link: AssessmentLink, state: LinkState, at: datetime
) -> HttpResponse:
    if link.attempt:
        asked = languages.asked_for(request.GET)
        translation.activate(languages.of_attempt(link.attempt, asked))
    note_fetch(request, link, at, state.value)
    return pages.link_unavailable(request, link.project, state)


def unknown_secret(request: HttpRequest, name: Literal["token", "key"]) -> HttpResponse:
    """Refuse an unknown link token or key of a private link, and limit the rate of guesses."""
    address = request.client_address  # type: ignore[attr-defined]  # set by a middleware
    wait = count_failure(address, "links-unknown", settings.UNKNOWN_LINKS_PER_MINUTE)
    if wait:
        response = page(request, "too_many_tries", None, 429, page="error-429")
        response["Retry-After"] = str(wait)
        return response
    template = "unknown_link" if name == "token" else "unknown_result"
    choice = languages.choice(request, dict(settings.LANGUAGES), **{name: ""})
    return page(request, template, None, 404, page="error-404", languages=choice)


def redirect_and_remember(
    request: HttpRequest, attempt: Attempt, link_token: str, at: datetime
) -> HttpResponse:
    response = redirect_to_progress(attempt, at) or redirect_303(attempt, "attempt")
    browser_token = cookies.token_for(request, link_token)
    if attempt.is_in_browser(browser_token):
        cookies.remember(response, attempt, browser_token, at)
        cookies.make_room(request, response, attempt, at)
    return response


def landing_page(
    request: HttpRequest,
    link: AssessmentLink,
    link_token: str,
    options: StartOptions,
    at: datetime,
    form: StartForm | None = None,
    status: int = 200,
) -> HttpResponse:
    """Render the landing page; `form` is a refused one."""
    bank = ItemBank.objects.current()
    project, open_attempt = link.project, options.offered
    language = activate_chosen_language(request, bank, open_attempt)
    held = cookies.held_tokens(request).values()
    problems = {name: texts[0] for name, texts in form.errors.items()} if form else {}
    return page(
        request,
        "landing",
        project,
        status,
        **landing_context(project, bank, language, at),
        given_name=link.given_name,
        # The longer of the two: the student may continue or start again.
        months=max(project.retention_months, open_attempt.retention_months if open_attempt else 0),
        token=link_token,
        action=reverse("assessment", args=[project.project_id]),
        languages=languages.choice(request, bank.languages, token=link_token),
        open_attempt=open_attempt
        and {
            "is_held": options.is_held,
            "as_posted": options.as_posted,
            "answered": open_attempt.read_answers().answered_count,
            "total": open_attempt.cached_bank.layout.total,
        },
        # With an open attempt the page does not mention it.
        completed_before=open_attempt is None and link.completed_before(held),
        errors=[{"field": name, "text": text} for name, text in problems.items()],
        problems=problems,
        typed={name: form.data.get(name, "") if form else "" for name in ("consent", *AGE_FIELDS)},
    )


def landing_context(
    project: Project, bank: ItemBank, language: str, at: datetime
) -> dict[str, Any]:
    """Return the part of the landing page's context that is the same for all students."""
    layout = bank_usage.layout(bank, at)
    puzzles = layout.find(Item.Section.APTITUDE)
    courses = CatalogueSnapshot.objects.count_current(project)
    return {
        "heading": _("Find courses that suit you") if courses else _("Find out what you enjoy"),
        "minutes": layout.minutes,
        "taps": layout.total - puzzles.total,
        "tap_minutes": layout.minutes - puzzles.minutes,
        "puzzles": puzzles.total,
        "puzzle_minutes": puzzles.minutes,
        "course_count": min(project.recommendation_count, courses),
        "minutes_estimated": layout == bank.layout,
        "question_count": layout.total,
        "parts": [
            {"code": section.code, "title": section.title[language]} for section in layout.sections
        ],
        "hours": project.finish_by_hours,
        "asks_age": project.asks_age,
        "notice_version": NOTICE_VERSION,
    }


def activate_chosen_language(
    request: HttpRequest, bank: ItemBank, earlier: Attempt | None = None
) -> str:
    """Activate the language that form or address name, else that of `earlier` or the browser."""
    language = languages.best(
        bank.languages,
        languages.asked_for(request.POST),
        languages.asked_for(request.GET),
        earlier.language if earlier else None,
        translation.get_language(),
    )
    translation.activate(language)
    return language


def choose_attempt(request: HttpRequest, project_id: str) -> HttpResponse:
    """Redirect to this browser's attempt; if it has several, ask which."""
    at = timezone.now()
    attempts = cookies.attempts_to_choose(request, project_id, at)
    if not attempts:
        return pages.not_in_this_browser(request, 403 if cookies.held_tokens(request) else 404)
    if len(attempts) == 1:
        return redirect_303(attempts[0], "attempt")
    return page(
        request,
        "choose",
        attempts[0].student.project,
        attempts=[
            {
                "given_name": each.given_name,
                "is_open": each.is_open(at),
                "id": each.assessment_id,
                "url": pages.address_of(each, "attempt"),
                "forget_others_url": pages.address_of(each, "forget-others"),
                "answered": each.read_answers().answered_count,
                "total": each.cached_bank.layout.total,
            }
            for each in attempts
        ],
    )


@require_http_methods(["GET", "HEAD"])
@pages.needs_attempt
def resume(request: HttpRequest, attempt: Attempt) -> HttpResponse:
    if redirect := redirect_to_progress(attempt, timezone.now()):
        return redirect
    ended = Attempt.objects.with_end().get(pk=attempt.pk)
    if ended.kind_of_end() == End.LEFT:
        return page(request, "left", attempt)
    return pages.link_unavailable(request, attempt.student.project, LinkState.ABANDONED)


def redirect_to_progress(attempt: Attempt, at: datetime) -> HttpResponse | None:
    """Redirect to the next question or the result. Return None if the attempt was abandoned."""
    status = attempt.status_at(at)
    if status == Status.IN_PROGRESS:
        return pages.redirect_to_question(attempt)
    return redirect_303(attempt, "result") if status == Status.COMPLETED else None
