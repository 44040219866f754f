"""Retention in calendar months. Pure functions over days in UTC.

They count whole days, because months differ in length: counted to the second, an attempt that
ended late on 30 January could be kept longer than one that ended early on 31 January.
"""

from __future__ import annotations

from calendar import monthrange
from datetime import UTC, date, datetime, time, timedelta

MONTHS_A_YEAR = 12


def kept_until(ended: date, months: int) -> date:
    """Return the last day of retention for something that ended on a day.

    This is the same day of a later month, or the last day of that month: 24 months after
    29 February 2024 is 28 February 2026.
    """
    year, month = _month(ended, months)
    return date(year, month, min(ended.day, monthrange(year, month)[1]))


def ended_before(at: datetime, months: int) -> datetime:
    """Return a moment: at `at`, everything that ended before it has outlived its retention.

    This is the inverse of `kept_until`, so that a query can use an index.
    """
    today = at.astimezone(UTC).date()
    year, month = _month(today, -months)
    if today.day <= monthrange(year, month)[1]:
        first_kept = date(year, month, today.day)
    else:
        # Nothing that ended in that shorter month is kept until today.
        first_kept = date(year, month, monthrange(year, month)[1]) + timedelta(days=1)
    return datetime.combine(first_kept, time(), tzinfo=UTC)


def _month(day: date, months: int) -> tuple[int, int]:
    """Return the year and month that are this many months after a day."""
    years, month = divmod(day.month - 1 + months, MONTHS_A_YEAR)
    return day.year + years, month + 1
