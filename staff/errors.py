"""Error pages of the admin, each with a way back."""

from __future__ import annotations

import logging
from collections.abc import Sequence

from django.conf import settings
from django.contrib import admin
from django.contrib.auth.models import User
from django.db import DatabaseError
from django.http import HttpRequest, HttpResponse
from django.template import loader
from django.utils.html import format_html, format_html_join
from django.utils.translation import get_language

from partners.models import AuditEvent
from partners.models.audit import staff_actor

logger = logging.getLogger(__name__)

# Title and paragraphs.
TEXTS = {
    400: (
        "This page cannot be opened",
        "The address or the form contains something that this page does not accept, such as an "
        "unknown filter or too much text.",
        "Go back in your browser, undo your last change, and try again.",
    ),
    403: (
        "You cannot open this page",
        "Your account does not have the permission that this page needs, or nobody can change "
        "this record here.",
        "If you need it for your work, ask an Administrator to give you a role that has it.",
    ),
    404: (
        "Page not found",
        "The record may have been deleted or erased, or the address was cut off when it was "
        "copied.",
    ),
    500: (
        "Something went wrong on our side",
        "Wait a minute and open the page again. If you were saving a change, check first "
        "whether it was saved.",
        "If it happens again, send this request id to the operator of this service:",
    ),
}


def is_staff_address(request: HttpRequest) -> bool:
    return request.path_info.startswith("/admin/")


def permission_denied(request: HttpRequest) -> HttpResponse:
    """Explain the refusal, and record it. A fault of the record changes no answer."""
    user = getattr(request, "user", None)
    if isinstance(user, User):
        reason = f"{request.method} {request.resolver_match and request.resolver_match.url_name}"
        try:
            AuditEvent.record("staff.refused", user, reason=reason, **staff_actor(request))
        except DatabaseError:
            logger.exception("A refused attempt could not be recorded.")
    return error_page(request, 403)


def error_page(request: HttpRequest, status: int) -> HttpResponse:
    title, *paragraphs = TEXTS[status]
    if status == 500:
        paragraphs[-1] += f" {getattr(request, 'request_id', '')}"
    return _page(request, status, title, paragraphs)


def form_refused(request: HttpRequest, *, is_own: bool) -> HttpResponse:
    """Explain why the CSRF check refused a form. Never repeats the form: it may hold a password."""
    if not is_own:
        says = ["Another site sent this form. It was not accepted, and nothing was changed."]
        return _page(request, 403, "This did not come from our page", says)
    says = [
        "Nothing was saved. The page was open for too long, you have since signed in or out in "
        "another window, or your browser refuses this site's cookies.",
        "Go back in your browser, reload the page, and send the form again.",
    ]
    return _page(request, 403, "Please send the form again", says)


def _page(request: HttpRequest, status: int, title: str, paragraphs: Sequence[str]) -> HttpResponse:
    """Render the page. If its template fails, return the same text without styling."""
    # After a crash, do not use session, database or user, because any of them may have failed. A
    # request refused before the session is read has no user.
    has_crashed = status == 500
    is_known = not has_crashed and hasattr(request, "user")
    try:
        context = {
            "title": title,
            "paragraphs": paragraphs,
            "has_permission": is_known and admin.site.has_permission(request),
            "is_nav_sidebar_enabled": False,
        }
        page: str = loader.render_to_string(
            "admin/error.html", context, None if has_crashed else request
        )
    except Exception:
        logger.exception("The error page itself failed.")
        page = plain_page(title, paragraphs)
    return HttpResponse(page, status=status)


def plain_page(title: str, paragraphs: Sequence[str]) -> str:
    """Return the text without styling, for when the template itself fails."""
    return format_html(
        '<!doctype html><html lang="{}"><head><meta charset="utf-8">'
        '<meta name="viewport" content="width=device-width"><title>{}</title></head>'
        "<body><main><h1>{}</h1>{}<p>{}</p></main></body></html>",
        get_language(),
        title,
        title,
        format_html_join("", "<p>{}</p>", ((text,) for text in paragraphs)),
        settings.SUPPORT_EMAIL,
    )
