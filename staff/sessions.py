"""Sessions of staff: Django's middleware for the admin alone, and when a session ends.

Students and partners have no session, user or messages, and their requests do not pay for them.
The classes remain subclasses of Django's, which the admin's system checks look for in MIDDLEWARE.
"""

import re
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from typing import Any, cast

from django.conf import settings
from django.contrib import auth
from django.contrib.auth import middleware as auth_middleware
from django.contrib.auth.models import User
from django.contrib.messages import middleware as messages
from django.contrib.sessions import middleware as sessions
from django.contrib.sessions.models import Session
from django.db import transaction
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect, JsonResponse
from django.http.response import HttpResponseBase
from django.middleware.csrf import get_token
from django.urls import reverse
from django.utils import timezone
from django_otp import middleware as otp

from partners.models import AuditEvent, staff_actor
from partners.times import DEFAULT_ZONE

GetResponse = Callable[[HttpRequest], HttpResponseBase]

IDLE = timedelta(minutes=30)
ABSOLUTE = timedelta(hours=12)
# Saves a write per request. An idle session may end up to a minute early, never late.
NOTED_EVERY = timedelta(minutes=1)

SIGNED_IN_AT = "staff_signed_in_at"
SEEN_AT = "staff_seen_at"
_SESSION_KEY = re.compile(r"[a-z0-9]{32}")

# Pages that open after a session has ended.
WITHOUT_SESSION = ("admin:login", "admin:logout", "admin:choose_password")

# The sign-in page's message about the end of a session; the key is in its address.
END_MESSAGES = {
    "idle": f"You were signed out after {IDLE // timedelta(minutes=1)} minutes without activity.",
    "day": f"You were signed out {ABSOLUTE // timedelta(hours=1)} hours after signing in.",
    "out": "You have signed out.",
    "password": "Your password is set. Sign in with it.",
}


def is_staff_address(request: HttpRequest) -> bool:
    return request.path_info.startswith("/admin/")


class ForStaff:
    """Mixin for a middleware class: skip it for requests outside the admin."""

    def __call__(self, request: HttpRequest) -> Any:
        if is_staff_address(request):
            return super().__call__(request)  # type: ignore[misc]  # MiddlewareMixin's
        return self.get_response(request)  # type: ignore[attr-defined]  # likewise


class SessionMiddleware(ForStaff, sessions.SessionMiddleware):
    def process_request(self, request: HttpRequest) -> None:
        # Django makes no such key, and a NUL in it would fail in the database.
        if not _SESSION_KEY.fullmatch(request.COOKIES.get(settings.SESSION_COOKIE_NAME, "")):
            request.COOKIES.pop(settings.SESSION_COOKIE_NAME, None)
        super().process_request(request)


class AuthenticationMiddleware(ForStaff, auth_middleware.AuthenticationMiddleware):
    pass


class OTPMiddleware(ForStaff, otp.OTPMiddleware):  # type: ignore[misc]  # it has no types
    pass


class MessageMiddleware(ForStaff, messages.MessageMiddleware):
    pass


def session_limits(get_response: GetResponse) -> GetResponse:
    def middleware(request: HttpRequest) -> HttpResponseBase:
        if not is_staff_address(request) or not request.user.is_authenticated:
            return get_response(request)
        at, session = timezone.now(), request.session
        now = int(at.timestamp())
        signed_in, seen = session.setdefault(SIGNED_IN_AT, now), session.setdefault(SEEN_AT, now)
        if now - signed_in >= ABSOLUTE.total_seconds():
            over = "day"
        elif now - seen >= IDLE.total_seconds():
            over = "idle"
        else:
            if now - seen >= NOTED_EVERY.total_seconds():
                session[SEEN_AT] = now
            return get_response(request)
        sign_out(request, reason=over, at=at)
        if request.path in map(reverse, WITHOUT_SESSION):
            return get_response(request)
        unsaved = {} if request.method in ("GET", "HEAD") else {"unsaved": "1"}
        return to_sign_in(ended=over, next=request.get_full_path(), **unsaved)

    return middleware


def local_times(get_response: GetResponse) -> GetResponse:
    """Show times in the zone of new projects, unless a page is about a project with another."""

    def middleware(request: HttpRequest) -> HttpResponseBase:
        if not is_staff_address(request):
            return get_response(request)
        with timezone.override(DEFAULT_ZONE):
            return get_response(request)

    return middleware


def begin(request: HttpRequest, user: User) -> None:
    auth.login(request, user)
    request.session[SIGNED_IN_AT] = request.session[SEEN_AT] = int(timezone.now().timestamp())


def alive(request: HttpRequest) -> JsonResponse:
    """Tell the script of a form the time left and the CSRF token, which another sign-in changes."""
    signed_in = datetime.fromtimestamp(request.session[SIGNED_IN_AT], UTC)
    left = signed_in + ABSOLUTE - timezone.now()
    return JsonResponse({"token": get_token(request), "secondsLeft": int(left.total_seconds())})


def sign_out(request: HttpRequest, *, reason: str = "", at: datetime | None = None) -> None:
    user = cast("User", request.user)
    with transaction.atomic():
        AuditEvent.record("staff.signed_out", user, by=staff_actor(request), reason=reason, at=at)
        auth.logout(request)


def to_sign_in(**query: str) -> HttpResponse:
    """Redirect to the sign-in page; `ended` is a key of END_MESSAGES."""
    return HttpResponseRedirect(reverse("admin:login", query=query))


def end_all(user: User) -> None:
    """End every session of an account. Reads all: their content is not searchable."""
    of_user = [
        session.pk
        for session in Session.objects.filter(expire_date__gt=timezone.now()).iterator()
        if session.get_decoded().get(auth.SESSION_KEY) == str(user.pk)
    ]
    Session.objects.filter(pk__in=of_user).delete()
