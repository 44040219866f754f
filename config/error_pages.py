"""Error pages for people, and the page for a form that the CSRF check refused.

Staff get pages of their own, because a student's page would send them to a link.
"""

from __future__ import annotations

import logging
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from django.conf import settings
from django.contrib import admin
from django.core.exceptions import DisallowedHost, SuspiciousOperation
from django.http import HttpRequest, HttpResponse, UnreadablePostError
from django.middleware.csrf import get_token
from django.template import loader
from django.utils.translation import get_language
from django.utils.translation import gettext_lazy as _

from assessments.student import languages
from partners.models.projects import Accent
from staff.sessions import is_staff_address

if TYPE_CHECKING:
    from django_stubs_ext import StrPromise

logger = logging.getLogger(__name__)

# A question page has about ten fields, so a larger form is not ours.
MAX_FIELDS = 40
MAX_NAME = 64
MAX_VALUE = 600

# By status, or what happened to a form: the title and the paragraphs.
FOR_STUDENTS = {
    400: (
        _("This page could not be opened"),
        _("Your browser sent something that we don't understand."),
        _("Go back, load that page again and try once more."),
        _("If it happens again, open the link that you were sent."),
    ),
    404: (
        _("This page does not exist"),
        _("Part of the address may be missing. Copy the whole of it and try again."),
        _("If it still doesn't work, ask the college or portal that sent you for a new link."),
    ),
    500: (
        _("Something went wrong on our side"),
        _("Your answers so far are saved. Wait a minute, then load this page again."),
        _("If it happens again, write to us and name this number: %(id)s"),
    ),
    "foreign": (
        _("This did not come from our page"),
        _("Another website tried to send us a form in your name. We ignored it."),
        _("To go on, open your own link. Nothing that was saved before is lost."),
    ),
    "expired": (
        _("Please press once more"),
        _("This page was open for a long time, so we check that it's still you."),
    ),
    "no cookie": (
        _("Your browser sent no cookie"),
        _(
            "It refuses cookies, or its data was cleared. Allow them for this site in its "
            "settings: we use one to know that it is still you, and for nothing else."
        ),
    ),
    503: (
        _("Please try again in some minutes"),
        _("A clock on our side is wrong, so we could not save this yet. It is not your fault."),
        _("Keep this page open and press the button in some minutes. Nothing is lost."),
    ),
}
FOR_STAFF = {
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
        "If it happens again, send this request id to the operator of this service: %(id)s",
    ),
    "foreign": (
        "This did not come from our page",
        "Another site sent this form. It was not accepted, and nothing was changed.",
    ),
    "refused": (
        "Please send the form again",
        "Nothing was saved. The page was open for too long, you have since signed in or out in "
        "another window, or your browser refuses this site's cookies.",
        "Go back in your browser, reload the page, and send the form again.",
    ),
}


def error_page(
    request: HttpRequest,
    status: int,
    kind: str = "",
    *,
    more: Sequence[StrPromise] = (),
    retry: Mapping[str, Any] | None = None,
) -> HttpResponse:
    """Render the page; `retry` is a form that sends the same answers with a fresh token.

    If its template fails, return the same words as plain text.
    """
    # Only pages of staff ask for a permission.
    is_for_staff = is_staff_address(request) or status == 403 and not kind
    title, *paragraphs = (FOR_STAFF if is_for_staff else FOR_STUDENTS)[kind or status]
    request_id = getattr(request, "request_id", "")
    paragraphs = [str(text) % {"id": request_id} for text in (*paragraphs, *more)]
    context: dict[str, Any] = {"title": title, "paragraphs": paragraphs}
    try:
        if is_for_staff:
            # After a crash, do not use session, database or user, because any of them may have
            # failed. A request refused before the session is read has no user.
            of_page = None if status == 500 else request
            is_known = of_page is not None and hasattr(request, "user")
            context["has_permission"] = is_known and admin.site.has_permission(request)
            context["is_nav_sidebar_enabled"] = False
            page = loader.render_to_string("admin/error.html", context, of_page)
        else:
            context |= {
                "page": f"error-{status}",
                "project_name": "",
                "accent": Accent.TEAL.value,
                "language": get_language(),
                "support_email": settings.SUPPORT_EMAIL,
                "retry": retry,
            }
            if retry:
                context["csrf_token"] = get_token(request)
            # Without the request, because its context processors may have failed.
            page = loader.render_to_string("error.html", context)
    except Exception:
        logger.exception("The error page itself failed.")
        text = "\n\n".join([str(title), *paragraphs, settings.SUPPORT_EMAIL])
        return HttpResponse(text, content_type="text/plain; charset=utf-8", status=status)
    return HttpResponse(page, status=status)


def csrf_page(request: HttpRequest) -> HttpResponse:
    """Explain why a form was refused, and offer a student to send it again.

    A form of staff is never repeated: it may hold a password. Nor is one from another site: it
    would send values which that site chose, and the new cookie would invalidate open forms.
    """
    if not _is_own_form(request):
        return error_page(request, 403, "foreign")
    if is_staff_address(request):
        return error_page(request, 403, "refused")
    retry = _form_again(request, _("Continue"))
    if retry:
        languages.follow_form(request)
    comfort = _("Nothing that was saved before is lost.")
    if retry and any(name == "token" for name, _value in retry["fields"]):
        comfort = _(
            "Your link still works. If this page comes back, open the link in a browser such "
            "as Chrome or Safari instead of a chat app."
        )
    kind = "expired" if settings.CSRF_COOKIE_NAME in request.COOKIES else "no cookie"
    return error_page(request, 403, kind, more=[comfort], retry=retry)


def wrong_clock(request: HttpRequest) -> HttpResponse:
    """Offer to send the form again later: it holds what could not be saved."""
    response = error_page(request, 503, retry=_form_again(request, _("Try again")))
    response.headers["Retry-After"] = "60"
    return response


def _form_again(request: HttpRequest, button: StrPromise) -> dict[str, Any] | None:
    """Return a form of the fields that were sent, but its token; None if it cannot be ours."""
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
    is_bounded = len(fields) <= MAX_FIELDS and all(
        isinstance(value, str) and len(name) <= MAX_NAME and len(value) <= MAX_VALUE
        for name, value in fields
    )
    if not is_bounded:
        return None
    return {"action": request.get_full_path(), "fields": fields, "button": button}


def _is_own_form(request: HttpRequest) -> bool:
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
