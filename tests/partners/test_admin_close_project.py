from __future__ import annotations

import pytest
from django.contrib.auth.models import User
from django.test import Client

from partners.models import AuditEvent, Project
from tests.factories import ProjectFactory, issued_token, staff_with

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


def test_closing_asks_first(admin: Client) -> None:
    project = ProjectFactory.create()

    page = admin.get(url(project, "close"))

    project.refresh_from_db()
    assert "access tokens will be refused" in page.content.decode()
    assert not project.is_closed


def test_reopening_asks_first(admin: Client) -> None:
    project = ProjectFactory.create()
    project.close(actor="staff:0")

    page = admin.get(url(project, "reopen"))

    project.refresh_from_db()
    assert "access tokens and links work again" in page.content.decode()
    assert project.is_closed


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


def test_the_second_time_says_so(admin: Client) -> None:
    project = ProjectFactory.create()

    opening = admin.post(url(project, "reopen"), {"reason": "x"}, follow=True)
    project.close(actor="staff:0")
    closing = admin.post(url(project, "close"), {"reason": "x"}, follow=True)

    assert "was already open" in opening.content.decode()
    assert "was already closed" in closing.content.decode()
    assert AuditEvent.objects.count() == 1


def test_a_reason_is_asked_for(admin: Client) -> None:
    project = ProjectFactory.create()

    answer = admin.post(url(project, "close"), {"reason": ""})

    project.refresh_from_db()
    assert "errornote" in answer.content.decode()
    assert not project.is_closed


@pytest.mark.parametrize("what", ["close", "reopen"])
def test_without_the_right_there_is_neither_button_nor_page(what: str) -> None:
    client = Client()
    client.force_login(staff_with("partners.change_project", "partners.view_project"))
    project = ProjectFactory.create()

    page = client.get(url(project, "change"))

    project.refresh_from_db()
    assert url(project, what) not in page.content.decode()
    assert client.get(url(project, what)).status_code == 403
    assert client.post(url(project, what), {"reason": "x"}).status_code == 403
    assert not project.is_closed


def test_an_unknown_project_is_a_404(admin: Client) -> None:
    assert admin.get("/admin/partners/project/1234567/close/").status_code == 404


def test_the_page_for_what_is_done_leads_back(admin: Client) -> None:
    project = ProjectFactory.create()

    opening = admin.get(url(project, "reopen"), follow=True).content.decode()
    project.close(actor="staff:0")
    closing = admin.get(url(project, "close"), follow=True).content.decode()

    assert "was already open" in opening
    assert "was already closed" in closing
    assert "This project has been closed" in closing


@pytest.mark.parametrize("state", ["open", "closed"])
def test_the_list_is_narrowed_to_a_state(admin: Client, state: str) -> None:
    projects = dict(zip(("open", "closed"), ProjectFactory.create_batch(2), strict=True))
    projects["closed"].close(actor="staff:0")

    text = admin.get("/admin/partners/project/", {"state": state}).content.decode()

    assert {name for name, each in projects.items() if each.project_id in text} == {state}


def test_closing_says_how_many_tokens_are_refused(admin: Client) -> None:
    token, _ = issued_token()

    page = admin.get(url(token.project, "close")).content.decode()

    assert "Live tokens affected: 1." in page


@pytest.mark.parametrize(("query", "shown"), [("open", [True, False]), ("closed", [False, True])])
def test_the_list_is_narrowed_to_open_or_closed_projects(
    admin: Client, query: str, shown: list[bool]
) -> None:
    projects = [ProjectFactory.create(), ProjectFactory.create()]
    projects[1].close(actor="staff:0")

    html = admin.get("/admin/partners/project/", {"state": query}).content.decode()

    assert [project.project_id in html for project in projects] == shown
