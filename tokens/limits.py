"""Rate limits per fixed minute: django-ratelimit counts, DRF answers 429."""

from __future__ import annotations

import ipaddress
from typing import TYPE_CHECKING, Any, cast

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
# By operation: the project's field, and the setting that is the default.
_RATES = {
    "links": ("link_rate_per_minute", "LINK_RATE_PER_MINUTE"),
    "results": ("results_rate_per_minute", "RESULTS_RATE_PER_MINUTE"),
}
# A household, campus or mobile operator has at least this large an IPv6 network.
IPV6_PREFIX = 64


class TooManyRequests(Throttled):
    """Too many requests from one address."""


class OperationThrottle(BaseThrottle):
    """Limit one operation of one project. The view names its `operation`: "links" or "results"."""

    seconds = 0

    def allow_request(self, request: Request, view: APIView) -> bool:
        operation = cast("str", view.operation)  # type: ignore[attr-defined]  # our views'
        project = cast("AccessToken", request.auth).project
        self.seconds = _count(operation, project.project_id, _limit(project, operation))
        return self.seconds == 0

    def wait(self) -> float:
        return self.seconds


def count_failure(address: str, group: str, limit: int) -> int:
    """Count one failure of an address. Return the seconds to wait if over the limit, else 0."""
    return _count(group, _network(address), limit)


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


def _limit(project: Project, operation: str) -> int:
    own, general = _RATES[operation]
    rate: int = getattr(project, own) or getattr(settings, general)
    return rate


def _count(group: str, value: str, limit: int) -> int:
    """Count one. Return 0 within the limit, else the seconds until the next minute begins."""
    usage: dict[str, Any] | None = get_usage(
        None, group=group, key=lambda *_: value, rate=(limit, MINUTE), increment=True
    )
    wait = _until_next(usage) if usage is not None and usage["should_limit"] else 0
    limit_metrics.decided(group, refused=wait > 0)
    return wait


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
