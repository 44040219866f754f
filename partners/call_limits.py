"""The rate limits of projects that have none of their own."""

from __future__ import annotations

from django.conf import settings

# field of the project: setting of the service
LIMITS = {
    "link_rate_per_minute": "LINK_RATE_PER_MINUTE",
    "results_rate_per_minute": "RESULTS_RATE_PER_MINUTE",
}


def if_empty(field: str) -> str:
    """Return the help text of a limit's field. Raises KeyError for any other field."""
    rate: int = getattr(settings, LIMITS[field])
    return f"Leave empty to use the default of {rate}."
