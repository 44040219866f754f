"""The content of a dashboard: headline figures, trend, progress of attempts, courses, durations."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import timedelta

from assessments.charts import arithmetic
from assessments.charts.day_bars import Bar, asked, course_bars, duration_bars, middle_half, way
from assessments.charts.days import Counted, Period, Totals
from assessments.charts.drawing import number
from assessments.charts.plot import Trend, trend


@dataclass(frozen=True, slots=True)
class Tile:
    """A headline figure, with notes such as its value in the days before.

    `is_outcome` marks a figure that would reveal a person's outcome if few people were counted.
    """

    label: str
    value: str
    notes: tuple[str, ...] = ()
    is_outcome: bool = False


# With fewer people, a figure may reveal one person's outcome.
FEWEST_TOGETHER = 10


@dataclass(frozen=True)
class Report:
    """A dashboard. `today` is separate, because an unfinished day cannot be compared."""

    period: Period
    totals: Totals
    today: Totals
    rows: list[Counted]
    tiles: list[Tile]
    trend: Trend
    asked: list[Bar]
    way: list[Bar]
    courses: list[Bar]
    other_courses: int
    durations: list[Bar]
    middle_half: tuple[int, int] | None

    @property
    def is_empty(self) -> bool:
        return self.totals.is_empty and self.today.is_empty

    @property
    def hides_in_the_crowd(self) -> bool:
        """Whether enough people completed, so that figures do not reveal one person's outcome."""
        return self.totals.completed >= FEWEST_TOGETHER


def report(
    rows: Iterable[Counted],
    before: Totals | None,
    period: Period,
    sections: Sequence[tuple[str, str]],
) -> Report:
    """Return the report on a period and on the day after it, today.

    `before` are the sums of an equal period before it, None if not all its days were counted.
    `sections` are the codes and names of the sections of an attempt, in order.
    """
    by_day = {row.day: row for row in rows}
    counted = [by_day[day] for day in period.days if day in by_day]
    today = by_day.get(period.last + timedelta(days=1))
    totals = Totals.of(counted)
    courses, others = course_bars(counted, totals.completed)
    return Report(
        period=period,
        totals=totals,
        today=Totals.of([today] if today else []),
        rows=counted[::-1],
        tiles=tiles(totals, before),
        trend=trend(
            period.days,
            [
                (name, name.capitalize(), [_of(by_day.get(day), name) for day in period.days])
                for name in ("started", "completed")
            ],
        ),
        asked=asked(totals),
        way=way(totals, arithmetic.added([row.stopped for row in counted]), sections),
        courses=courses,
        other_courses=others,
        durations=duration_bars(totals),
        middle_half=middle_half(totals),
    )


def tiles(now: Totals, before: Totals | None) -> list[Tile]:
    """Return the headline figures, each with its value in the equal period before.

    Cancelled links have one only if there are any, because most partners cancel none.
    """
    named = (
        ("Links issued", "links_issued"),
        ("Started", "started"),
        ("Completed", "completed"),
        ("Abandoned", "abandoned"),
        ("Expired", "links_expired"),
        *([("Cancelled", "links_cancelled")] if _cancelled(now, before) else []),
    )
    found = []
    for label, name in named:
        count = getattr(now, name)
        notes: tuple[str, ...] = ()
        if before:
            was = getattr(before, name)
            grown = arithmetic.change(count, was)
            notes = (f"{was:,} before",) if grown is None else (_signed(grown), f"{was:,} before")
        found.append(Tile(label, f"{count:,}", notes))
    return [*found, _median_tile(now, before), _low_effort_tile(now, before)]


def _cancelled(now: Totals, before: Totals | None) -> bool:
    return bool(now.links_cancelled or (before and before.links_cancelled))


def _median_tile(now: Totals, before: Totals | None) -> Tile:
    took, took_before = arithmetic.median(now.durations), None
    if before:
        took_before = arithmetic.median(before.durations)
    return Tile(
        "Median time",
        "none yet" if took is None else f"{took} min",
        () if took_before is None else (f"{took_before} min before",),
    )


def _low_effort_tile(now: Totals, before: Totals | None) -> Tile:
    said = share(now.low_effort, now.completed)
    notes = [f"{now.low_effort:,} of {now.completed:,}"] if said.endswith("%") else []
    if before and before.completed:
        notes.append(f"{share(before.low_effort, before.completed)} before")
    return Tile("Low effort", said, tuple(notes), is_outcome=True)


def share(part: int, base: int) -> str:
    """Return a share as a percentage, or as two counts if the base is small."""
    found = arithmetic.percent(part, base)
    if found is not None:
        return f"{number(found)} %"
    return f"{part:,} of {base:,}" if base else "none yet"


def _signed(percent: int) -> str:
    """Return a change with its sign; the minus is U+2212."""
    return f"+{percent} %" if percent > 0 else f"−{-percent} %" if percent else "±0 %"


def _of(row: Counted | None, name: str) -> int:
    return getattr(row, name) if row else 0
