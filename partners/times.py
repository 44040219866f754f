"""Times as staff read them (today 14:02 IST), durations as they type them (90d), and retention."""

import re
from calendar import monthrange
from datetime import UTC, date, datetime, timedelta
from functools import cache
from zoneinfo import ZoneInfo, available_timezones

from django.utils import timezone

# Of new projects, and of staff pages that are about none.
DEFAULT_ZONE = "Asia/Kolkata"
_UNITS = {"d": "days", "h": "hours", "m": "minutes"}


def moment_in_words(at: datetime | None, zone: str, now: datetime | None = None) -> str:
    """Format a time in a zone, with yesterday, today and tomorrow by name; "never" for None."""
    if at is None:
        return "never"
    tz = ZoneInfo(zone)
    there, today = at.astimezone(tz), (now or timezone.now()).astimezone(tz).date()
    near = {-1: "yesterday", 0: "today", 1: "tomorrow"}
    day = near.get((there.date() - today).days) or f"{there.day} {there:%b %Y},"
    return f"{day} {there:%H:%M %Z}"


def rfc3339(at: datetime) -> str:
    """Format a time for programs, in UTC and whole seconds: 2026-11-23T08:32:00Z."""
    return f"{at.astimezone(UTC):%Y-%m-%dT%H:%M:%SZ}"


@cache
def zones() -> list[str]:
    return sorted(available_timezones())


def parse_duration(text: str) -> timedelta:
    """Parse up to five digits and d, h or m, or a bare 0. Raise ValueError for anything else."""
    if text == "0":
        return timedelta(0)
    match = re.fullmatch(r"([0-9]{1,5})([dhm])", text)  # more would pass the year 9999
    if match is None:
        raise ValueError(f"“{text}” is not a duration. Write 90d, 12h or 30m.")
    return timedelta(**{_UNITS[match[2]]: int(match[1])})


def kept_until(ended: date, months: int) -> date:
    """Return the last day of retention: the same day of a later month, or that month's last."""
    year, month = _month(ended, months)
    return date(year, month, min(ended.day, monthrange(year, month)[1]))


def ended_before(at: datetime, months: int) -> datetime:
    """Return the time before which everything that ended has outlived its retention at `at`."""
    # The inverse of `kept_until`, so that a query can use an index.
    today = at.astimezone(UTC).date()
    year, month = _month(today, -months)
    # In a shorter month the day after its last: nothing that ended in it is kept until today.
    day = min(today.day, monthrange(year, month)[1] + 1)
    return datetime(year, month, 1, tzinfo=UTC) + timedelta(days=day - 1)


def _month(day: date, months: int) -> tuple[int, int]:
    years, month = divmod(day.month - 1 + months, 12)
    return day.year + years, month + 1
