"""Which figures are asked for: whose, of which days, and beside which other days."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import date, timedelta

import pytest
import time_machine
from django.test import Client

from partners.models import Project
from tests.assessments.counted import AT, DAY
from tests.assessments.dashboard_pages import PAGE, RIGHT, TODAY, day, tiles, words
from tests.factories import PartnerFactory, ProjectFactory, staff_with

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def _at() -> Iterator[None]:
    with time_machine.travel(AT, tick=False):
        yield


@pytest.fixture
def staff(client: Client) -> Client:
    client.force_login(staff_with(RIGHT))
    return client


@pytest.mark.parametrize("days", [7, 30, 90])
def test_a_range_has_its_whole_days_and_no_more(staff: Client, days: int) -> None:
    day(TODAY - timedelta(days=days), started=3)
    day(TODAY - timedelta(days=days + 1), started=100)

    response = staff.get(PAGE, {"days": str(days)})

    assert tiles(response)["Started"] == "3"
    assert f">{days} days</a>" in response.content.decode().partition('aria-current="true"')[2][:30]


def test_a_project_has_figures_of_its_own(staff: Client, project: Project) -> None:
    day(DAY, started=100)
    day(DAY, project, started=3)

    for asked in (str(project.pk), project.project_id, project.name.upper(), f" {project.pk} "):
        response = staff.get(PAGE, {"project": asked, "days": "7"})

        assert tiles(response)["Started"] == "3", asked
        assert f"<h1>Figures of {project.name}</h1>" in response.content.decode()


@pytest.mark.parametrize(
    "asked", ["999999", "9" * 18, "9" * 400, "prj_nobody", "no such college", "%", "<b>x</b>", "-1"]
)
def test_a_project_that_there_is_not_is_answered_politely(staff: Client, asked: str) -> None:
    day(DAY, started=3)

    response = staff.get(PAGE, {"project": asked})

    assert "No project matches" in words(response)
    assert "<b>x</b>" not in response.content.decode()
    assert not tiles(response)


def test_any_two_dates_can_be_chosen(staff: Client) -> None:
    first, last = DAY - timedelta(days=40), DAY - timedelta(days=20)
    for at, started in ((first - timedelta(days=1), 100), (first, 1), (last, 2), (DAY, 100)):
        day(at, started=started)

    response = staff.get(PAGE, {"first": first, "last": last})

    assert tiles(response)["Started"] == "3"
    assert "11 Oct 2026 to 31 Oct 2026: 21 whole days" in words(response)
    assert "Today so far" not in words(response)
    assert 'aria-current="true">' not in response.content.decode().partition("<h1>")[2]


@pytest.mark.parametrize(
    ("first", "last", "said"),
    [
        ("2026-11-01", "", "Choose both days, or none."),
        ("2026-11-10", "2026-11-01", "The last day comes before the first."),
        ("2026-11-01", "2026-11-21", "Choose a last day before today (UTC)"),
        ("2019-12-31", "2020-01-31", "There are no figures before 2020."),
        ("2025-11-01", "2026-11-02", "Choose at most 366 days."),
        ("31.12.2025", "2026-01-31", "From: Enter a valid date."),
        ("2026-11-01", "9999999-01-01", "To: Enter a valid date."),
    ],
)
def test_dates_that_cannot_be_are_told(staff: Client, first: str, last: str, said: str) -> None:
    day(DAY, started=3)

    response = staff.get(PAGE, {"first": first, "last": last, "days": "7"})

    assert said in words(response)
    # Figures of other days would be taken for those that were asked for.
    assert not tiles(response)
    assert "Download as CSV" not in words(response)
    assert staff.get(f"{PAGE}download/", {"first": first, "last": last}).status_code == 404


def test_a_season_stands_beside_the_same_dates_a_year_before(staff: Client) -> None:
    day(date(2025, 6, 1), started=1)
    day(date(2025, 11, 2), started=40, completed=30)
    day(date(2026, 11, 2), started=50, completed=45)

    response = staff.get(PAGE, {"first": "2026-11-01", "last": "2026-11-07", "compare": "year"})

    read = words(response)
    assert "compared with 1 Nov 2025 to 7 Nov 2025" in read
    assert "Started 50 +25 % 40 before" in read
    assert "Completed a year before" in read


def test_a_partner_has_the_figures_of_its_projects_together(
    staff: Client, project: Project
) -> None:
    second = ProjectFactory.create(partner=project.partner, name="Evening courses")
    other = ProjectFactory.create()
    day(DAY, started=1000)
    day(DAY, project, started=3, completed=20, abandoned=5, durations={"10": 20})
    day(DAY, second, started=4, completed=20, durations={"30": 20})
    day(DAY - timedelta(days=1), second, started=1)
    day(DAY, other, started=500)

    response = staff.get(PAGE, {"partner": project.partner.pk, "days": "7"})

    shown = tiles(response)
    assert (shown["Started"], shown["Completion rate"], shown["Median time"]) == (
        "8",
        "88.9 %",
        "10 min",
    )
    assert f"<h1>Figures of {project.partner.name}</h1>" in response.content.decode()
    beside = words(response).partition("Projects beside each other")[2]
    assert f"{project.name} 80 % 0 3 20 5" in beside
    assert "Evening courses 100 % 0 5 20 0" in beside
    assert other.name not in beside


def test_the_projects_of_all_stand_beside_each_other_in_a_short_time(staff: Client) -> None:
    busy, quiet = ProjectFactory.create(name="Busy"), ProjectFactory.create(name="Quiet")
    day(DAY, started=30)
    day(DAY, quiet, started=1)
    day(DAY, busy, started=29)

    short = words(staff.get(PAGE, {"days": "90"})).partition("Projects beside each other")[2]
    long = words(staff.get(PAGE, {"first": "2026-01-01", "last": "2026-11-20"}))

    assert short.index("Busy") < short.index("Quiet")
    assert "Choose at most 92 days to see the projects" in long


def test_a_search_for_a_partner_of_several_projects_offers_them_together(staff: Client) -> None:
    partner = PartnerFactory.create(name="Northern University")
    ProjectFactory.create_batch(2, partner=partner)
    day(DAY, started=3)

    response = staff.get(PAGE, {"project": "northern"})

    assert f'href="{PAGE}?partner={partner.pk}&amp;days=30">Northern University' in (
        response.content.decode()
    )


@pytest.mark.parametrize("key", ["0", "999999", "x", "1e3", "9" * 30])
def test_a_partner_that_there_is_not_has_no_page(staff: Client, key: str) -> None:
    assert staff.get(PAGE, {"partner": key}).status_code == 404
