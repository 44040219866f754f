"""Refuse a request that waited too long for a thread, so that those after it are served in time.

Without this, all wait longer than anybody does, and the threads work for callers who have gone. It
stands before Django, because a refusal must cost a small part of what an answer costs.
"""

from __future__ import annotations

import json
import re
import time
import uuid
from collections.abc import Iterable
from http import HTTPStatus
from typing import TYPE_CHECKING

from django.conf import settings
from prometheus_client import Histogram

from assessments.api.failures import Failure

if TYPE_CHECKING:
    from _typeshed.wsgi import StartResponse, WSGIApplication, WSGIEnvironment

MAX_WAIT = 3.5  # seconds; with the work itself, callers have an answer within five
RETRY_AFTER = 5  # seconds
# Proxies give up after 35 s, so a longer wait is a clock that is wrong.
MAX_BELIEVED = 35.0
# Asked on the machine itself, not through the proxy.
EXEMPT = ("/healthz", "/readyz", "/metrics")
# What the proxy writes: nginx "t=1700000000.123", Caddy "t=1700000000123".
_STARTED = re.compile(r"t=([0-9]{10})\.?([0-9]{3})")
_PAGE = (settings.BASE_DIR / "deploy" / "unavailable.html").read_bytes()

WAITED = Histogram(
    "assess_wait_seconds",
    "From the proxy, which had the whole request, to its arrival in a thread.",
    buckets=(0.01, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 3.5, 10.0),
    registry=None,
)


def seconds_waited(environ: WSGIEnvironment) -> float:
    """Return how long a request waited, by `X-Request-Start` of a trusted proxy; 0 if unknown."""
    started = _STARTED.fullmatch(environ.get("HTTP_X_REQUEST_START", ""))
    if started is None or not settings.TRUSTED_PROXY_COUNT:
        return 0.0
    waited = time.time() - float(f"{started[1]}.{started[2]}")
    return waited if 0 < waited < MAX_BELIEVED else 0.0


def shed(application: WSGIApplication) -> WSGIApplication:
    """Return the application, which answers 503 to requests that waited over MAX_WAIT."""

    def serve(environ: WSGIEnvironment, start_response: StartResponse) -> Iterable[bytes]:
        path = environ.get("PATH_INFO", "")
        if path in EXEMPT:
            return application(environ, start_response)
        waited = seconds_waited(environ)
        WAITED.observe(waited)
        if waited <= MAX_WAIT:
            return application(environ, start_response)
        body, kind = _PAGE, "text/html; charset=utf-8"
        request_id = environ["service.request_id"] = uuid.uuid4().hex
        if path.lstrip("/").startswith("partner/"):
            body = json.dumps(Failure("overloaded").body(request_id)).encode()
            kind = "application/json"
        headers = {
            "Content-Type": kind,
            "Content-Length": str(len(body)),
            "Cache-Control": "no-store",
            "Content-Security-Policy": "default-src 'none'; style-src 'unsafe-inline'",
            "Retry-After": str(RETRY_AFTER),
            "X-Request-ID": request_id,
        }
        status = HTTPStatus.SERVICE_UNAVAILABLE
        start_response(f"{status} {status.phrase}", list(headers.items()))
        return [body]

    return serve
