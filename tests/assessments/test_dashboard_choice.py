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
from tests.factories import staff_with

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
