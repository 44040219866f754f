"""How often somebody may try to sign in: by account before a password is hashed, and by address.

The limits are the fixed minutes of `tokens.limits`, which goes on without its Redis: support must
be able to revoke a leaked token on the very day that Redis fails.
"""

from __future__ import annotations

import secrets
from datetime import timedelta

from django.conf import settings
from django.contrib.auth.models import User
from django.core import signing
from django.http import HttpRequest, HttpResponse
from django.utils.crypto import constant_time_compare, salted_hmac

from tokens import limits

TRIES_OF_ACCOUNT = 5
FAILURES_OF_ADDRESS = 10

_SALT = "config.staff.known_browser"
_BROWSER_KNOWN_FOR = timedelta(days=90)
_ACCOUNT, _ADDRESS = "staff-account", "staff-address"


def count_try(request: HttpRequest, name: str) -> int:
    """Count a try to sign in as `name`. Return 0, or the seconds to wait: nothing is hashed then.

    All tries of an account count, good ones too: which it is shows only after the hashing that the
    limit is there to save. Whether there is such an account makes no difference.

    A stranger who knows a user name can use up its five tries, minute by minute. It never locks
    an account for longer than the minute, and a browser from which its owner has signed in before
    has a count of its own, which the stranger cannot reach. So the owner gets in while it goes on,
    except from a new browser.
    """
    seconds = address_wait(request)
    if seconds:
        return seconds
    account = _digest(name)
    browser = _known_browser(request, account)
    return limits.count_failure(f"{account} {browser}", _ACCOUNT, TRIES_OF_ACCOUNT)


def address_wait(request: HttpRequest) -> int:
    """Return 0, or the seconds for which nothing from this address is looked at."""
    return limits.seconds_to_wait(_address(request), _ADDRESS, FAILURES_OF_ADDRESS)


def count_failure(request: HttpRequest) -> None:
    """Count a wrong password or code against the address. Good ones don't: offices share one."""
    limits.count_failure(_address(request), _ADDRESS, FAILURES_OF_ADDRESS)


def remember_browser(request: HttpRequest, response: HttpResponse, user: User) -> None:
    """Mark the browser, after the whole of a sign-in, as one of this account's."""
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
    """Return the name under which the account knows this browser, or nothing."""
    cookie = request.COOKIES.get(settings.KNOWN_BROWSER_COOKIE_NAME, "")
    try:
        value = signing.loads(cookie, salt=_SALT, max_age=_BROWSER_KNOWN_FOR)
    except signing.BadSignature:
        return ""
    return str(value["browser"]) if constant_time_compare(value["account"], account) else ""


def _digest(name: str) -> str:
    # Somebody may have typed a password into the field, so the name itself is kept nowhere.
    return salted_hmac(_SALT, name.casefold()).hexdigest()[:32]


def _address(request: HttpRequest) -> str:
    address: str = request.client_address  # type: ignore[attr-defined]  # set by a middleware
    return address
