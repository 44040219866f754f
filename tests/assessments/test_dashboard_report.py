"""What a dashboard says of counted days; no database, no page."""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import date

from assessments.charts.dashboard_report import Report, report
from assessments.charts.day_bars import Bar, way
from assessments.charts.days import BEFORE_FIRST, Period, Totals

TODAY = date(2026, 11, 21)
WEEK = Period.before(TODAY, 7)
LANGUAGES = [("en", "English"), ("hi", "हिन्दी")]
SECTIONS = [("interests", "Interests"), ("aptitude", "Aptitude"), ("preferences", "Preferences")]


@dataclass
class Day:
    """A counted day."""

    day: date = WEEK.last
    links_issued: int = 0
    links_expired: int = 0
    links_cancelled: int = 0
    started: int = 0
    completed: int = 0
    abandoned: int = 0
    low_effort: int = 0
    durations: dict[str, int] = field(default_factory=dict)
    courses: dict[str, int] = field(default_factory=dict)
    stopped: dict[str, int] = field(default_factory=dict)
    languages: dict[str, dict[str, int]] = field(default_factory=dict)


def of(*days: Day, today: Day | None = None, before: list[Day] | None = None) -> Report:
    now = [today] if today else None
    return report(days, WEEK, SECTIONS, LANGUAGES, today=now, before=before)


def figures(found: Report) -> dict[str, tuple[str, ...]]:
    return {tile.label: (tile.value, *tile.notes) for tile in found.tiles}


def test_a_period_ends_yesterday() -> None:
    assert Period(date(2026, 11, 14), date(2026, 11, 20)) == WEEK
    assert len(WEEK.days) == 7
    assert Period.before(WEEK.first, 7).last == date(2026, 11, 13)
    assert Period.before(date(2026, 3, 1), 1).days == [date(2026, 2, 28)]


def test_whole_days_are_summed_and_today_is_separate() -> None:
    found = of(
        Day(WEEK.first, links_issued=3, started=2),
        Day(WEEK.last, links_issued=4, completed=1, durations={"17": 1}),
        today=Day(TODAY, links_issued=100),
    )

    assert found.totals == Totals(links_issued=7, started=2, completed=1, durations={17: 1})
    assert found.today
    assert found.today.links_issued == 100
    assert [row.day for row in found.rows] == [WEEK.last, WEEK.first]
    assert found.trend.description == "From 14 Nov to 20 Nov: 2 started, 1 completed."


def test_each_figure_is_compared_with_the_days_before() -> None:
    now = Day(
        links_issued=1120, started=8, completed=20, low_effort=3, durations={"17": 12, "25": 8}
    )
    before = Day(
        links_issued=1000, started=9, completed=40, abandoned=12, low_effort=1,
        durations={"18": 40},
    )  # fmt: skip

    assert figures(of(now, before=[before])) == {
        "Completion rate": ("100 %", "20 of 20 that ended", "76.9 % before"),
        "Links issued": ("1,120", "+12 %", "1,000 before"),
        "Started": ("8", "9 before"),
        "Completed": ("20", "−50 %", "40 before"),
        "Abandoned": ("0", "−100 %", "12 before"),
        "Expired": ("0", "0 before"),
        "Median time": ("17 min", "18 min before"),
        "Low effort": ("15 %", "3 of 20", "2.5 % before"),
    }


def test_cancelled_links_have_a_figure_only_if_there_are_any() -> None:
    assert "Cancelled" not in figures(of(Day(links_issued=3), before=[Day()]))
    assert figures(of(Day(links_cancelled=3), before=[Day()]))["Cancelled"] == ("3", "0 before")
    assert figures(of(Day(), before=[Day(links_cancelled=2)]))["Cancelled"] == ("0", "2 before")


