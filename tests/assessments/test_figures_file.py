"""The counted days as a CSV file."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterator
from datetime import timedelta
from typing import Any

import pytest
import time_machine
from django.test import Client

from partners.models import Project
from tests.assessments.counted import AT, DAY
from tests.assessments.dashboard_pages import PAGE, RIGHT, day
from tests.factories import ProjectFactory, staff_with

pytestmark = pytest.mark.django_db
DOWNLOAD = f"{PAGE}download/"


@pytest.fixture(autouse=True)
def _at() -> Iterator[None]:
    with time_machine.travel(AT, tick=False):
        yield


def rows(client: Client, **asked: object) -> list[dict[str, str]]:
    response: Any = client.get(DOWNLOAD, asked)
    assert response.status_code == 200
    text = response.getvalue().decode()
    return list(csv.DictReader(io.StringIO(text.removeprefix("\ufeff"), newline="")))


def test_a_partners_file_has_a_row_for_each_project_and_day(
    client: Client, project: Project
) -> None:
    client.force_login(staff_with(RIGHT, "assessments.view_answer"))
    second = ProjectFactory.create(partner=project.partner, name="=Evening")
    day(DAY, started=99)
    day(DAY, project, started=3, completed=2, low_effort=1, durations={"10": 1, "30": 1})
    day(DAY - timedelta(days=1), second, links_issued=1)
    day(DAY - timedelta(days=8), second, started=77)

    found = rows(client, partner=project.partner.pk, days=7)

    assert [row["project"] for row in found] == ["'=Evening", project.name]
    assert found[1] == {
        "day": "2026-11-20",
        "partner": project.partner.name,
        "project": project.name,
        "projectId": project.project_id,
        "linksIssued": "0",
        "linksExpired": "0",
        "linksCancelled": "0",
        "started": "3",
        "completed": "2",
        "abandoned": "0",
        "lowEffort": "1",
        "medianMinutes": "10",
    }
    assert found[0]["medianMinutes"] == ""


def test_a_file_is_named_after_what_it_has(client: Client, project: Project) -> None:
    client.force_login(staff_with(RIGHT))

    def name(**asked: object) -> str:
        header: str = client.get(DOWNLOAD, {"days": 7, **asked}).headers["Content-Disposition"]
        return header.partition("filename=")[2].strip('"')

    days = "2026-11-14-2026-11-20.csv"
    assert name() == f"figures-all-{days}"
    assert name(project=project.pk) == f"figures-{project.project_id}-{days}"
    assert name(partner=project.partner.pk) == f"figures-partner-{project.partner.pk}-{days}"


def test_all_projects_together_have_a_row_a_day_without_outcomes_for_support(
    client: Client, project: Project
) -> None:
    client.force_login(staff_with(RIGHT))
    day(DAY, started=99, low_effort=1)
    day(DAY, project, started=3)

    [row] = rows(client, days=7)

    assert (row["project"], row["started"]) == ("", "99")
    assert "lowEffort" not in row


def test_without_the_right_or_by_post_there_is_no_file(client: Client) -> None:
    client.force_login(staff_with("assessments.view_assessment"))
    assert client.get(DOWNLOAD).status_code == 403

    client.force_login(staff_with(RIGHT))
    assert client.post(DOWNLOAD).status_code == 405
    assert client.get(DOWNLOAD, {"project": "no such college"}).status_code == 404
