"""Times as staff read them: today 14:02 IST."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from functools import cache
from zoneinfo import ZoneInfo, available_timezones

from django.utils import timezone

NEVER = "never"


def moment_in_words(at: datetime | None, zone: str, now: datetime | None = None) -> str:
    """Format `at` in a project's time zone, with "today" relative to `now`; "never" for None.

    Other days than yesterday, today and tomorrow are shown as dates.
    """
    if at is None:
        return NEVER
    tz = ZoneInfo(zone)
    there, today = at.astimezone(tz), (now or timezone.now()).astimezone(tz).date()
    days = {
        today - timedelta(days=1): "yesterday",
        today: "today",
        today + timedelta(days=1): "tomorrow",
    }
    day = days.get(there.date()) or f"{there.day} {there:%b %Y},"
    return f"{day} {there:%H:%M %Z}"


def rfc3339(at: datetime) -> str:
    """Format a time for programs, in UTC and whole seconds: 2026-11-23T08:32:00Z."""
    return f"{at.astimezone(UTC):%Y-%m-%dT%H:%M:%SZ}"


@cache
def zones() -> list[str]:
    """Return the names of all time zones, sorted."""
    return sorted(available_timezones())
