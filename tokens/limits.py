"""Rate limits per fixed minute: django-ratelimit counts, DRF answers 429."""

from __future__ import annotations

import ipaddress
from typing import TYPE_CHECKING, Any, NamedTuple, cast

from django.conf import settings
from django.core.cache import caches
from django_ratelimit.core import get_usage
from rest_framework.exceptions import Throttled
from rest_framework.request import Request
from rest_framework.throttling import BaseThrottle

from partners.models import Project
from tokens import limit_metrics
from tokens.limit_store import LimitStore
from tokens.models import AccessToken

if TYPE_CHECKING:
    # Importing DRF's views here would be circular: they import our authentication class.
    from rest_framework.views import APIView

MINUTE = 60
# By operation: the setting, and the project's own field if it has one.
_RATES = {
    "links": ("LINK_RATE_PER_MINUTE", "link_rate_per_minute"),
    "results": ("RESULTS_RATE_PER_MINUTE", "results_rate_per_minute"),
    "status": ("STATUS_RATE_PER_MINUTE", ""),
    "feed": ("FEED_RATE_PER_MINUTE", ""),
    "detail": ("DETAIL_RATE_PER_MINUTE", ""),
    "cancel": ("CANCEL_RATE_PER_MINUTE", ""),
    "check": ("CHECK_RATE_PER_MINUTE", ""),
    "failures": ("FAILURES_RATE_PER_MINUTE", ""),
}
# A household, campus or mobile operator has at least this large an IPv6 network.
IPV6_PREFIX = 64


class TooManyRequests(Throttled):
    """Too many requests from one address."""


class Usage(NamedTuple):
    """A counter after a call: its limit, what is left this minute, and the seconds until the next.

    `wait` is 0 for a call within the limit, else the seconds to wait.
    """

    limit: int
    remaining: int
    reset: int
    wait: int


class OperationThrottle(BaseThrottle):
    """Limit one operation of one project. The view names its `operation`, a key of the rates.

    Leaves the counter in `view.usage`, for the headers of the answer.
    """

    usage: Usage

    def allow_request(self, request: Request, view: APIView) -> bool:
        operation = cast("str", view.operation)  # type: ignore[attr-defined]  # our views'
        project = cast("AccessToken", request.auth).project
        self.usage = _count(operation, project.project_id, rate_of(project, operation))
        view.usage = self.usage  # type: ignore[attr-defined]
        return self.usage.wait == 0

    def wait(self) -> float:
        return self.usage.wait


def headers_of(usage: Usage, name: str) -> dict[str, str]:
    """Return the headers that tell a caller its limit before it is reached.

    Their form is that of draft-ietf-httpapi-ratelimit-headers-10, with `name` as the policy's name:
    quota and window in seconds; calls that remain and seconds until there are more.
    """
    return {
        "RateLimit-Policy": f'"{name}";q={usage.limit};w={MINUTE}',
        "RateLimit": f'"{name}";r={usage.remaining};t={usage.reset}',
    }


def count_failure(address: str, group: str, limit: int) -> int:
    """Count one failure of an address. Return the seconds to wait if over the limit, else 0."""
    return _count(group, _network(address), limit).wait


def seconds_to_wait(address: str, group: str, limit: int) -> int:
    """Return the seconds to wait if the limit of failures is reached, else 0."""
    value = _network(address)
    usage: dict[str, Any] | None = get_usage(
        None, group=group, key=lambda *_: value, rate=(limit, MINUTE), increment=False
    )
    if usage is None or usage["count"] < limit:
        return 0
    return _until_next(usage)


def store_is_healthy() -> bool:
    """Return whether the limiter counts in the configured store, for `/readyz`."""
    return cast("LimitStore", caches["limits"]).is_healthy()


def rate_of(project: Project, operation: str) -> int:
    """Return the calls a minute that a project may make of an operation."""
    general, own = _RATES[operation]
    rate: int = (own and getattr(project, own)) or getattr(settings, general)
    return rate


def _count(group: str, value: str, limit: int) -> Usage:
    """Count one, and return the counter."""
    usage: dict[str, Any] | None = get_usage(
        None, group=group, key=lambda *_: value, rate=(limit, MINUTE), increment=True
    )
    if usage is None:
        return Usage(limit, limit, MINUTE, wait=0)
    reset = _until_next(usage)
    refused = usage["should_limit"]
    limit_metrics.decided(group, refused=refused)
    return Usage(limit, max(0, limit - usage["count"]), reset, wait=reset if refused else 0)


def _until_next(usage: dict[str, Any]) -> int:
    # time_left ends with the last second of this minute, when a retry would be too early.
    return max(1, int(usage["time_left"]) + 1)


def _network(address: str) -> str:
    """Return the key of a counter: the IPv4 address or IPv6 network; else `address` itself."""
    try:
        ip = ipaddress.ip_address(address)
    except ValueError:
        return address
    if isinstance(ip, ipaddress.IPv4Address):
        return address
    return str(ipaddress.ip_network((ip, IPV6_PREFIX), strict=False))
