"""What happens to every request before Django's own middleware sees it."""

from __future__ import annotations

import ipaddress
import random
import re
from collections.abc import Callable
from functools import lru_cache
from http import HTTPStatus
from typing import cast

from csp.constants import HEADER as POLICY
from csp.utils import build_policy
from django.conf import settings
from django.core.exceptions import RequestDataTooBig, SuspiciousOperation
from django.http import HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
from django.middleware.gzip import GZipMiddleware
from django.utils import translation

from assessments import languages
from config import errors, metrics
from config import health as checks
from config.logging import current_request_id
from config.parsing import MAX_BODY_BYTES


class KnownRequest(HttpRequest):
    """What a request is after `request_context`, for the type checker."""

    request_id: str
    client_address: str


GetResponse = Callable[[HttpRequest], HttpResponseBase]

_REQUEST_ID = re.compile(r"[A-Za-z0-9._-]{8,64}")
_IS_PREFORMATTED = re.compile(rb"<(?:pre|textarea)\b")
# After a tag only: a newline elsewhere may stand in a value.
_INDENTATION = re.compile(rb">\n\s+")
_SESSION_KEY = re.compile(r"[a-z0-9]{32}")
MAX_LENGTH_DIGITS = 20
MAX_KNOWN_HOSTS = 100  # a caller may make up many below a wildcard of ALLOWED_HOSTS
UNKNOWN = "unknown"


def _new_request_id() -> str:
    """Return 32 hexadecimal digits. They name a request and guard nothing."""
    return f"{random.getrandbits(128):032x}"  # noqa: S311 - uuid4 asks the kernel each time


def no_store(get_response: GetResponse) -> GetResponse:
    """Keep every page and answer out of caches, except those that set a rule: the static files.

    As it is the outermost, it also sets the headers that SecurityMiddleware sets on what it sees:
    the probes, its own redirects and what is refused before it do not pass through it.
    """

    def middleware(request: HttpRequest) -> HttpResponseBase:
        response = get_response(request)
        response.headers.setdefault("Cache-Control", "no-store")
        response.headers.setdefault("X-Content-Type-Options", "nosniff")
        response.headers.setdefault("Referrer-Policy", settings.SECURE_REFERRER_POLICY)
        return response

    return middleware


class _Gzip(GZipMiddleware):
    max_random_bytes = 50


def compress_pages(get_response: GetResponse) -> GetResponse:
    """Gzip the pages of students and of the documentation, a third of their size on a slow network.

    BREACH guesses a secret from the length of a compressed page that also repeats the attacker's
    words. These pages repeat none beside a secret: a wrong link token is not shown again, a form
    from elsewhere is refused without its words, the CSRF token is masked anew each time, and Django
    adds up to 50 random bytes. The admin, where a search stands beside e-mail addresses, stays as
    it is; so do the API's short bodies and the static files, which are compressed beforehand.
    The templates' indentation goes too, a twentieth of what is left.
    """
    gzip = _Gzip(get_response)

    def middleware(request: HttpRequest) -> HttpResponseBase:
        response = get_response(request)
        if not response.headers.get("Content-Type", "").startswith("text/html"):
            return response
        if isinstance(response, HttpResponse) and not _IS_PREFORMATTED.search(response.content):
            response.content = _INDENTATION.sub(b">\n", response.content)
            response.headers["Content-Length"] = str(len(response.content))
        return gzip.process_response(request, response)

    return middleware


def request_context(get_response: GetResponse) -> GetResponse:
    """Put `request_id` and `client_address` on the request, and settle whether it came by https."""

    def middleware(request: HttpRequest) -> HttpResponseBase:
        known = cast("KnownRequest", request)
        given = request.META.get("HTTP_X_REQUEST_ID", "")
        known.request_id = given if _REQUEST_ID.fullmatch(given) else _new_request_id()
        known.client_address = _trust_proxies(request)
        # gunicorn's access line reads it there: the environ is all that we share with it
        request.META["service.client_address"] = known.client_address
        request.META["service.request_id"] = known.request_id
        _drop_impossible_session(request)
        token = current_request_id.set(known.request_id)
        try:
            response = get_response(request)
        finally:
            current_request_id.reset(token)
        response.headers["X-Request-ID"] = known.request_id
        return response

    return middleware


def language(get_response: GetResponse) -> GetResponse:
    """Speak the language that was asked for, and forget it: the next request has its own.
    A view that finds an attempt activates the attempt's own language, which ends here as well.
    There is no `Vary` header, as no page is kept in a cache.
    """

    def middleware(request: HttpRequest) -> HttpResponseBase:
        with translation.override(languages.of_request(request)):
            return get_response(request)

    return middleware


def api_headers(get_response: GetResponse) -> GetResponse:
    """Set on an answer of the API, at once, what `no_store` and three of Django's set on a page."""
    fixed = {
        "Cache-Control": "no-store",
        POLICY: build_policy(),
        "Cross-Origin-Opener-Policy": settings.SECURE_CROSS_ORIGIN_OPENER_POLICY,
        "Referrer-Policy": settings.SECURE_REFERRER_POLICY,
        "X-Content-Type-Options": "nosniff",
        "X-Frame-Options": settings.X_FRAME_OPTIONS,
    }
    as_stored = {name.lower(): (name, value) for name, value in fixed.items()}
    strict_transport = f"max-age={settings.SECURE_HSTS_SECONDS}; includeSubDomains"

    def middleware(request: HttpRequest) -> HttpResponseBase:
        response = get_response(request)
        if isinstance(response, HttpResponse):
            response.headers["Content-Length"] = str(len(response.content))
        # Django looks at each name and value anew, for what no header may hold: eight calls each.
        response.headers._store.update(as_stored)
        if settings.SECURE_HSTS_SECONDS and request.is_secure():
            response.headers["Strict-Transport-Security"] = strict_transport
        return response

    return middleware


