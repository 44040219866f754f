"""What the limits of a partner's calls are for a project that has none of its own."""

from __future__ import annotations

from django.conf import settings

# field of the project: setting of the service
LIMITS = {
    "link_rate_per_minute": "LINK_RATE_PER_MINUTE",
    "results_rate_per_minute": "RESULTS_RATE_PER_MINUTE",
}


def if_empty(field: str) -> str:
    """Return what stands beside such a field. Raise KeyError for any other field."""
    rate: int = getattr(settings, LIMITS[field])
    return f"Empty: {rate}, what the service allows every project."
