"""Django's sessions, users and messages, and the second factor, for the admin alone.

Students and partners have none of these, and their requests do not pay for them. The classes
remain subclasses of Django's, which the admin's system checks look for in MIDDLEWARE.
"""

from __future__ import annotations

import re
from typing import cast

from django.conf import settings
from django.contrib.auth import middleware as auth
from django.contrib.messages import middleware as messages
from django.contrib.sessions import middleware as sessions
from django.http import HttpRequest
from django.http.response import HttpResponseBase
from django_otp import middleware as otp

from staff.errors import is_staff_address

_SESSION_KEY = re.compile(r"[a-z0-9]{32}")


class ForStaff:
    """Mixin for a middleware class: pass every request straight on that is not for the admin."""

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        if is_staff_address(request):
            response = super().__call__(request)  # type: ignore[misc]  # MiddlewareMixin's
        else:
            response = self.get_response(request)  # type: ignore[attr-defined]  # likewise
        return cast("HttpResponseBase", response)


class SessionMiddleware(ForStaff, sessions.SessionMiddleware):
    def process_request(self, request: HttpRequest) -> None:
        # Django makes no such key, and a NUL in it would fail in the database.
        if not _SESSION_KEY.fullmatch(request.COOKIES.get(settings.SESSION_COOKIE_NAME, "")):
            request.COOKIES.pop(settings.SESSION_COOKIE_NAME, None)
        super().process_request(request)


class AuthenticationMiddleware(ForStaff, auth.AuthenticationMiddleware):
    pass


class OTPMiddleware(ForStaff, otp.OTPMiddleware):  # type: ignore[misc]  # it has no types
    pass


class MessageMiddleware(ForStaff, messages.MessageMiddleware):
    pass
