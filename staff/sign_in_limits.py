"""Limits on sign-in: per account and address, and one password hashed at a time in each process.

The limits per account are checked before the password is hashed. They count in fixed minutes with
`tokens.limits`, which keeps working without Redis: support must be able to revoke a leaked token
while Redis is down.
"""

from __future__ import annotations

import secrets
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import timedelta

from django.conf import settings
from django.contrib.auth.models import User
from django.core import signing
from django.http import HttpRequest, HttpResponse
from django.utils.crypto import constant_time_compare, salted_hmac

from partners.client_networks import counted_as
from tokens import limits

TRIES_OF_ACCOUNT = 5
FAILURES_OF_ADDRESS = 10

_SALT = "config.staff.known_browser"  # the module's earlier name: cookies are signed with it
_BROWSER_KNOWN_FOR = timedelta(days=90)
_ACCOUNT, _ADDRESS = "staff-account", "staff-address"
# Hashing takes a fifth of a second of a processor on purpose, in a thread that could serve
# students. Guessers share one place in each process, so that they take at most that. The browsers
# of staff have another, where they wait for each other.
_STRANGERS, _STAFF = threading.Semaphore(), threading.Semaphore()
_STAFF_WAIT = 2.0  # seconds
BUSY = 1  # seconds until a refused browser may try again


@contextmanager
def place_to_hash(request: HttpRequest, name: str) -> Iterator[bool]:
    """Take a place to hash the password of `name` until the block ends; yield whether one was free.

    Only a browser in which the owner of the account has signed in before waits for it.
    """
    is_known = bool(_known_browser(request, _digest(name)))
    place = _STAFF if is_known else _STRANGERS
    has_place = place.acquire(timeout=_STAFF_WAIT) if is_known else place.acquire(blocking=False)
    try:
        yield has_place
    finally:
        if has_place:
            place.release()


def count_try(request: HttpRequest, name: str) -> int:
    """Count a try to sign in as `name`. Return 0, or the seconds to wait before the next one.

    Correct passwords count too: only hashing would tell them apart, and the limit exists to save
    that work. Unknown user names are counted like known ones.

    A stranger who knows a user name can use up its five tries a minute. This locks the account for
    no longer than that minute, and a browser in which the owner has signed in before is counted
    separately. So the owner can still sign in, except from a new browser.
    """
    seconds = address_wait(request)
    if seconds:
        return seconds
    account = _digest(name)
    browser = _known_browser(request, account)
    return limits.count_failure(f"{account} {browser}", _ACCOUNT, TRIES_OF_ACCOUNT)


def address_wait(request: HttpRequest) -> int:
    """Return 0, or the seconds until this address may try again."""
    return limits.seconds_to_wait(_address(request), _ADDRESS, FAILURES_OF_ADDRESS)


def count_failure(request: HttpRequest) -> None:
    """Count a wrong password or code against the address.

    Correct ones do not count, because an office shares one address.
    """
    limits.count_failure(_address(request), _ADDRESS, FAILURES_OF_ADDRESS)


def remember_browser(request: HttpRequest, response: HttpResponse, user: User) -> None:
    """Set the cookie that marks a browser as known to the account, after a complete sign-in."""
    account = _digest(user.get_username())
    value = {"account": account, "browser": secrets.token_hex(8)}
    if _known_browser(request, account):
        return
    response.set_cookie(
        settings.KNOWN_BROWSER_COOKIE_NAME,
        signing.dumps(value, salt=_SALT),
        max_age=_BROWSER_KNOWN_FOR,
        secure=settings.SECURE_COOKIES,
        httponly=True,
        samesite="Strict",
    )


def _known_browser(request: HttpRequest, account: str) -> str:
    """Return the account's name for this browser, or "" if it is not known."""
    cookie = request.COOKIES.get(settings.KNOWN_BROWSER_COOKIE_NAME, "")
    try:
        value = signing.loads(cookie, salt=_SALT, max_age=_BROWSER_KNOWN_FOR)
    except signing.BadSignature:
        return ""
    return str(value["browser"]) if constant_time_compare(value["account"], account) else ""


def _digest(name: str) -> str:
    # People type their password into the user name field, so the name itself is never stored.
    return salted_hmac(_SALT, name.casefold()).hexdigest()[:32]


def _address(request: HttpRequest) -> str:
    address: str = request.client_address  # type: ignore[attr-defined]  # set by a middleware
    return counted_as(address)
