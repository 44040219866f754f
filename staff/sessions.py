"""End staff sessions that are idle for too long or too old."""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime, timedelta
from typing import Any, cast
from urllib.parse import urlencode

from django.contrib import auth
from django.contrib.auth.models import User
from django.contrib.sessions.backends.base import SessionBase
from django.contrib.sessions.models import Session
from django.db import transaction
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.http.response import HttpResponseBase
from django.urls import reverse
from django.utils import timezone

from partners.actor_context import staff_actor
from partners.models import AuditEvent
from staff.errors import is_staff_address

GetResponse = Callable[[HttpRequest], HttpResponseBase]

IDLE = timedelta(minutes=30)
ABSOLUTE = timedelta(hours=12)
# Saves a write per request. An idle session may end up to a minute early, never late.
NOTED_EVERY = timedelta(minutes=1)

SIGNED_IN_AT = "staff_signed_in_at"
SEEN_AT = "staff_seen_at"

# Pages that a session which is over does not redirect to the sign-in.
WITHOUT_SESSION = ("admin:login", "admin:logout", "admin:choose_password")

# The sign-in page's message about what happened before; the key is in its address.
ENDED = {
    "idle": f"You were signed out after {IDLE // timedelta(minutes=1)} minutes without activity.",
    "day": f"You were signed out {ABSOLUTE // timedelta(hours=1)} hours after signing in.",
    "out": "You have signed out.",
    "password": "Your password is set. Sign in with it.",
}


def session_limits(get_response: GetResponse) -> GetResponse:
    """End a session that is over. Requests outside the admin pass it by."""

    def middleware(request: HttpRequest) -> HttpResponseBase:
        if not is_staff_address(request) or not request.user.is_authenticated:
            return get_response(request)
        at = timezone.now()
        over = _over(request.session, at)
        if over is None:
            return get_response(request)
        sign_out(request, reason=over, at=at)
        if request.path in map(reverse, WITHOUT_SESSION):
            return get_response(request)
        return to_sign_in(
            ended=over,
            unsaved=request.method not in ("GET", "HEAD"),
            next_page=request.get_full_path(),
        )

    return middleware


def begin(request: HttpRequest, user: User, *, at: datetime) -> None:
    """Start a new session for the account. Nothing of an earlier session is kept."""
    request.session.flush()
    auth.login(request, user)
    _stamp(request.session, at)


def sign_out(request: HttpRequest, *, reason: str = "", at: datetime | None = None) -> None:
    """End the session. Audited."""
    user = cast("User", request.user)
    with transaction.atomic():
        AuditEvent.record("staff.signed_out", user, reason=reason, at=at, **staff_actor(request))
        auth.logout(request)


def to_sign_in(*, ended: str, unsaved: bool = False, next_page: str = "") -> HttpResponse:
    """Redirect to the sign-in page, which says why and returns to `next_page` afterwards."""
    query = {"ended": ended}
    if unsaved:
        query["unsaved"] = "1"
    if next_page:
        query["next"] = next_page
    return HttpResponseRedirect(f"{reverse('admin:login')}?{urlencode(query)}")


def end_all(user: User, *, at: datetime | None = None) -> int:
    """End every session of an account, and return how many there were.

    Reads all sessions, because their content is not searchable. Only staff have sessions.
    """
    running = Session.objects.filter(expire_date__gt=at or timezone.now())
    of_user = [
        session.pk
        for session in running.iterator()
        if session.get_decoded().get(auth.SESSION_KEY) == str(user.pk)
    ]
    return Session.objects.filter(pk__in=of_user).delete()[0]


def _over(session: SessionBase, at: datetime) -> str | None:
    """Return the key in ENDED if the session is over, else None. Updates when it was last seen."""
    now = int(at.timestamp())
    signed_in, seen = session.get(SIGNED_IN_AT), session.get(SEEN_AT)
    if not isinstance(signed_in, int) or not isinstance(seen, int):
        # A session from before these limits: they start now.
        _stamp(session, at)
        return None
    if now - signed_in >= ABSOLUTE.total_seconds():
        return "day"
    if now - seen >= IDLE.total_seconds():
        return "idle"
    if now - seen >= NOTED_EVERY.total_seconds():
        session[SEEN_AT] = now
    return None


def _stamp(session: Any, at: datetime) -> None:
    session[SIGNED_IN_AT] = session[SEEN_AT] = int(at.timestamp())
