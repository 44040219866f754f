"""How many calls are too many: fixed minutes, counted by django-ratelimit; DRF makes the 429."""

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
    # DRF reads the default authentication class, hence this module, while it imports its views.
    from rest_framework.views import APIView

MINUTE = 60
# Of each operation: the project's own, and the setting that holds where it has none.
_RATES = {
    "links": ("link_rate_per_minute", "LINK_RATE_PER_MINUTE"),
    "results": ("results_rate_per_minute", "RESULTS_RATE_PER_MINUTE"),
}
# A household, a campus or a mobile operator has at least this much of IPv6.
IPV6_PREFIX = 64


class TooManyRequests(Throttled):
    """Too many requests from one address, whoever they are."""


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
    """Count one failure of an address. Return 0, or beyond the limit the seconds to wait."""
    return _count(group, _network(address), limit)


def seconds_to_wait(address: str, group: str, limit: int) -> int:
    """Return 0, or the seconds to wait where as many failures as the limit are counted already."""
    value = _network(address)
    usage: dict[str, Any] | None = get_usage(
        None, group=group, key=lambda *_: value, rate=(limit, MINUTE), increment=False
    )
    if usage is None or usage["count"] < limit:
        return 0
    return _until_next(usage)


def store_is_healthy() -> bool:
    """Tell whether the limiter counts where it should, for `/readyz`."""
    return cast("LimitStore", caches["limits"]).is_healthy()


def _limit(project: Project, operation: str) -> int:
    own, general = _RATES[operation]
    rate: int = getattr(project, own) or getattr(settings, general)
    return rate


def _count(group: str, value: str, limit: int) -> int:
    """Count one. Return 0 within the limit, else the whole seconds until the next minute begins."""
    usage: dict[str, Any] | None = get_usage(
        None, group=group, key=lambda *_: value, rate=(limit, MINUTE), increment=True
    )
    wait = _until_next(usage) if usage is not None and usage["should_limit"] else 0
    limit_metrics.decided(group, refused=wait > 0)
    return wait


def _until_next(usage: dict[str, Any]) -> int:
    # time_left leads to the last second of this minute; who comes back then is too early.
    return max(1, int(usage["time_left"]) + 1)


def _network(address: str) -> str:
    """Return what shares a counter: an IPv4 address, or an IPv6 network; else `address` itself."""
    try:
        ip = ipaddress.ip_address(address)
    except ValueError:
        return address
    if isinstance(ip, ipaddress.IPv4Address):
        return address
    return str(ipaddress.ip_network((ip, IPV6_PREFIX), strict=False))
