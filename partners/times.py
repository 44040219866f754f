"""Times as staff read them, today 14:02 IST, and durations as they type them, 90d, 12h or 30m."""

from __future__ import annotations

import re
from datetime import UTC, datetime, timedelta
from functools import cache
from zoneinfo import ZoneInfo, available_timezones

from django.utils import timezone

NEVER = "never"
_UNITS = {"d": "days", "h": "hours", "m": "minutes"}


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
    return sorted(available_timezones())


def parse_duration(text: str) -> timedelta:
    """Parse a duration: a number and d, h or m, or a bare 0.

    Raise ValueError for anything else. At most five digits, because dates end with the year 9999.
    """
    if text == "0":
        return timedelta(0)
    match = re.fullmatch(r"([0-9]{1,5})([dhm])", text)
    if match is None:
        raise ValueError(f"“{text}” is not a duration. Write 90d, 12h or 30m.")
    return timedelta(**{_UNITS[match[2]]: int(match[1])})


def in_units(duration: timedelta) -> str:
    """Return whole minutes as `parse_duration` reads them: hours up to three days, then days."""
    minutes = duration // timedelta(minutes=1)
    days, hours = minutes / (24 * 60), minutes / 60
    if days > 3 and days.is_integer():
        return f"{days:.0f}d"
    return f"{hours:.0f}h" if hours.is_integer() and hours else f"{minutes}m"