def known_host(get_response: GetResponse) -> GetResponse:
    """Refuse a call to a host name that is not ours, as CommonMiddleware does, and no more."""
    known: set[str] = set()  # as callers write it

    def middleware(request: HttpRequest) -> HttpResponseBase:
        written = request.META.get("HTTP_HOST")
        if written not in known:
            request.get_host()  # raises
            if written is not None and len(known) < MAX_KNOWN_HOSTS:
                known.add(written)
        return get_response(request)

    return middleware


def fixed_policy(get_response: GetResponse) -> GetResponse:
    """Set the content security policy, put together once: no page of students changes it."""
    policy = build_policy()

    def middleware(request: HttpRequest) -> HttpResponseBase:
        response = get_response(request)
        response.headers[POLICY] = policy
        return response

    return middleware


def refuse_unreadable(get_response: GetResponse) -> GetResponse:
    """Answer 400 to too long a body, unread, and to an address of the admin with a NUL.

    PostgreSQL stores no NUL, and the admin's filters take what the address says. Elsewhere an
    address is held against a pattern first, and is a 404.
    """

    def middleware(request: HttpRequest) -> HttpResponseBase:
        if _announces_too_much(str(request.META.get("CONTENT_LENGTH") or "0")):
            if errors.is_api(request):
                detail = f"The body is longer than {MAX_BODY_BYTES} bytes."
                fault = {"field": "", "code": "invalid", "detail": detail}
                return errors.problem(request, 400, "invalid_request", detail, [fault])
            return errors.bad_request(request, RequestDataTooBig())
        query = request.META.get("QUERY_STRING", "")
        in_admin = request.path_info.startswith("/admin/")
        if in_admin and ("\0" in request.path_info or "\0" in query or "%00" in query):
            return errors.bad_request(request, SuspiciousOperation())
        return get_response(request)

    return middleware


def health(get_response: GetResponse) -> GetResponse:
    """Answer the probes here: they know neither our host name nor https."""
    answers = {"/healthz": checks.process_health, "/readyz": checks.readiness}
    if settings.METRICS_TOKEN:
        # Without it the address is unknown, like any other.
        answers["/metrics"] = metrics.metrics

    def middleware(request: HttpRequest) -> HttpResponseBase:
        answer = answers.get(request.path_info)
        return answer(request) if answer else get_response(request)

    return middleware


def https_required(get_response: GetResponse) -> GetResponse:
    """Refuse API calls over http where the service is on https. A redirect would hide the leak."""

    def middleware(request: HttpRequest) -> HttpResponseBase:
        if settings.SECURE_COOKIES and errors.is_api(request) and not request.is_secure():
            return errors.problem(
                request,
                HTTPStatus.BAD_REQUEST,
                "https_required",
                "Call this service over https. The token was sent unencrypted: rotate it.",
            )
        return get_response(request)

    return middleware


def _announces_too_much(length: str) -> bool:
    # Python itself refuses to read a number of thousands of digits.
    if len(length) > MAX_LENGTH_DIGITS or not length.isdecimal():
        return True
    return int(length) > settings.DATA_UPLOAD_MAX_MEMORY_SIZE


def _drop_impossible_session(request: HttpRequest) -> None:
    """Take out a session cookie that Django cannot have made: a NUL would fail in the database."""
    if settings.SESSION_COOKIE_NAME not in request.META.get("HTTP_COOKIE", ""):
        return  # read for nothing else on most requests
    if not _SESSION_KEY.fullmatch(request.COOKIES.get(settings.SESSION_COOKIE_NAME, "")):
        request.COOKIES.pop(settings.SESSION_COOKIE_NAME, None)


def _trust_proxies(request: HttpRequest) -> str:
    """Return the client's address; take the scheme from the same hop. Drop the headers themselves.

    Each proxy appends the address that it was called from, so with n trusted proxies the client
    stands n places before the end of [X-Forwarded-For…, peer]. What is further left, the client
    made up.
    """
    meta = request.META
    forwarded_for = _entries(meta.pop("HTTP_X_FORWARDED_FOR", ""))
    schemes = _entries(meta.pop("HTTP_X_FORWARDED_PROTO", ""))
    for header in ("HTTP_X_FORWARDED_HOST", "HTTP_X_FORWARDED_PORT", "HTTP_FORWARDED"):
        meta.pop(header, None)
    hops = settings.TRUSTED_PROXY_COUNT
    if hops and schemes:
        # most proxies overwrite this header instead of appending: one entry then
        meta["wsgi.url_scheme"] = (
            "https" if schemes[max(len(schemes) - hops, 0)].lower() == "https" else "http"
        )
    chain = [*forwarded_for, meta.get("REMOTE_ADDR", "")]
    return _address(chain[max(len(chain) - 1 - hops, 0)])


def _entries(header: str) -> list[str]:
    return [entry.strip() for entry in header.split(",")] if header else []


@lru_cache(maxsize=1024)
def _address(text: str) -> str:
    """Return an address in one spelling, without port; "unknown" for all else (a unix socket)."""
    text = text.strip().strip('"')
    if text.startswith("["):
        text = text[1:].partition("]")[0]
    elif text.count(":") == 1:
        text = text.partition(":")[0]
    try:
        address = ipaddress.ip_address(text)
    except ValueError:
        return UNKNOWN
    if isinstance(address, ipaddress.IPv6Address):
        if address.ipv4_mapped:
            return str(address.ipv4_mapped)
        return str(ipaddress.IPv6Address(int(address)))  # without a zone such as %eth0
    return str(address)
