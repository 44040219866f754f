"""The project's own middleware. settings.MIDDLEWARE has its order."""

import ipaddress
import logging
import re
import uuid
from functools import cache
from typing import Any

from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
from django.middleware.gzip import GZipMiddleware
from django.utils import translation
from django.utils.deprecation import MiddlewareMixin

from assessments.api import failures
from assessments.api.urls import urlpatterns
from assessments.models.ended import ClockDiffers
from assessments.student import languages
from config import errors, metrics, overload
from config import health as checks
from config.json_body import TOO_LONG
from config.logging import current_request_id
from staff.sessions import GetResponse, is_staff_address

logger = logging.getLogger(__name__)

_REQUEST_ID = re.compile(r"[A-Za-z0-9._-]{8,64}")
# Python refuses to parse thousands of digits.
_LENGTH = re.compile(r"[0-9]{0,20}")
UNKNOWN = "unknown"
NOT_THROUGH_PROXIES = (
    "TRUSTED_PROXY_COUNT is %s, but a request came through %s proxies. If all should come through "
    "the proxy, let nothing else reach this port. Otherwise lower the number, or clients can "
    "choose their address"
)
NO_PROXY_COUNTED = (
    "A proxy calls a request https, but TRUSTED_PROXY_COUNT is 0, so it counts as http: pages "
    "redirect to themselves, and calls get https_required although they came encrypted. Set "
    "TRUSTED_PROXY_COUNT to the number of proxies in front"
)


def default_headers(get_response: GetResponse) -> GetResponse:
    """Set security headers where Django's middleware did not: on probes and early refusals."""
    fixed = {
        "Cache-Control": "no-store",
        "Content-Security-Policy": settings.CONTENT_SECURITY_POLICY,
        "Cross-Origin-Opener-Policy": settings.SECURE_CROSS_ORIGIN_OPENER_POLICY,
        "Referrer-Policy": settings.SECURE_REFERRER_POLICY,
        "X-Content-Type-Options": "nosniff",
    }

    def middleware(request: HttpRequest) -> HttpResponseBase:
        response = get_response(request)
        for name, value in fixed.items():
            response.headers.setdefault(name, value)
        if isinstance(response, HttpResponse):
            response.headers.setdefault("Content-Length", str(len(response.content)))
        return response

    return middleware


class CompressPages(GZipMiddleware):
    """Gzip students' pages, the documentation and openapi.json, to a third of their size.

    BREACH guesses a secret from the length of a compressed page that repeats the attacker's text.
    These pages repeat none: they show no unknown link token and no values of a foreign form.
    Django masks the CSRF token and adds random bytes. The admin shows searches next to e-mail
    addresses, so it stays uncompressed. The API's bodies are short.
    """

    max_random_bytes = 50

    def process_response(self, request: HttpRequest, response: HttpResponseBase) -> Any:
        is_page = response.headers.get("Content-Type", "").startswith("text/html")
        is_openapi = request.path_info == "/openapi.json"
        if not (is_page or is_openapi) or is_staff_address(request):
            return response
        return super().process_response(request, response)


def request_context(get_response: GetResponse) -> GetResponse:
    """Set `request_id`, `client_address`, the scheme and the language of a request.

    A language that a view activates ends here. Pages are not cached, so there is no `Vary`.
    """

    def middleware(request: HttpRequest) -> HttpResponseBase:
        given = request.META.get("HTTP_X_REQUEST_ID", "")
        request_id = given if _REQUEST_ID.fullmatch(given) else uuid.uuid4().hex
        address = trust_proxies(request)
        request.request_id, request.client_address = request_id, address  # type: ignore[attr-defined]
        # for gunicorn's access log, which shares only the environ with Django
        request.META["service.client_address"] = address
        request.META["service.request_id"] = request_id
        token = current_request_id.set(request_id)
        try:
            with translation.override(languages.of_request(request)):
                response = get_response(request)
        finally:
            current_request_id.reset(token)
        response.headers["X-Request-ID"] = request_id
        return response

    return middleware


