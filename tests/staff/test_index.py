"""The start page and the top of a project's: the lists of each role, and what lately happened."""

import html
import re
from datetime import timedelta

import pytest
from django.utils import timezone

from assessments.models import RefusedCall
from tests import roles
from tests.assessments.attempts import issue, started
from tests.factories import AccessTokenFactory, CourseFactory, ProjectFactory

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


@pytest.mark.sqlite
def test_a_project_in_use_says_so_and_counts_its_week(admin_client, project, bank):
    now = timezone.now()
    token = AccessTokenFactory.create(project=project, last_used_at=now - timedelta(minutes=2))
    CourseFactory.create(project=project)
    call = {"project": project, "access_token": token, "status": 404, "code": "not_found"}
    RefusedCall.objects.create(at=now, **call)
    issue(project)
    started(project, email="b@example.com")

    page = admin_client.get(f"/admin/partners/project/{project.pk}/change/").content.decode()

    shown = " ".join(re.sub(r"<[^>]*>", " ", html.unescape(page)).split()).replace("\xa0", " ")
    assert "Live · token used 2 minutes ago · 1 course for school leavers · webhooks none" in shown
    assert "Last seven days Links 2 Starts 1 Ends 0 Refused calls 1" in shown
