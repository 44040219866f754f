"""Figures of days, and their sums."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, fields
from datetime import date, timedelta
from typing import Protocol

from assessments.charts import arithmetic

# The names in a ProjectDay of attempts that stopped before the first question, and of all courses
# beyond those counted by name.
BEFORE_FIRST = "before"
OTHER_COURSES = ""


class Counted(Protocol):
    """The figures of one day; a ProjectDay has them."""

    day: date
    links_issued: int
    links_expired: int
    links_cancelled: int
    started: int
    completed: int
    abandoned: int
    low_effort: int
    durations: Mapping[str, int]
    courses: Mapping[str, int]
    stopped: Mapping[str, int]


@dataclass(frozen=True, slots=True)
class Period:
    """Whole days, both ends included."""

    first: date
    last: date

    @classmethod
    def before(cls, today: date, days: int) -> Period:
        """Return the period of `days` days that ends the day before `today`."""
        return cls(today - timedelta(days=days), today - timedelta(days=1))

    @property
    def days(self) -> list[date]:
        length = (self.last - self.first).days + 1
        return [self.first + timedelta(days=number) for number in range(length)]


@dataclass(frozen=True)
class Totals:
    """The sums of some days."""

    links_issued: int = 0
    links_expired: int = 0
    links_cancelled: int = 0
    started: int = 0
    completed: int = 0
    abandoned: int = 0
    low_effort: int = 0
    durations: Mapping[int, int] = field(default_factory=dict)

    @classmethod
    def of(cls, rows: Sequence[Counted]) -> Totals:
        counts = [each.name for each in fields(cls) if each.name != "durations"]
        minutes = arithmetic.added([row.durations for row in rows])
        return cls(
            **{name: sum(getattr(row, name) for row in rows) for name in counts},
            durations={int(minute): count for minute, count in minutes.items()},
        )

    @property
    def ended(self) -> int:
        return self.completed + self.abandoned

    @property
    def is_empty(self) -> bool:
        """Whether nothing at all happened."""
        return not (self.links_issued or self.links_expired or self.started or self.ended)