def trust_proxies(request: HttpRequest) -> str:
    """Return the client's address, set the scheme from the same hop, and drop both headers.

    Each proxy appends the address that called it. So with n trusted proxies, the client is n places
    before the end of [X-Forwarded-For…, peer]. It may have forged everything to the left.
    """
    meta = request.META
    forwarded_for = _entries(meta.pop("HTTP_X_FORWARDED_FOR", ""))
    schemes = _entries(meta.pop("HTTP_X_FORWARDED_PROTO", ""))
    hops = settings.TRUSTED_PROXY_COUNT
    if len(forwarded_for) < hops and request.path not in overload.EXEMPT:
        _log_once(NOT_THROUGH_PROXIES, hops, len(forwarded_for))
    if not hops and settings.SECURE_COOKIES and "https" in map(str.lower, schemes):
        _log_once(NO_PROXY_COUNTED)
    if hops and schemes:
        # Most proxies overwrite this header instead of appending to it, so it has one entry.
        meta["wsgi.url_scheme"] = (
            "https" if schemes[max(len(schemes) - hops, 0)].lower() == "https" else "http"
        )
    chain = [*forwarded_for, meta.get("REMOTE_ADDR", "")]
    return _address(chain[max(len(chain) - 1 - hops, 0)])


@cache
def _log_once(text: str, *values: int) -> None:
    logger.error(text, *values)


def _entries(header: str) -> list[str]:
    return [entry.strip() for entry in header.split(",")] if header else []


def _address(text: str) -> str:
    """Return a normalised address without a port; UNKNOWN for a unix socket, for example."""
    text = text.strip().strip('"')
    if text.startswith("["):
        text = text[1:].partition("]")[0]
    elif text.count(":") == 1:
        text = text.partition(":")[0]
    try:
        address = ipaddress.ip_address(text.partition("%")[0])  # without a zone such as %eth0
    except ValueError:
        return UNKNOWN
    return str(getattr(address, "ipv4_mapped", None) or address)


def answer_early(get_response: GetResponse) -> GetResponse:
    """Answer unreadable requests, API calls over http, and probes before any view.

    The admin's filters pass the URL to PostgreSQL, which rejects NUL; elsewhere such a URL gets a
    404. A redirect of a call over http would hide that its token leaked. Probes come before the
    checks of host and https.
    """
    answers = dict.fromkeys(checks.PROBES, checks.answer)
    if settings.METRICS_TOKEN:
        answers["/metrics"] = metrics.metrics

    def middleware(request: HttpRequest) -> HttpResponseBase:
        is_api = errors.is_api(request)
        # The body stays unread. Django holds a form's fields, but no files, to a smaller size.
        length = str(request.META.get("CONTENT_LENGTH", ""))
        most = settings.FILE_UPLOAD_MAX_MEMORY_SIZE
        if not _LENGTH.fullmatch(length) or int(length or 0) > most:
            if is_api:
                return failures.invalid_body(TOO_LONG).answer(request)
            return errors.bad_request(request)
        query = request.META.get("QUERY_STRING", "")
        has_nul = "\0" in request.path_info or "\0" in query or "%00" in query
        if has_nul and is_staff_address(request):
            return errors.bad_request(request)
        if is_api and settings.SECURE_COOKIES and not request.is_secure():
            return failures.Failure("https_required").answer(request)
        answer = answers.get(request.path_info, get_response)
        return answer(request)

    return middleware


def answer_calls(get_response: GetResponse) -> GetResponse:
    """Answer the operations of the API here, because the middlewares below are for pages.

    That saves 7 % of a call.
    """
    operations: dict[str, GetResponse] = {
        f"/partner/{each.pattern}": each.callback for each in urlpatterns
    }

    def middleware(request: HttpRequest) -> HttpResponseBase:
        operation = operations.get(request.path_info)
        if operation is None:
            return get_response(request)
        request.get_host()  # raises DisallowedHost, as CommonMiddleware does
        return operation(request)

    return middleware


class WrongClock(MiddlewareMixin):
    """Ask a student to try again if an attempt can't end because this machine's clock is wrong."""

    def process_exception(self, request: HttpRequest, exception: Exception) -> HttpResponse | None:
        is_students = not (errors.is_api(request) or is_staff_address(request))
        if not is_students or not isinstance(exception, ClockDiffers):
            return None
        logger.error("An attempt could not end. %s", exception)
        return errors.wrong_clock(request)
