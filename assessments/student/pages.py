"""Addresses of students' pages, their common context, and the pages that refuse a request."""

from collections.abc import Callable
from functools import wraps
from typing import Any

from django.conf import settings
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.shortcuts import render
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import get_language
from django.utils.translation import gettext_lazy as _

from assessments.models.answers import AttemptAnswers
from assessments.models.attempts import Attempt
from assessments.models.course_choices import asks_ideas
from assessments.models.links import LinkState
from assessments.student import cookies, languages
from partners.models import Project
from partners.models.projects import Accent

# The error of a form whose page was out of date.
CHANGED = _("This page has changed since you opened it. Read it again, then choose.")


class SeeOther(HttpResponseRedirect):
    """A redirect that the browser follows with a GET."""

    status_code = 303


def address_of(attempt: Attempt, view: str, *args: object) -> str:
    """Return the address of a page. After the attempt's end it names a language chosen since."""
    ids = (attempt.student.project.project_id, attempt.assessment_id)
    address = reverse(view, args=[*ids, *args])
    if attempt.is_open() or get_language() == languages.of_attempt(attempt):
        return address
    return f"{address}?language={get_language()}"


def redirect_303(attempt: Attempt, view: str, *args: object) -> SeeOther:
    return SeeOther(address_of(attempt, view, *args))


def needs_attempt(view: Callable[..., HttpResponse]) -> Callable[..., HttpResponse]:
    """Give a view the attempt in place of the ids, or refuse a browser without its cookie."""

    @wraps(view)
    def wrapped(
        request: HttpRequest, project_id: str, assessment_id: str, **kwargs: Any
    ) -> HttpResponse:
        attempt = cookies.attempt_of_browser(request, project_id, assessment_id)
        if attempt is None:
            return not_in_this_browser(request)
        return view(request, attempt, **kwargs)

    return wrapped


def next_url(attempt: Attempt, answers: AttemptAnswers) -> str:
    if attempt.asks_stream(answers):
        return address_of(attempt, "subjects")
    if asks_ideas(attempt, answers):
        return address_of(attempt, "ideas")
    return address_of(attempt, "question", answers.resume_position)


def redirect_to_question(attempt: Attempt) -> SeeOther:
    return SeeOther(next_url(attempt, attempt.read_answers()))


def page(
    request: HttpRequest, name: str, of: Attempt | Project | None, status: int = 200, **context: Any
) -> HttpResponse:
    """Render a template; its name is the `data-page` unless the context has `page`.

    A button of the form switches languages while the attempt is open; else links, but not on POST.
    """
    attempt = of if isinstance(of, Attempt) else None
    project = of.project if isinstance(of, Attempt) else of
    is_open = attempt is not None and attempt.is_open()
    offered: list[dict[str, str]] = []
    if is_open or request.method != "POST":
        codes = attempt.cached_bank.languages if attempt else dict(settings.LANGUAGES)
        offered = languages.choice(request, codes)
    context = {"languages": offered, "page": name.replace("_", "-")} | context
    context |= {
        "taken_by": attempt.given_name if attempt else "",
        "is_open": is_open,
        "project_name": project.name if project else "",
        "is_test": bool(project and project.is_test),
        "accent": project.accent if project else Accent.TEAL.value,
        "language": get_language(),
        "return_url": project.return_url if project else "",
        "support_email": settings.SUPPORT_EMAIL,
    }
    with timezone.override(project.time_zone if project else "UTC"):
        return render(request, f"student/{name}.html", context, status=status)


def link_unavailable(request: HttpRequest, project: Project, state: LinkState) -> HttpResponse:
    """Say why a link cannot be started, without revealing whose it is."""
    return page(request, "link_unavailable", project, 410, reason=state.value)


def not_in_this_browser(request: HttpRequest, status: int = 403) -> HttpResponse:
    return page(request, "not_in_this_browser", None, status, page=f"error-{status}")
