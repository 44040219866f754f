"""What a dashboard says of counted days; no database, no page."""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import date, timedelta

import pytest

from assessments.charts.dashboard_report import Report, report, share, tiles
from assessments.charts.day_bars import MOST_COURSES, Bar, way, whole_percent
from assessments.charts.days import BEFORE_FIRST, OTHER_COURSES, Period, Totals

TODAY = date(2026, 11, 21)
WEEK = Period.before(TODAY, 7)
SECTIONS = [("interests", "Interests"), ("aptitude", "Aptitude"), ("preferences", "Preferences")]


@dataclass
class Day:
    """A counted day."""

    day: date = WEEK.last
    links_issued: int = 0
    links_expired: int = 0
    started: int = 0
    completed: int = 0
    abandoned: int = 0
    low_effort: int = 0
    durations: dict[str, int] = field(default_factory=dict)
    courses: dict[str, int] = field(default_factory=dict)
    stopped: dict[str, int] = field(default_factory=dict)


def of(*days: Day, before: Totals | None = None) -> Report:
    return report(days, before, WEEK, SECTIONS)


def told(found: Report) -> dict[str, tuple[str, ...]]:
    return {tile.label: (tile.value, *tile.notes) for tile in found.tiles}


def test_a_period_ends_yesterday() -> None:
    assert Period(date(2026, 11, 14), date(2026, 11, 20)) == WEEK
    assert len(WEEK.days) == 7
    assert Period.before(WEEK.first, 7).last == date(2026, 11, 13)
    assert Period.before(date(2026, 3, 1), 1).days == [date(2026, 2, 28)]


def test_whole_days_are_summed_and_today_stands_apart() -> None:
    found = of(
        Day(WEEK.first, links_issued=3, started=2),
        Day(WEEK.last, links_issued=4, completed=1, durations={"17": 1}),
        Day(TODAY, links_issued=100),
    )

    assert found.totals == Totals(links_issued=7, started=2, completed=1, durations={17: 1})
    assert found.today.links_issued == 100
    assert [row.day for row in found.rows] == [WEEK.last, WEEK.first]
    assert found.trend.told == "From 14 Nov to 20 Nov: 2 started, 1 completed."


def test_a_figure_stands_beside_that_of_the_days_before() -> None:
    now = Day(
        links_issued=1120, started=8, completed=20, low_effort=3, durations={"17": 12, "25": 8}
    )
    before = Totals(
        links_issued=1000, started=9, completed=40, abandoned=12, low_effort=1, durations={18: 40}
    )

    assert told(of(now, before=before)) == {
        "Links issued": ("1,120", "+12 %", "1,000 before"),
        "Started": ("8", "9 before"),
        "Completed": ("20", "−50 %", "40 before"),
        "Abandoned": ("0", "−100 %", "12 before"),
        "Expired": ("0", "0 before"),
        "Median time": ("17 min", "18 min before"),
        "Low effort": ("15 %", "3 of 20", "2.5 % before"),
    }


def test_without_days_before_nothing_is_compared() -> None:
    found = told(of(Day(links_issued=50, completed=4, low_effort=1, durations={"9": 4})))

    assert {len(said) for said in found.values()} == {1}
    assert found["Low effort"] == ("1 of 4",)


def test_of_nothing_nothing_is_claimed() -> None:
    found = of()

    assert found.is_empty
    assert told(found)["Median time"] == ("none yet",)
    assert told(found)["Low effort"] == ("none yet",)
    assert found.courses == found.durations == []
    assert found.middle_half is None
    assert [bar.count for bar in found.way] == [0] * 5


@pytest.mark.parametrize(
    "name", ["links_issued", "links_expired", "started", "completed", "abandoned"]
)
@pytest.mark.parametrize("day", [WEEK.first, TODAY])
def test_anything_that_happened_is_something(name: str, day: date) -> None:
    assert not of(Day(day, **{name: 1})).is_empty  # type: ignore[arg-type]


