"""Limits on sign-in: how often a client may be wrong, and how many passwords are hashed at once.

A browser in which somebody has signed in keeps a signed cookie, and has limits of its own, so that
guessers do not lock the staff of an office out. The cookie opens nothing.
"""

import secrets
import threading
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from datetime import timedelta

from django.conf import settings
from django.http import HttpRequest, HttpResponse

from tokens import limits

# Wrong passwords and codes a minute. Sign-in continues without Redis: support must be able to
# revoke a leaked token on that day too.
MAX_FAILURES = 10
KNOWN_FOR = timedelta(days=180)
_SALT = "staff.known_browser"

# Hashing a password takes some tenths of a second of a processor, on purpose. In each process one
# is hashed at a time and one more waits, so that guessers leave threads to students. Known browsers
# have the same beside them.
MAX_WAIT = 2.0  # seconds


class _Turns:
    def __init__(self) -> None:
        self.places = threading.BoundedSemaphore(2)
        self.hashing = threading.Lock()


_OF_STRANGERS, _OF_KNOWN = _Turns(), _Turns()


@contextmanager
def turn_to_hash(request: HttpRequest) -> Iterator[bool]:
    """Wait for a turn to hash a password, which ends with the block. Yield whether there is one."""
    turns = _OF_KNOWN if _known_browser(request) else _OF_STRANGERS
    with ExitStack() as taken:
        has_turn = turns.places.acquire(blocking=False)
        if has_turn:
            taken.callback(turns.places.release)
            has_turn = turns.hashing.acquire(timeout=MAX_WAIT)
        if has_turn:
            taken.callback(turns.hashing.release)
        yield has_turn


def seconds_to_wait(request: HttpRequest) -> int:
    return limits.seconds_to_wait(*_limit(request))


def count_failure(request: HttpRequest) -> None:
    """Count a wrong password or code. Correct ones do not count: an office shares one address."""
    limits.count_failure(*_limit(request))


def remember_browser(request: HttpRequest, response: HttpResponse) -> None:
    """Let a browser be known, in which somebody has just signed in."""
    response.set_signed_cookie(
        settings.STAFF_BROWSER_COOKIE_NAME,
        _known_browser(request) or secrets.token_hex(8),
        salt=_SALT,
        max_age=KNOWN_FOR,
        secure=settings.SECURE_COOKIES,
        httponly=True,
        samesite="Lax",
    )


def _limit(request: HttpRequest) -> tuple[str, str, int]:
    if browser := _known_browser(request):
        return browser, "staff-browser", MAX_FAILURES
    address = request.client_address  # type: ignore[attr-defined]  # set by a middleware
    return address, "staff-address", MAX_FAILURES


def _known_browser(request: HttpRequest) -> str:
    """Return the browser's name in its cookie, or "" if it is not known."""
    name = settings.STAFF_BROWSER_COOKIE_NAME
    return request.get_signed_cookie(name, "", salt=_SALT, max_age=KNOWN_FOR) or ""
