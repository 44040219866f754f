"""The page of a project: what it lacks, each with the way to fix it, and where all else is."""

from __future__ import annotations

import pytest
from django.test import Client

from partners.models import Project
from tests.factories import CourseFactory, ProjectFactory, issued_token, staff_with

pytestmark = pytest.mark.django_db
PROJECTS = "/admin/partners/project/"


@pytest.fixture
def project() -> Project:
    """Give a project that lacks nothing."""
    project = issued_token()[0].project
    CourseFactory.create(project=project)
    return project


def page(client: Client, project: Project) -> str:
    return " ".join(client.get(f"{PROJECTS}{project.pk}/change/").content.decode().split())


def test_a_project_that_lacks_nothing_has_no_warning(
    admin_client: Client, project: Project
) -> None:
    text = page(admin_client, project)

    assert 'class="lacks"' not in text
    for words in ("No live access token", "No active courses", "This project has been closed"):
        assert words not in text


def test_a_project_without_a_live_token_leads_to_a_new_one(
    admin_client: Client, project: Project
) -> None:
    project.access_tokens.get().revoke(actor="staff:0")

    text = page(admin_client, project)

    issue = f"/admin/tokens/accesstoken/issue/?project={project.pk}"
    assert "<b>No live access token:</b> every call is refused." in text
    assert f'<a href="{issue}">Issue access token</a>' in text
    assert "No active courses" not in text


def test_a_project_without_active_courses_leads_to_them(
    admin_client: Client, project: Project
) -> None:
    project.courses.update(is_active=False)

    text = page(admin_client, project)

    assert "<b>No active courses:</b> completed assessments recommend nothing." in text
    assert f'<a href="/admin/assessments/course/catalogue/{project.pk}/">Add courses</a>' in text
    assert "No live access token" not in text


def test_a_warning_has_no_link_for_those_who_may_not_fix_it() -> None:
    client = Client()
    client.force_login(staff_with("partners.view_project"))
    project = ProjectFactory.create()
    project.close(actor="staff:0")

    text = page(client, project)

    for words in ("No live access token", "No active courses", "This project has been closed"):
        assert words in text
    for address in ("/issue/", "/catalogue/", "/reopen/"):
        assert address not in text
