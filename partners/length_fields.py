"""Form fields for a project's time limits, written as durations such as 72h."""

from __future__ import annotations

from collections.abc import Callable
from datetime import timedelta
from functools import partial
from typing import Any

from django import forms
from django.core.exceptions import ValidationError

from partners.durations import in_units, parse_duration
from partners.models.projects import FINISH_BY_HOURS, START_BY_MINUTES


def start_by_minutes(text: str) -> int:
    """Return the minutes of a start-by such as “72h”. Raises ValueError if invalid."""
    shortest, longest = (timedelta(minutes=minutes) for minutes in START_BY_MINUTES)
    length = parse_duration(text)
    if not shortest <= length <= longest:
        raise ValueError("Enter a duration between 15m and 30d.")
    return length // timedelta(minutes=1)


def finish_by_hours(text: str) -> int:
    """Return the hours of a finish-by such as “24h”. Raises ValueError if invalid."""
    shortest, longest = (timedelta(hours=hours) for hours in FINISH_BY_HOURS)
    length = parse_duration(text)
    if not shortest <= length <= longest or length % timedelta(hours=1):
        raise ValueError("Enter a duration between 20h and 30d, in whole hours.")
    return length // timedelta(hours=1)


class LengthField(forms.CharField):
    """A duration such as 72h; its value is a number of `unit`, converted by `read`."""

    def __init__(self, *, read: Callable[[str], int], unit: timedelta, **kwargs: Any) -> None:
        super().__init__(max_length=10, widget=forms.TextInput(attrs={"size": 10}), **kwargs)
        self._read, self._unit = read, unit

    def prepare_value(self, value: Any) -> Any:
        return in_units(value * self._unit) if isinstance(value, int) else value

    def clean(self, value: Any) -> int:
        try:
            return self._read(super().clean(value))
        except ValueError as error:
            raise ValidationError(str(error)) from None


# By the name of the column.
LENGTH_FIELDS: dict[str, Callable[..., LengthField]] = {
    "start_by_minutes": partial(
        LengthField,
        label="Start-by",
        read=start_by_minutes,
        unit=timedelta(minutes=1),
        help_text="How long a link can be started: 15m to 30d.",
    ),
    "finish_by_hours": partial(
        LengthField,
        label="Finish-by",
        read=finish_by_hours,
        unit=timedelta(hours=1),
        help_text="How long a started assessment can be continued: 20h to 30d.",
    ),
}
