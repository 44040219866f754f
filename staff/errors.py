"""The error pages of the staff's site: the admin's look, plain words and a way back."""

from __future__ import annotations

import logging
from collections.abc import Sequence
from dataclasses import dataclass

from django.conf import settings
from django.contrib import admin
from django.contrib.auth.models import AnonymousUser
from django.http import HttpRequest, HttpResponse
from django.template import loader
from django.urls import NoReverseMatch, Resolver404, resolve, reverse
from django.utils.html import format_html, format_html_join
from django.utils.translation import get_language

from staff import roles

logger = logging.getLogger(__name__)

# What Django's own pages of a model need; any other is named after its right, as `issue` after
# `issue_token`, or needs the right to view.
_NEEDED = {"changelist": "view", "change": "view"}
# Pages that belong to another right than their name says.
_OF_THEIR_OWN = {
    "onboard": "partners.add_partner",
    "onboarding_pack": "tokens.view_accesstoken",
    "partners_project_reopen": "partners.close_project",
    "assessments_projectday_changelist": "partners.view_project",
    "assessments_projectday_count": "partners.view_project",
    "assessments_course_catalogue": "assessments.change_course",
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
    """Say whether the address is of the staff's site, whoever asks for it."""
    return request.path_info.startswith("/admin/")


def bad_request(request: HttpRequest) -> HttpResponse:
    return _page(
        request,
        400,
        "This page could not be opened",
        [
            "The address or the form holds something that this service does not take: a filter "
            "that the list does not have, or too much text.",
            "Go back with your browser and try once more, without what you changed last.",
        ],
    )


def permission_denied(request: HttpRequest) -> HttpResponse:
    """Say which right is missing and who has it. Where nobody has it, say that."""
    user = getattr(request, "user", AnonymousUser())
    permission = permission_for(_page_name(request), request.method or "")
    right = roles.right_of(permission)
    if right is None:
        says = ["Nobody can do this here: the service itself keeps these rows."]
    elif user.has_perm(permission):
        # the page of one object, or one act, that is closed to all who share the right
        says = ["This row can be looked at, but nobody with your roles can change it."]
    else:
        says = [
            f"This page is for those who may {right.words}. Your account may not.",
            f"The roles that may: {', '.join(right.roles)}. If your work needs it, ask "
            f"somebody with the role {roles.ADMINISTRATOR} to give you one of them.",
        ]
    return _page(request, 403, "You may not open this page", says)


def page_not_found(request: HttpRequest) -> HttpResponse:
    return _page(
        request,
        404,
        "There is nothing at this address",
        [
            "What stood here may have been deleted, or erased at somebody's request, or the "
            "address was cut off when it was copied.",
        ],
    )


def server_error(request: HttpRequest) -> HttpResponse:
    return _page(
        request,
        500,
        "Something went wrong on our side",
        [
            "Wait a minute and open the page again. If you were changing something, look first "
            "whether it was saved, before you do it a second time.",
            "If it happens again, tell whoever runs this service this number: "
            f"{getattr(request, 'request_id', '')}",
        ],
    )


def form_refused(request: HttpRequest, *, is_own: bool) -> HttpResponse:
    """Explain a form that the CSRF check refused. What it held is never repeated: passwords."""
    if not is_own:
        says = [
            "Another site sent you here with a form. We have not accepted it, and nothing was "
            "changed.",
        ]
    elif settings.CSRF_COOKIE_NAME in request.COOKIES:
        says = [
            "Nothing was saved. The page had been open for too long, or you have signed in or "
            "out in another window since.",
            "Go back with your browser, reload that page, and send it again.",
        ]
    else:
        says = [
            "Nothing was saved. This site needs cookies to know that it is still you: allow them "
            "in your browser's settings.",
            "Then go back, reload that page, and send it again.",
        ]
    title = "Please send the form again" if is_own else "This did not come from our page"
    return _page(request, 403, title, says)


def _page(request: HttpRequest, status: int, title: str, paragraphs: Sequence[str]) -> HttpResponse:
    """Return the page; should its template fail, the same words without any design."""
    # After a crash nothing is asked again of what may have failed: session, database, user.
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
    # What is refused before the session is read has no user.
    return hasattr(request, "user") and admin.site.has_permission(request)


def _ways(request: HttpRequest) -> list[Way]:
    """Return the list that the address belongs to, for those who may see it."""
    app, model, _act = _parts(_page_name(request))
    if not _is_signed_in(request) or not request.user.has_perm(f"{app}.view_{model}"):
        return []
    try:
        address = reverse(f"admin:{app}_{model}_changelist")
    except NoReverseMatch:
        return []
    return [] if address == request.path else [Way(address, "Back to the list")]


def permission_for(page: str, method: str) -> str:
    """Return the permission that a page needs, by its name; no role has it if nobody may go there.

    It is for the words only: what may be done is decided by the page itself.
    """
    if page in _OF_THEIR_OWN:
        return _OF_THEIR_OWN[page]
    app, model, act = _parts(page)
    if act == "change" and method == "POST":
        return f"{app}.change_{model}"
    if act in {"add", "delete", *_NEEDED}:
        return f"{app}.{_NEEDED.get(act, act)}_{model}"
    named = (name for right in roles.TABLE for name in right.permissions)
    own = (name for name in named if name.startswith(f"{app}.{act}_"))
    return next(own, f"{app}.view_{model}")


def _page_name(request: HttpRequest) -> str:
    """Return the name of the page that was asked for; "" where the address leads to none."""
    try:
        match = request.resolver_match or resolve(request.path_info)
    except Resolver404:
        return ""
    return match.url_name or ""


def _parts(page: str) -> tuple[str, str, str]:
    """Return app, model and act of a page's name: `tokens_accesstoken_issue` has all three."""
    parts = page.split("_", 2)
    return (parts[0], parts[1], parts[2]) if len(parts) == 3 else ("", "", "")


def plain_page(title: str, paragraphs: Sequence[str]) -> str:
    """Return the words alone, for when the template is what failed."""
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
