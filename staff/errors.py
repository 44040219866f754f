"""Error pages of the admin, each with a way back."""

from __future__ import annotations

import logging
from collections.abc import Sequence
from dataclasses import dataclass

from django.conf import settings
from django.contrib import admin
from django.contrib.auth.models import AnonymousUser, User
from django.db import DatabaseError
from django.http import HttpRequest, HttpResponse
from django.template import loader
from django.urls import NoReverseMatch, Resolver404, resolve, reverse
from django.utils.html import format_html, format_html_join
from django.utils.translation import get_language

from partners.actor_context import staff_actor
from partners.models import AuditEvent
from staff import roles

logger = logging.getLogger(__name__)

# The permissions that Django's own pages need. Our pages are named after their permission, such as
# `issue` for `issue_token`; the others need the permission to view.
_NEEDED = {"changelist": "view", "change": "view"}
# Pages whose permission differs from their name.
_EXCEPTIONS = {
    "onboard": "partners.add_partner",
    "assessments_refusedcall_changelist": "tokens.view_accesstoken",
    "assessments_refusedcall_change": "tokens.view_accesstoken",
    "partners_project_reopen": "partners.close_project",
    "assessments_figures_changelist": "partners.view_project",
    "assessments_figures_download": "partners.view_project",
    "assessments_figures_not_started": "assessments.view_assessmentlink",
    "tokens_accesstoken_cancel_links": "tokens.revoke_token",
    **{
        f"assessments_webhookendpoint_{act}": "assessments.manage_webhooks"
        for act in ("set_up", "edit", "secret", "test", "replay", "switch_off", "switch_on")
    },
    "assessments_student_correct_email": "assessments.cancel_link",
    "assessments_assessment_end_private_link": "assessments.close_assessment",
    **{
        f"assessments_course_{page}": "assessments.change_course"
        for page in ("catalogue", "load", "compare")
    },
    "assessments_itembank_make_current": "assessments.publish_itembank",
    "assessments_itembank_retire": "assessments.publish_itembank",
    "auth_user_password_change": "auth.change_user",
}


@dataclass(frozen=True)
class Way:
    """A link out of an error page."""

    address: str
    words: str


def is_staff_address(request: HttpRequest) -> bool:
    """Return whether the address belongs to the admin."""
    return request.path_info.startswith("/admin/")


def bad_request(request: HttpRequest) -> HttpResponse:
    return _page(
        request,
        400,
        "This page cannot be opened",
        [
            "The address or the form contains something that this page does not accept, such as an "
            "unknown filter or too much text.",
            "Go back in your browser, undo your last change, and try again.",
        ],
    )


def permission_denied(request: HttpRequest) -> HttpResponse:
    """Say which permission is missing and which roles have it."""
    user = getattr(request, "user", AnonymousUser())
    _note_refusal(request)
    permission = permission_for(_page_name(request), request.method or "")
    right = roles.right_of(permission)
    if right is None:
        says = ["Nobody can change this here. The service maintains these records itself."]
    elif user.has_perm(permission):
        # The user has the permission; this one object or action is closed to everybody.
        says = ["You can view this record, but your roles cannot change it."]
    else:
        says = [
            f"To open this page you need permission to {right.words}. Your account does not "
            "have it.",
            f"These roles have it: {', '.join(right.roles)}. If you need it for your work, ask "
            f"an {roles.ADMINISTRATOR} to give you one of them.",
        ]
    return _page(request, 403, "You cannot open this page", says)


def _note_refusal(request: HttpRequest) -> None:
    """Record that a signed-in user was refused. A fault of that changes no answer."""
    user = getattr(request, "user", AnonymousUser())
    if not isinstance(user, User):
        return
    reason = f"{request.method} {_page_name(request)}"
    try:
        AuditEvent.record("staff.refused", user, reason=reason, **staff_actor(request))
    except DatabaseError:
        logger.exception("A refused attempt could not be recorded.")


