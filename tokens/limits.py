"""Rate limits per fixed minute: django-ratelimit counts, DRF answers 429."""

import functools
import ipaddress
from typing import Any, NamedTuple, cast

from django.conf import settings
from django.core.cache import caches
from django_ratelimit.core import get_usage
from prometheus_client import Counter
from rest_framework.request import Request
from rest_framework.throttling import BaseThrottle

from partners.models import Project
from tokens.limit_store import LimitStore
from tokens.models import AccessToken

MINUTE = 60
# Of the partner API: two operations have their own, all others share one.
LINKS, RESULTS, OTHER = "links", "results", "other"
# Providers give each home a /56 or more of IPv6, whose addresses cost nothing.
IPV6_PREFIX = 56

DECISIONS = Counter(
    "assess_limit_decisions",
    "Decisions of the rate limits. Of calls: links, results, other. Of failures: the others.",
    ["limit", "decision"],
    registry=None,
)
# Look up each counter once, because `labels()` costs more than counting.
_counter = functools.cache(DECISIONS.labels)
# A counter that first appears with 1 has no rate until the second decision.
_FAILURES = ("credentials", "links-unknown", "staff-address", "staff-browser")
for _limit in (LINKS, RESULTS, OTHER, *_FAILURES):
    for _decision in ("allowed", "refused"):
        _counter(_limit, _decision)


class Usage(NamedTuple):
    """A counter after a call. `reset` and `wait` are seconds; `wait` is 0 within the limit."""

    limit: int
    remaining: int
    reset: int
    wait: int


class OperationThrottle(BaseThrottle):
    """Limit the calls of one project by the view's `limit`. Leaves the counter in `view.usage`."""

    usage: Usage

    def allow_request(self, request: Request, view: Any) -> bool:
        project = cast("AccessToken", request.auth).project
        rate = rate_of(project, view.limit)
        self.usage = view.usage = _usage(view.limit, project.project_id, rate)
        return self.usage.wait == 0

    def wait(self) -> float:
        return self.usage.wait


def count_failure(address: str, group: str, limit: int) -> int:
    """Count one failure of an address. Return the seconds to wait if over the limit, else 0."""
    return _usage(group, _client(address), limit).wait


def seconds_to_wait(address: str, group: str, limit: int) -> int:
    """Return the seconds to wait if the limit of failures is reached, else 0."""
    usage = _usage(group, _client(address), limit, increment=False)
    return 0 if usage.remaining else usage.reset


def store_is_healthy() -> bool:
    return cast("LimitStore", caches["limits"]).is_healthy()


def rate_of(project: Project, limit: str) -> int:
    """Return a project's calls a minute under LINKS, RESULTS or OTHER."""
    if limit == LINKS:
        return project.link_rate_per_minute or settings.LINK_RATE_PER_MINUTE
    if limit == RESULTS:
        return project.results_rate_per_minute or settings.RESULTS_RATE_PER_MINUTE
    return settings.OTHER_RATE_PER_MINUTE


def _usage(group: str, value: str, limit: int, *, increment: bool = True) -> Usage:
    found: dict[str, Any] = get_usage(
        None, group=group, key=lambda *_: value, rate=(limit, MINUTE), increment=increment
    )
    refused = found["should_limit"]
    # time_left ends with the last second of this minute, when a retry would be too early.
    reset = max(1, int(found["time_left"]) + 1)
    if increment:
        _counter(group, "refused" if refused else "allowed").inc()
    return Usage(limit, max(0, limit - found["count"]), reset, wait=reset if refused else 0)


def _client(address: str) -> str:
    """Return an IPv4 address, or the network of an IPv6 address; both are normalised."""
    if ":" not in address:
        return address
    return str(ipaddress.IPv6Network((address, IPV6_PREFIX), strict=False))
