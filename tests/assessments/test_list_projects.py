"""Operators list projects with their states, instead of opening the admin."""

from __future__ import annotations

import io
import json
from typing import Any

import pytest
from django.core.management import call_command
from django.test import Client

from tests.factories import (
    CourseFactory,
    PartnerFactory,
    ProjectFactory,
    issued_token,
    staff_as,
)

pytestmark = [pytest.mark.django_db, pytest.mark.sqlite]
WHO = {"actor": "command:tests"}


def listed(*arguments: str) -> Any:
    out = io.StringIO()
    call_command("list_projects", *arguments, stdout=out, stderr=io.StringIO())
    return out.getvalue()


def test_each_project_has_its_state_and_what_works() -> None:
    partner = PartnerFactory.create(name="Northern Portal")
    project = ProjectFactory.create(partner=partner, name="Evening")
    CourseFactory.create_batch(2, project=project)
    CourseFactory.create(project=project, is_active=False)
    for _ in range(2):
        issued_token(project)
    issued_token(project)[0].revoke(**WHO)
    closed = ProjectFactory.create(name="Morning", is_test=True)
    issued_token(closed)
    closed.close(**WHO)

    data = {each["name"]: each for each in json.loads(listed("--json"))}
    lines = [line.split() for line in listed().splitlines()]

    assert data["Evening"] == {
        "projectId": project.project_id,
        "name": "Evening",
        "partner": "Northern Portal",
        "state": "open",
        "isTest": False,
        "closedAt": None,
        "activeCourses": 2,
        "liveTokens": 2,
    }
    assert (data["Morning"]["state"], data["Morning"]["liveTokens"]) == ("closed", 0)
    assert [project.project_id, "open", "2", "2", "Evening,", "Northern", "Portal"] in lines
    assert [closed.project_id, "closed,", "test", "0", "0", "Morning,"] == lines[-1][:6]


def test_a_text_chooses_projects_by_name_partner_or_id() -> None:
    project = ProjectFactory.create(name="Evening")
    ProjectFactory.create(name="Morning")

    assert [each["name"] for each in json.loads(listed("even", "--json"))] == ["Evening"]
    assert [each["name"] for each in json.loads(listed(project.project_id, "--json"))] == [
        "Evening"
    ]
    assert listed("nothing like it") == ""


@pytest.mark.parametrize(("role", "sees"), [("Administrator", True), ("Support", False)])
def test_administrators_see_new_tokens_on_the_first_page(role: str, sees: bool) -> None:
    token, _ = issued_token()
    client = Client()
    client.force_login(staff_as(role))

    page = client.get("/admin/").content.decode()

    assert ("Access tokens of the last two weeks" in page) is sees
    assert (token.token_id in page) is sees