def page_not_found(request: HttpRequest) -> HttpResponse:
    return _page(
        request,
        404,
        "Page not found",
        [
            "The record may have been deleted or erased, or the address was cut off when it was "
            "copied.",
        ],
    )


def server_error(request: HttpRequest) -> HttpResponse:
    return _page(
        request,
        500,
        "Something went wrong on our side",
        [
            "Wait a minute and open the page again. If you were saving a change, check first "
            "whether it was saved.",
            "If it happens again, send this request id to the operator of this service: "
            f"{getattr(request, 'request_id', '')}",
        ],
    )


def form_refused(request: HttpRequest, *, is_own: bool) -> HttpResponse:
    """Explain why the CSRF check refused a form. Never repeats the form: it may hold a password."""
    if not is_own:
        says = [
            "Another site sent this form. It was not accepted, and nothing was changed.",
        ]
    elif settings.CSRF_COOKIE_NAME in request.COOKIES:
        says = [
            "Nothing was saved. The page was open for too long, or you have since signed in or "
            "out in another window.",
            "Go back in your browser, reload the page, and send the form again.",
        ]
    else:
        says = [
            "Nothing was saved. This site needs cookies. Allow them in your browser's settings.",
            "Then go back, reload the page, and send the form again.",
        ]
    title = "Please send the form again" if is_own else "This did not come from our page"
    return _page(request, 403, title, says)


def _page(request: HttpRequest, status: int, title: str, paragraphs: Sequence[str]) -> HttpResponse:
    """Render the page. If its template fails, return the same text without styling."""
    # After a crash, do not use session, database or user, because any of them may have failed.
    has_crashed = status == 500
    try:
        context = {
            "title": title,
            "paragraphs": paragraphs,
            "ways": [] if has_crashed else _ways(request),
            "has_permission": not has_crashed and _is_signed_in(request),
            "is_nav_sidebar_enabled": False,
        }
        page: str = loader.render_to_string(
            "admin/error.html", context, None if has_crashed else request
        )
    except Exception:
        logger.exception("The error page itself failed.")
        page = plain_page(title, paragraphs)
    return HttpResponse(page, status=status)


def _is_signed_in(request: HttpRequest) -> bool:
    # A request refused before the session is read has no user.
    return hasattr(request, "user") and admin.site.has_permission(request)


def _ways(request: HttpRequest) -> list[Way]:
    """Return a link to the list that the address belongs to, if the user may see it."""
    app, model, _act = _parts(_page_name(request))
    if not _is_signed_in(request) or not request.user.has_perm(f"{app}.view_{model}"):
        return []
    try:
        address = reverse(f"admin:{app}_{model}_changelist")
    except NoReverseMatch:
        return []
    return [] if address == request.path else [Way(address, "Back to the list")]


def permission_for(page: str, method: str) -> str:
    """Return the permission that a page needs. No role has it if nobody may open the page.

    Only the wording depends on it: each page checks permissions itself.
    """
    app, model, act = _parts(page)
    if act == "change" and method == "POST":
        return f"{app}.change_{model}"
    if page in _EXCEPTIONS:
        return _EXCEPTIONS[page]
    if act in {"add", "delete", *_NEEDED}:
        return f"{app}.{_NEEDED.get(act, act)}_{model}"
    named = (name for right in roles.TABLE for name in right.permissions)
    own = (name for name in named if name.startswith(f"{app}.{act}_"))
    return next(own, f"{app}.view_{model}")


def _page_name(request: HttpRequest) -> str:
    """Return the URL name of the requested page, or "" if there is none."""
    try:
        match = request.resolver_match or resolve(request.path_info)
    except Resolver404:
        return ""
    return match.url_name or ""


def _parts(page: str) -> tuple[str, str, str]:
    """Split a URL name such as `tokens_accesstoken_issue` into app, model and action."""
    parts = page.split("_", 2)
    return (parts[0], parts[1], parts[2]) if len(parts) == 3 else ("", "", "")


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
