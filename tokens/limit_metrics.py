"""Metrics of the rate limits, for `/metrics`."""

from __future__ import annotations

from prometheus_client import Counter

# Listed, because a label must never come from a caller. Staff addresses have their own.
LIMITS = frozenset(
    {
        *("links", "results", "status", "feed", "detail", "cancel", "check", "failures"),
        *("credentials", "links-unknown", "staff-account", "staff-address"),
    }
)
OTHER = "other"

DECISIONS = Counter(
    "assess_limit_decisions",
    "Decisions of the rate limits. Of credentials, links-unknown and staff-address, failures only.",
    ["limit", "decision"],
    registry=None,
)
COUNTED_IN_MEMORY = Counter(
    "assess_limit_counted_in_memory",
    "Calls that a process counted for itself, as the limiter's Redis did not answer.",
    registry=None,
)

# Look up each counter once, because `labels()` costs more than counting.
_counters = {
    (limit, refused): DECISIONS.labels(limit, "refused" if refused else "allowed")
    for limit in (*LIMITS, OTHER)
    for refused in (False, True)
}


def decided(limit: str, refused: bool) -> None:
    """Count a decision of a limit."""
    _counters[limit if limit in LIMITS else OTHER, refused].inc()


def counted_in_memory() -> None:
    """Count a call that should have been counted in Redis."""
    COUNTED_IN_MEMORY.inc()
