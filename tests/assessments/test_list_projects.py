"""Operators list projects with their states, instead of opening the admin."""

import io
import json

import pytest
from django.core.management import call_command

from tests.factories import CourseFactory, ProjectFactory, issued_token

pytestmark = [pytest.mark.django_db, pytest.mark.sqlite]
WHO = {"actor": "command:tests"}


def listed(*arguments):
    out = io.StringIO()
    call_command("list_projects", *arguments, stdout=out, stderr=io.StringIO())
    return out.getvalue()


def test_each_project_has_its_state_and_what_works():
    project = ProjectFactory.create(partner__name="Northern Portal", name="Evening")
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
    for text in ("even", project.project_id):
        assert [each["name"] for each in json.loads(listed(text, "--json"))] == ["Evening"]
    assert listed("nothing like it") == ""
