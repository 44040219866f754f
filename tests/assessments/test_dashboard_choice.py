"""Which figures are asked for: 7, 30 or 90 days, of all projects or of one that is searched for."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import timedelta

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


def test_without_a_range_it_is_thirty_days(staff: Client) -> None:
    day(TODAY - timedelta(days=30), started=3)

    assert tiles(staff.get(PAGE))["Started"] == "3"


@pytest.mark.parametrize("days", ["0", "8", "-7", "1e3", "x", "7 ", "９０", "9" * 400, "\0"])
def test_a_range_that_there_is_not_is_answered_politely(staff: Client, days: str) -> None:
    day(DAY, started=3)

    response = staff.get(PAGE, {"days": days})

    if response.status_code == 400:  # a NUL is refused for every page
        assert days == "\0"
    else:
        assert "You can choose 7, 30 or 90 days. These figures are for 30." in words(response)
        assert tiles(response)["Started"] == "3"


def test_a_project_has_figures_of_its_own(staff: Client, project: Project) -> None:
    day(DAY, started=100)
    day(DAY, project, started=3)

    for asked in (str(project.pk), project.project_id, project.name.upper(), f" {project.pk} "):
        response = staff.get(PAGE, {"project": asked, "days": "7"})

        assert tiles(response)["Started"] == "3", asked
        assert f"<h1>Figures of {project.name}</h1>" in response.content.decode()


def test_the_project_is_kept_from_range_to_range(staff: Client, project: Project) -> None:
    day(DAY, project, started=3)
    day(DAY)

    html = staff.get(PAGE, {"project": project.project_id}).content.decode()

    assert f'href="{PAGE}?project={project.pk}&amp;days=90"' in html


def test_several_projects_of_a_name_are_offered(staff: Client) -> None:
    partner = PartnerFactory.create(name="Northern Portal")
    found = [ProjectFactory.create(name=f"Campus {n}", partner=partner) for n in range(3)]

    for asked in ("campus", "northern"):
        response = staff.get(PAGE, {"project": asked, "days": "7"})

        assert "Several projects match" in words(response)
        for project in found:
            assert f'href="{PAGE}?project={project.pk}&amp;days=7"' in response.content.decode()


def test_of_a_thousand_projects_a_few_are_offered(staff: Client) -> None:
    partner = PartnerFactory.create()
    Project.objects.bulk_create(Project(name=f"Campus {n}", partner=partner) for n in range(1000))

    response = staff.get(PAGE, {"project": "campus"})

    assert "Many projects match “campus”. Type a longer part of the name" in words(response)
    assert response.content.decode().count("?project=") == 20
    assert "Campus 500" not in staff.get(PAGE).content.decode()


@pytest.mark.parametrize(
    "asked", ["999999", "9" * 18, "9" * 400, "prj_nobody", "no such college", "%", "<b>x</b>", "-1"]
)
def test_a_project_that_there_is_not_is_answered_politely(staff: Client, asked: str) -> None:
    day(DAY, started=3)

    response = staff.get(PAGE, {"project": asked})

    assert "No project matches" in words(response)
    assert "<b>x</b>" not in response.content.decode()
    assert not tiles(response)


def test_what_cannot_be_a_name_finds_nothing(staff: Client) -> None:
    assert staff.get(f"{PAGE}?project=%00").status_code in {200, 400}
    assert "No project matches" in words(staff.get(PAGE, {"project": "a\u2028b"}))
