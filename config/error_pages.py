"""Error pages for people, and the page for a form that the CSRF check refused."""

from __future__ import annotations

import logging
from collections.abc import Mapping, Sequence
from typing import Any

from django.conf import settings
from django.core.exceptions import DisallowedHost, SuspiciousOperation
from django.http import HttpRequest, HttpResponse, UnreadablePostError
from django.middleware.csrf import get_token
from django.template import loader
from django.utils.translation import get_language
from django.utils.translation import gettext as _

from assessments.student import languages
from partners.models.projects import Accent
from staff.errors import plain_page

logger = logging.getLogger(__name__)

# A question page has about ten fields, so a larger form is not ours.
MAX_FIELDS = 40
MAX_NAME = 64
MAX_VALUE = 600


def error_page(
    request: HttpRequest,
    status: int,
    title: str,
    paragraphs: Sequence[str],
    retry: Mapping[str, Any] | None = None,
) -> HttpResponse:
    """Render the page; `retry` is a form that sends the same answers with a fresh token.

    If its template fails, return the same text without styling."""
    context = {
        "page": f"error-{status}",
        "project_name": "",
        "accent": Accent.TEAL.value,
        "language": get_language(),
        "support_email": settings.SUPPORT_EMAIL,
        "title": title,
        "paragraphs": paragraphs,
        "retry": retry,
    }
    if retry:
        context["csrf_token"] = get_token(request)
    try:
        # Without the request, because its context processors may have failed.
        return HttpResponse(loader.render_to_string("error.html", context), status=status)
    except Exception:
        logger.exception("The error page itself failed.")
        return HttpResponse(plain_page(title, paragraphs), status=status)


def csrf_page(request: HttpRequest) -> HttpResponse:
    """Explain why a form was refused, and offer to send it again.

    A form from another site gets no such offer: it would send values which that site chose, and
    the new cookie would invalidate open forms. The admin has its own page.
    """
    if not is_own_form(request):
        return error_page(
            request,
            403,
            _("This did not come from our page"),
            [
                _("Another website tried to send us a form in your name. We ignored it."),
                _("To go on, open your own link. Nothing that was saved before is lost."),
            ],
        )
    fields = _posted_fields(request)
    if fields:
        languages.follow_form(request)
    if settings.CSRF_COOKIE_NAME in request.COOKIES:
        title = _("Please press once more")
        paragraphs = [
            _("This page was open for a long time, so we check that it's still you."),
        ]
    else:
        title = _("Your browser sent no cookie")
        paragraphs = [
            _(
                "It refuses cookies, or its data was cleared. Allow them for this site in its "
                "settings: we use one to know that it is still you, and for nothing else."
            )
        ]
    if fields is not None and any(name == "token" for name, _value in fields):
        paragraphs.append(
            _(
                "Your link still works. If this page comes back, open the link in a browser such "
                "as Chrome or Safari instead of a chat app."
            )
        )
    else:
        paragraphs.append(_("Nothing that was saved before is lost."))
    retry = None
    if fields is not None:
        retry = {"action": request.get_full_path(), "fields": fields, "button": _("Continue")}
    return error_page(request, 403, title, paragraphs, retry)


def wrong_clock(request: HttpRequest) -> HttpResponse:
    """Offer to send the form again later: it holds what could not be saved."""
    fields = _posted_fields(request)
    retry = {"action": request.get_full_path(), "fields": fields, "button": _("Try again")}
    response = error_page(
        request,
        503,
        _("Please try again in some minutes"),
        [
            _("A clock on our side is wrong, so we could not save this yet. It is not your fault."),
            _("Keep this page open and press the button in some minutes. Nothing is lost."),
        ],
        None if fields is None else retry,
    )
    response.headers["Retry-After"] = "60"
    return response


def _posted_fields(request: HttpRequest) -> list[tuple[str, str]] | None:
    """Return the form's fields without its token, or None if the form cannot be ours."""
    try:
        posted = request.POST.lists()
    except (SuspiciousOperation, UnreadablePostError):
        return None
    fields = [
        (name, value)
        for name, values in posted
        if name != "csrfmiddlewaretoken"
        for value in values
    ]
    bounded = len(fields) <= MAX_FIELDS and all(
        isinstance(value, str) and len(name) <= MAX_NAME and len(value) <= MAX_VALUE
        for name, value in fields
    )
    return fields if bounded else None


def is_own_form(request: HttpRequest) -> bool:
    """Return whether the browser named our origin or none. Our pages may send "null"."""
    if request.headers.get("Sec-Fetch-Site", "none").lower() not in ("none", "same-origin"):
        return False
    origin = request.headers.get("Origin", "null").lower()
    if origin in ("null", settings.APP_URL):
        return True
    try:
        host = request.get_host().lower()
    except DisallowedHost:
        return False
    # The scheme may be that of a proxy in front of us.
    return origin in (f"https://{host}", f"http://{host}")