def test_the_way_loses_at_each_section_who_stopped_there() -> None:
    totals = Totals(completed=60, abandoned=40)
    stopped = {BEFORE_FIRST: 10, "interests": 1, "aptitude": 25, "preferences": 4}

    assert way(totals, stopped, SECTIONS) == [
        Bar("Started", 100, "100%", "100 %", "10 stopped here, 10 %"),
        Bar("Interests", 90, "90%", "90 %", "1 stopped here, 1 %"),
        Bar("Aptitude", 89, "89%", "89 %", "25 stopped here, 25 %"),
        Bar("Preferences", 64, "64%", "64 %", "4 stopped here, 4 %"),
        Bar("Completed", 60, "60%", "60 %"),
    ]


def test_of_few_attempts_there_is_no_percentage() -> None:
    found = way(Totals(completed=2, abandoned=1), {"aptitude": 1}, SECTIONS)

    assert {bar.share for bar in found} == {""}
    assert [bar.note for bar in found] == ["", "", "1 stopped here", "", ""]


def test_a_section_of_an_earlier_bank_is_not_lost() -> None:
    found = way(Totals(completed=5, abandoned=2), {"essay": 2}, SECTIONS)

    assert [(bar.label, bar.count) for bar in found][-2:] == [("Essay", 7), ("Completed", 5)]
    assert found[-2].note == "2 stopped here"


def test_the_links_stand_beside_the_starts() -> None:
    assert of(Day(links_issued=8, started=4)).asked == [
        Bar("Links issued", 8, "100%"),
        Bar("Assessments started", 4, "50%"),
    ]


def test_courses_beyond_the_most_recommended_are_counted_together() -> None:
    named = {f"Course {number:02}": 40 - number for number in range(MOST_COURSES + 3)}
    found = of(
        Day(WEEK.first, completed=40, courses={**named, OTHER_COURSES: 7}),
        Day(WEEK.last, courses={"Course 00": 1}),
    )

    assert len(found.courses) == MOST_COURSES
    assert found.courses[0] == Bar("Course 00", 41, "100%", "102 %")
    assert found.courses[1].label == "Course 01"
    assert found.other_courses == 7 + sum(40 - n for n in range(MOST_COURSES, MOST_COURSES + 3))


def test_durations_are_named_by_their_bins() -> None:
    found = of(Day(completed=21, durations={"5": 10, "60": 10, "1000": 1}))

    assert [(bar.label, bar.count) for bar in found.durations if bar.count] == [
        ("5–9 min", 10),
        ("60 min or longer", 11),
    ]
    assert found.middle_half == (5, 60)


def test_half_of_a_few_says_nothing() -> None:
    assert of(Day(completed=9, durations={"5": 9})).middle_half is None


@pytest.mark.parametrize(
    ("part", "base", "said", "whole"),
    [
        (1, 9, "1 of 9", ""),
        (0, 0, "none yet", ""),
        (0, 50, "0 %", "0 %"),
        (1, 300, "0.3 %", "<1 %"),
        (1, 8, "1 of 8", ""),
        (500, 4000, "12.5 %", "12 %"),
    ],
)
def test_a_share_in_words(part: int, base: int, said: str, whole: str) -> None:
    assert share(part, base) == said
    assert whole_percent(part, base) == whole


def test_a_change_has_its_sign() -> None:
    before = Totals(links_issued=100)

    notes = [tiles(Totals(links_issued=n), before)[0].notes[0] for n in (105, 100, 95)]

    assert notes == ["+5 %", "±0 %", "−5 %"]


def test_a_day_that_was_not_counted_is_a_gap_of_nought() -> None:
    found = of(Day(WEEK.last - timedelta(days=1), started=4))

    assert [point.y for point in found.trend.lines[0].points] == ["100%"] * 5 + ["0%", "100%"]
