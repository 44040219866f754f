"""The start page: the lists of each role, and what the last day brought."""

import re
from datetime import timedelta

import pytest
from django.utils import timezone

from tests import roles
from tests.assessments.attempts import issue
from tests.factories import ProjectFactory

pytestmark = pytest.mark.django_db

OF_SUPPORT = ["Partners", "Projects", "Access tokens", "Refused calls", "Webhooks"]
OF_SUPPORT += ["Links", "Students", "Attempts", "Courses", "Figures"]


@pytest.mark.parametrize(
    ("role", "lists"),
    [
        (roles.SUPPORT, OF_SUPPORT),
        (roles.CONTENT, ["Partners", "Projects", "Courses", "Items", "Item banks", "Figures"]),
    ],
)
def test_a_role_finds_the_lists_of_its_work_and_no_other(staff, role, lists):
    page = staff(roles=(role,)).get("/admin/").content.decode()

    assert re.findall(r'<th scope="row"[^>]*>\s*<a href="[^"]*"[^>]*>([^<]*)</a>', page) == lists


def test_the_last_day_is_counted_for_those_who_may_see_projects(staff, project, bank):
    issue(project)
    issue(project, timezone.now() - timedelta(days=2))
    issue(ProjectFactory.create(is_test=True))

    page = staff("partners.view_project").get("/admin/")

    assert page.context["recent"][0] == ("Links", 1, 2)
    assert staff("auth.view_user").get("/admin/").context["recent"] == []
