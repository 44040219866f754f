from __future__ import annotations

import pytest
from django.contrib.auth.models import User
from django.test import Client

from partners.models import AuditEvent, Project
from tests.factories import ProjectFactory, staff_with

pytestmark = pytest.mark.django_db


@pytest.fixture
def staff() -> User:
    return staff_with("partners.close_project", "partners.view_project")


@pytest.fixture
def admin(staff: User) -> Client:
    client = Client()
    client.force_login(staff)
    return client


def url(project: Project, what: str) -> str:
    return f"/admin/partners/project/{project.pk}/{what}/"


def test_closing_and_reopening(admin: Client, staff: User) -> None:
    project = ProjectFactory.create()

    closing = admin.post(url(project, "close"), {"reason": "unpaid"}, follow=True)
    project.refresh_from_db()
    was_closed = project.is_closed
    opening = admin.post(url(project, "reopen"), {"reason": "paid"}, follow=True)
    project.refresh_from_db()

    events = AuditEvent.objects.about(project).newest_first()
    assert (was_closed, project.is_closed) == (True, False)
    assert f"Project {project} was closed." in closing.content.decode()
    assert url(project, "reopen") in closing.content.decode()
    assert f"Project {project} was reopened." in opening.content.decode()
    assert [(event.action, event.reason) for event in events] == [
        ("project.reopened", "paid"),
        ("project.closed", "unpaid"),
    ]
    assert {event.actor for event in events} == {f"staff:{staff.pk}"}


def test_a_reason_is_asked_for(admin: Client) -> None:
    project = ProjectFactory.create()

    answer = admin.post(url(project, "close"), {"reason": ""})

    project.refresh_from_db()
    assert "errornote" in answer.content.decode()
    assert not project.is_closed


@pytest.mark.parametrize(("query", "shown"), [("open", [True, False]), ("closed", [False, True])])
def test_the_list_is_narrowed_to_open_or_closed_projects(
    admin: Client, query: str, shown: list[bool]
) -> None:
    projects = [ProjectFactory.create(), ProjectFactory.create()]
    projects[1].close(actor="staff:0")

    html = admin.get("/admin/partners/project/", {"state": query}).content.decode()

    assert [project.project_id in html for project in projects] == shown
