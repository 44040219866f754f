"""The bar charts of a dashboard: from link to result, courses, durations."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from assessments.charts import arithmetic
from assessments.charts.days import BEFORE_FIRST, OTHER_COURSES, Counted, Totals
from assessments.charts.plot import length

MOST_COURSES = 15


@dataclass(frozen=True, slots=True)
class Bar:
    """A bar with its label and count; `length` is a percentage, `share` and `note` may be empty."""

    label: str
    count: int
    length: str
    share: str = ""
    note: str = ""


def whole_percent(part: int, base: int) -> str:
    """Return a share in whole percent, or "" if the base is too small."""
    found = arithmetic.percent(part, base)
    if found is None:
        return ""
    return "<1 %" if 0 < found < 1 else f"{round(found)} %"


def asked(totals: Totals) -> list[Bar]:
    """Return bars of the links issued and the assessments started on these days."""
    longest = max(totals.links_issued, totals.started)
    return [
        Bar(
            "Links issued",
            totals.links_issued,
            length(totals.links_issued, longest),
            whole_percent(totals.links_issued, totals.links_issued),
        ),
        Bar(
            "Assessments started",
            totals.started,
            length(totals.started, longest),
            whole_percent(totals.started, totals.links_issued),
        ),
    ]


def way(
    totals: Totals, stopped: Mapping[str, int], sections: Sequence[tuple[str, str]]
) -> list[Bar]:
    """Return a bar for each step that ended attempts reached, with how many stopped there.

    Sections that the current bank lacks come before the last step.
    """
    known = {code for code, _ in sections} | {BEFORE_FIRST}
    unknown = [(code, code.capitalize()) for code in sorted(set(stopped) - known)]
    left = totals.ended
    steps = []
    for code, label in [(BEFORE_FIRST, "All that ended"), *sections, *unknown]:
        here = stopped.get(code, 0)
        said = whole_percent(here, totals.ended)
        note = f"{here:,} stopped here{f', {said}' if said else ''}" if here else ""
        steps.append(_step(label, left, totals.ended, note))
        left -= here
    return [*steps, _step("Completed", totals.completed, totals.ended, "")]


def _step(label: str, count: int, base: int, note: str) -> Bar:
    return Bar(label, count, length(count, base), whole_percent(count, base), note)


def course_bars(rows: Sequence[Counted], completed: int) -> tuple[list[Bar], int]:
    """Return the courses recommended most often, and the count of all others.

    A share is the part of the completed attempts that recommend the course.
    """
    counts = arithmetic.added([row.courses for row in rows])
    unnamed = counts.pop(OTHER_COURSES, 0)
    most, _ = arithmetic.top(counts, MOST_COURSES)
    longest = most[0][1] if most else 0
    bars = [
        Bar(name, count, length(count, longest), whole_percent(count, completed))
        for name, count in most
    ]
    others = sum(counts.values()) + unnamed - sum(count for _, count in most)
    return bars, others


def duration_bars(totals: Totals) -> list[Bar]:
    """Return bars of the durations of completed attempts."""
    found = arithmetic.bins(totals.durations)
    longest = max((each.count for each in found), default=0)
    return [
        Bar(
            _minutes(each),
            each.count,
            length(each.count, longest),
            whole_percent(each.count, totals.completed),
        )
        for each in found
    ]


def middle_half(totals: Totals) -> tuple[int, int] | None:
    """Return the quartiles of durations in minutes; None if there are too few attempts."""
    low, high = (arithmetic.quantile(totals.durations, each) for each in (0.25, 0.75))
    if low is None or high is None or totals.completed < arithmetic.LEAST_BASE:
        return None
    return low, high


def _minutes(found: arithmetic.Bin) -> str:
    if found.last is None:
        return f"{found.first} min or longer"
    if found.first == found.last:
        return f"{found.first} min"
    return f"{found.first}–{found.last} min"
