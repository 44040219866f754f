"""Figures of days, and their sums."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date, timedelta
from typing import Protocol

from assessments.charts import arithmetic

# The names in a ProjectDay of attempts that stopped before the first question, and of all courses
# beyond those counted by name.
BEFORE_FIRST = "before"
OTHER_COURSES = ""
COUNTS = (
    *("links_issued", "links_expired", "links_cancelled"),
    *("started", "completed", "abandoned", "low_effort"),
)


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
    languages: Mapping[str, Mapping[str, int]]


@dataclass
class DayOfProjects:
    """The sums of some projects on one day."""

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
    languages: Mapping[str, Mapping[str, int]]

    @classmethod
    def of(cls, day: date, rows: Sequence[Counted]) -> DayOfProjects:
        return cls(
            day=day,
            **{name: sum(getattr(row, name) for row in rows) for name in COUNTS},
            durations=arithmetic.added([row.durations for row in rows]),
            courses=arithmetic.added([row.courses for row in rows]),
            stopped=arithmetic.added([row.stopped for row in rows]),
            languages=by_language(rows),
        )


def together(rows: Iterable[Counted]) -> list[DayOfProjects]:
    """Return the sums of several projects, one for each day."""
    by_day: dict[date, list[Counted]] = defaultdict(list)
    for row in rows:
        by_day[row.day].append(row)
    return [DayOfProjects.of(day, by_day[day]) for day in sorted(by_day)]


def by_language(rows: Sequence[Counted]) -> dict[str, dict[str, int]]:
    """Return the attempts started, completed and abandoned, by language."""
    codes = sorted({code for row in rows for code in row.languages})
    return {code: arithmetic.added([row.languages.get(code, {}) for row in rows]) for code in codes}


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

    @property
    def just_before(self) -> Period:
        """The period of as many days that ends the day before this one begins."""
        return Period.before(self.first, len(self.days))

    @property
    def a_year_before(self) -> Period:
        """The same dates a year earlier."""
        return Period(a_year_before(self.first), a_year_before(self.last))


def a_year_before(day: date) -> date:
    """Return the same date a year earlier; the 28th for the 29th of February."""
    try:
        return day.replace(year=day.year - 1)
    except ValueError:
        return day.replace(year=day.year - 1, day=28)


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
        minutes = arithmetic.added([row.durations for row in rows])
        return cls(
            **{name: sum(getattr(row, name) for row in rows) for name in COUNTS},
            durations={int(minute): count for minute, count in minutes.items()},
        )

    @property
    def ended(self) -> int:
        return self.completed + self.abandoned

    @property
    def is_empty(self) -> bool:
        """Whether nothing at all happened."""
        return not (self.links_issued or self.links_expired or self.started or self.ended)
