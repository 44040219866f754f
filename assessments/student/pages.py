"""Render student pages with their common context, and the pages that refuse a request."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import wraps
from typing import Any

from django.conf import settings
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.shortcuts import render
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import get_language
from django.utils.translation import gettext as _

from assessments.models.attempts import Assessment
from assessments.models.ideas import asks_ideas
from assessments.models.links import LinkState
from assessments.student import browser, languages
from partners.models import Project
from partners.models.projects import Accent


class SeeOther(HttpResponseRedirect):
    """A redirect that the browser follows with a GET."""

    status_code = 303


def address_of(attempt: Assessment, view: str, *args: object) -> str:
    """Return the address of a page of an attempt.

    After its end it says the language, if another one was chosen than that of the attempt.
    """
    ids = (attempt.student.project.project_id, attempt.assessment_id)
    address = reverse(view, args=[*ids, *args])
    if attempt.is_open() or get_language() == languages.of_attempt(attempt):
        return address
    return f"{address}?language={get_language()}"


def redirect_303(attempt: Assessment, view: str, *args: object) -> SeeOther:
    return SeeOther(address_of(attempt, view, *args))


def needs_attempt(view: Callable[..., HttpResponse]) -> Callable[..., HttpResponse]:
    """Give a view the attempt that the address names in place of the ids.

    Refuse a browser that does not hold it.
    """

    @wraps(view)
    def wrapped(
        request: HttpRequest, project_id: str, assessment_id: str, **kwargs: Any
    ) -> HttpResponse:
        attempt = browser.attempt_of_browser(request, project_id, assessment_id)
        if attempt is None:
            return not_in_this_browser(request)
        return view(request, attempt, **kwargs)

    return wrapped


def redirect_to_question(attempt: Assessment) -> SeeOther:
    answers = attempt.read_answers()
    if attempt.asks_stream(answers):
        return redirect_303(attempt, "subjects")
    if asks_ideas(attempt, answers):
        return redirect_303(attempt, "ideas")
    return redirect_303(attempt, "question", answers.resume_position)


def page(
    request: HttpRequest,
    template: str,
    name: str,
    of: Assessment | Project | None,
    status: int = 200,
    **context: Any,
) -> HttpResponse:
    """Render a student page; `name` is its `data-page`. Pages of an attempt say whose it is.

    Each can be switched to another language: by a button of its form in an open attempt, else by a
    link, unless it is the answer to a form.
    """
    attempt = of if isinstance(of, Assessment) else None
    project = of.project if isinstance(of, Assessment) else of
    is_open = attempt is not None and attempt.is_open()
    offered: list[dict[str, str]] = []
    if is_open or request.method != "POST":
        codes = attempt.cached_bank.languages if attempt else dict(settings.LANGUAGES)
        offered = languages.choice(request, codes)
    context = {"languages": offered} | context
    context |= {
        "taken_by": attempt.given_name if attempt else "",
        "is_open": is_open,
        "page": name,
        "project_name": project.name if project else "",
        "is_test": bool(project and project.is_test),
        "accent": project.accent if project else Accent.TEAL.value,
        "language": get_language(),
        "return_url": project.return_url if project else "",
        "support_email": settings.SUPPORT_EMAIL,
    }
    with timezone.override(project.time_zone if project else "UTC"):
        return render(request, template, context, status=status)


def refusal(
    request: HttpRequest,
    status: int,
    title: str,
    paragraphs: Sequence[str],
    of: Assessment | Project | None = None,
    **context: Any,
) -> HttpResponse:
    """Render an error page that says what to do next, with the project's branding if any."""
    context |= {"title": title, "paragraphs": paragraphs}
    return page(request, "error.html", f"error-{status}", of, status, **context)


def link_unavailable(
    request: HttpRequest, project: Project | None, state: LinkState
) -> HttpResponse:
    """Say why a link cannot be started, without revealing whose it is."""
    return page(
        request,
        "student/link_unavailable.html",
        "link-unavailable",
        project,
        410,
        reason=state.value,
    )


def unknown_link(request: HttpRequest) -> HttpResponse:
    return refusal(
        request,
        404,
        _("We can't find this assessment link"),
        [
            _(
                "Open it again from the message it came in, or copy the whole link: part of it may "
                "be missing."
            ),
            _("If it still doesn't open, ask the college or portal that sent it for a new link."),
        ],
        languages=languages.choice(request, dict(settings.LANGUAGES), token=""),
    )


def unknown_private_link(request: HttpRequest) -> HttpResponse:
    return refusal(
        request,
        404,
        _("We can't find this result"),
        [
            _("Part of the address may be missing. Copy the whole of it and try again."),
            _(
                "If it still doesn't open, the link has expired or was ended. Ask the person who "
                "sent it to you."
            ),
        ],
        languages=languages.choice(request, dict(settings.LANGUAGES), key=""),
    )


def too_many_tries(request: HttpRequest, wait: int) -> HttpResponse:
    response = refusal(
        request,
        429,
        _("Please wait a minute"),
        [
            _("Then open your own link again. It still works."),
            _("Many links that don't exist were opened from here, so we pause for a minute."),
        ],
    )
    response["Retry-After"] = str(wait)
    return response


def not_in_this_browser(request: HttpRequest, status: int = 403) -> HttpResponse:
    return refusal(
        request,
        status,
        _("Your assessment isn't open in this browser"),
        [
            _(
                "You started in another browser, or its data was cleared. Open your link again "
                "where you started: every saved answer is safe."
            ),
            _(
                "If that doesn't work, ask the college or portal that sent you for a new link with "
                "the same mobile number. While the attempt is open, that link can continue it. "
                "If you have finished and made a private link, open that one."
            ),
        ],
    )


def ended(request: HttpRequest, attempt: Assessment) -> HttpResponse:
    not_finished = _(
        "This attempt was left, started again with another link, or not finished in time."
    )
    return refusal(
        request,
        409,
        _("This assessment is already finished")
        if attempt.completed_at
        else _("This assessment has ended"),
        ([] if attempt.completed_at else [not_finished])
        + [_("Nothing has changed, and your answers are kept as they were.")],
        attempt,
        home_label=_("See your result") if attempt.completed_at else _("See what you can do"),
        home_url=address_of(attempt, "attempt"),
    )