def test_the_way_loses_at_each_section_who_stopped_there() -> None:
    totals = Totals(completed=60, abandoned=40)
    stopped = {BEFORE_FIRST: 10, "interests": 1, "aptitude": 25, "preferences": 4}

    assert way(totals, stopped, SECTIONS) == [
        Bar("All that ended", 100, "100%", "100 %", "10 stopped here, 10 %"),
        Bar("Interests", 90, "90%", "90 %", "1 stopped here, 1 %"),
        Bar("Aptitude", 89, "89%", "89 %", "25 stopped here, 25 %"),
        Bar("Preferences", 64, "64%", "64 %", "4 stopped here, 4 %"),
        Bar("Completed", 60, "60%", "60 %"),
    ]


def test_of_few_attempts_there_is_no_percentage() -> None:
    found = way(Totals(completed=2, abandoned=1), {"aptitude": 1}, SECTIONS)

    assert {bar.share for bar in found} == {""}
    assert [bar.note for bar in found] == ["", "", "1 stopped here", "", ""]


def test_the_completion_rate_is_of_those_that_ended_whenever_they_started() -> None:
    of_many = figures(of(Day(started=500, completed=30, abandoned=10)))["Completion rate"]
    of_few = figures(of(Day(started=5, completed=3, abandoned=1)))["Completion rate"]
    of_none = figures(of(Day(started=5)))["Completion rate"]

    assert of_many == ("75 %", "30 of 40 that ended")
    assert (of_few, of_none) == (("3 of 4",), ("none yet",))


def test_a_year_before_has_a_line_of_its_own_by_date() -> None:
    season = Period(date(2024, 2, 28), date(2024, 3, 1))
    earlier = [Day(date(2023, 2, 28), completed=4), Day(date(2023, 3, 1), completed=7)]

    found = report(
        [Day(date(2024, 3, 1), completed=9)],
        season,
        SECTIONS,
        LANGUAGES,
        before=earlier,
        compared=season.a_year_before,
    )

    assert [line.label for line in found.trend.lines][2:] == ["Completed a year before"]
    # The 29th of February stands beside the 28th.
    assert [place.description.rpartition(", ")[2] for place in found.trend.places] == [
        f"{count} completed a year before" for count in (4, 4, 7)
    ]
    assert season.a_year_before == Period(date(2023, 2, 28), date(2023, 3, 1))
    assert Period(date(2024, 2, 29), date(2024, 2, 29)).a_year_before.first == date(2023, 2, 28)


def test_details_that_were_deleted_are_no_zeros() -> None:
    """A share of courses is of the attempts whose courses are still known."""
    old = Day(WEEK.first, started=30, completed=30, abandoned=10)
    kept = Day(
        WEEK.last, started=20, completed=10, durations={"17": 10}, courses={"Botany": 5},
        languages={"en": {"started": 20, "completed": 10}},
    )  # fmt: skip

    found = report([old, kept], WEEK, SECTIONS, LANGUAGES, kept_from=WEEK.last)

    assert found.totals.completed == 40
    assert [(bar.label, bar.share) for bar in found.courses] == [("Botany", "50 %")]
    assert [(bar.label, bar.count) for bar in found.way][-1] == ("Completed", 10)
    assert [(row.name, row.started) for row in found.languages] == [("English", 20)]


def test_languages_stand_in_their_order_and_unknown_ones_last() -> None:
    found = of(
        Day(WEEK.first, started=7, completed=4),  # counted before languages were
        Day(
            started=30, completed=12, abandoned=3,
            languages={
                "ta": {"started": 1},
                "hi": {"started": 20, "completed": 9, "abandoned": 3},
                "en": {"started": 9, "completed": 3},
            },
        ),
    )  # fmt: skip

    assert [
        (row.name, row.started, row.completed, row.completion_rate) for row in found.languages
    ] == [
        ("English", 9, 3, "3 of 3"),
        ("हिन्दी", 20, 9, "75 %"),
        ("ta", 1, 0, "none yet"),
        ("Not counted by language", 7, 4, "4 of 4"),
    ]
