"""Durations as people type them: 90d, 12h, 30m."""

from __future__ import annotations

import re
from datetime import timedelta

_UNITS = {"d": "days", "h": "hours", "m": "minutes"}


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
