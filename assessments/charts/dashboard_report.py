"""The content of a dashboard: headline figures, trend, progress of attempts, courses, durations."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date

from assessments.charts import arithmetic
from assessments.charts.day_bars import Bar, asked, course_bars, duration_bars, middle_half, way
from assessments.charts.days import Counted, Period, Totals, a_year_before, by_language
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


@dataclass(frozen=True, slots=True)
class LanguageRow:
    """The attempts in one language, and the share of the ended ones that were completed."""

    name: str
    started: int
    completed: int
    completion_rate: str


# With fewer people, a figure may reveal one person's outcome.
FEWEST_TOGETHER = 10


@dataclass(frozen=True)
class Report:
    """A dashboard. `today` is separate, because an unfinished day cannot be compared.

    It is None if the period ends earlier. `details` are the sums of the days that still have
    details: durations, courses, languages, and where attempts stopped.
    """

    period: Period
    compared: Period
    has_before: bool
    totals: Totals
    details: Totals
    today: Totals | None
    rows: list[Counted]
    tiles: list[Tile]
    trend: Trend
    asked: list[Bar]
    way: list[Bar]
    courses: list[Bar]
    other_courses: int
    languages: list[LanguageRow]
    durations: list[Bar]
    middle_half: tuple[int, int] | None

    @property
    def is_empty(self) -> bool:
        return self.totals.is_empty and (self.today is None or self.today.is_empty)

    @property
    def hides_in_the_crowd(self) -> bool:
        """Whether enough people completed, so that figures do not reveal one person's outcome."""
        return self.details.completed >= FEWEST_TOGETHER


def report(
    rows: Sequence[Counted],
    period: Period,
    sections: Sequence[tuple[str, str]],
    languages: Sequence[tuple[str, str]],
    *,
    today: Sequence[Counted] | None = None,
    before: Sequence[Counted] | None = None,
    compared: Period | None = None,
    kept_from: date = date.min,
) -> Report:
    """Return the report on the counted days of a period.

    `sections` and `languages` are codes and names; the sections in the order of an attempt.
    `before` are the days of the period `compared`, by default the days just before, None if not
    all of them were counted. Days before `kept_from` have no details.
    """
    compared = compared or period.just_before
    by_day = {row.day: row for row in rows}
    counted = [by_day[day] for day in period.days if day in by_day]
    kept = [row for row in counted if row.day >= kept_from]
    totals, details = Totals.of(counted), Totals.of(kept)
    earlier = None if before is None else Totals.of(before)
    took_before = earlier.durations if earlier and compared.first >= kept_from else {}
    courses, others = course_bars(kept, details.completed)
    return Report(
        period=period,
        compared=compared,
        has_before=before is not None,
        totals=totals,
        details=details,
        today=None if today is None else Totals.of(today),
        rows=counted[::-1],
        tiles=[
            *tiles(totals, earlier),
            _median_tile(details.durations, took_before),
            _low_effort_tile(totals, earlier),
        ],
        trend=trend(period.days, _lines(period, by_day, compared, before)),
        asked=asked(totals),
        way=way(details, arithmetic.added([row.stopped for row in kept]), sections),
        courses=courses,
        other_courses=others,
        languages=language_rows(kept, details, languages),
        durations=duration_bars(details),
        middle_half=middle_half(details),
    )


def _lines(
    period: Period,
    by_day: Mapping[date, Counted],
    compared: Period,
    before: Sequence[Counted] | None,
) -> list[tuple[str, str, list[int]]]:
    """Return the lines of the trend. Beside a year before, it has that year's completed too."""
    lines = [
        (name, name.capitalize(), [_of(by_day.get(day), name) for day in period.days])
        for name in ("started", "completed")
    ]
    if before is not None and compared == period.a_year_before:
        earlier = {row.day: row for row in before}
        counts = [_of(earlier.get(a_year_before(day)), "completed") for day in period.days]
        lines.append(("before", "Completed a year before", counts))
    return lines


def language_rows(
    rows: Sequence[Counted], totals: Totals, languages: Sequence[tuple[str, str]]
) -> list[LanguageRow]:
    """Return the languages in which attempts were taken, in the order offered.

    Attempts of days that were counted before languages were stand last.
    """
    found, names = by_language(rows), dict(languages)
    codes = [*(code for code in names if code in found), *(set(found) - set(names))]
    shown = [(names.get(code, code), found[code]) for code in codes]
    unknown = {
        name: getattr(totals, name) - sum(counts.get(name, 0) for _, counts in shown)
        for name in ("started", "completed", "abandoned")
    }
    if any(unknown.values()):
        shown.append(("Not counted by language", unknown))
    return [
        LanguageRow(
            name,
            counts.get("started", 0),
            counts.get("completed", 0),
            share(counts.get("completed", 0), _ended(counts)),
        )
        for name, counts in shown
    ]


def _ended(counts: Mapping[str, int]) -> int:
    return counts.get("completed", 0) + counts.get("abandoned", 0)


def tiles(now: Totals, before: Totals | None) -> list[Tile]:
    """Return the figures of links and attempts, each with its value in the period compared.

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
    found = [_completion_tile(now, before)]
    for label, name in named:
        count = getattr(now, name)
        notes: tuple[str, ...] = ()
        if before:
            was = getattr(before, name)
            grown = arithmetic.change(count, was)
            notes = (f"{was:,} before",) if grown is None else (_signed(grown), f"{was:,} before")
        found.append(Tile(label, f"{count:,}", notes))
    return found


def _completion_tile(now: Totals, before: Totals | None) -> Tile:
    said = share(now.completed, now.ended)
    notes = [f"{now.completed:,} of {now.ended:,} that ended"] if said.endswith("%") else []
    if before and before.ended:
        notes.append(f"{share(before.completed, before.ended)} before")
    return Tile("Completion rate", said, tuple(notes))


def _cancelled(now: Totals, before: Totals | None) -> bool:
    return bool(now.links_cancelled or (before and before.links_cancelled))


def _median_tile(now: Mapping[int, int], before: Mapping[int, int]) -> Tile:
    took, took_before = arithmetic.median(now), arithmetic.median(before)
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
