"""The start page and the top of a project's: the lists of each role, and what lately happened."""

import html
import re
from datetime import UTC, datetime, timedelta

import pytest
from django.utils import timezone

from assessments.models import RefusedCall
from partners.models import LastSuccess
from tests import roles
from tests.assessments.attempts import issue, started
from tests.factories import BY, AccessTokenFactory, CourseFactory, ProjectFactory

pytestmark = pytest.mark.django_db

LONG_AGO = datetime(2026, 1, 1, tzinfo=UTC)
OF_SUPPORT = ["Partners", "Projects", "Figures", "Access tokens", "Refused calls", "Webhooks"]
OF_SUPPORT += ["Links", "Students", "Attempts", "Courses"]


@pytest.mark.parametrize(
    ("role", "lists"),
    [
        (roles.SUPPORT, OF_SUPPORT),
        (roles.CONTENT, ["Partners", "Projects", "Figures", "Courses", "Items", "Item banks"]),
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
    assert re.search(r'field-test_project.*?<div class="readonly">no</div>', page, re.S)


def test_each_group_of_the_menu_has_another_name_than_its_one_entry(admin_client):
    groups = admin_client.get("/admin/").context["app_list"]

    assert len(groups) == 4
    assert not [each for each in groups if [each["name"]] == [m["name"] for m in each["models"]]]


def test_times_of_no_project_are_in_the_zone_of_new_projects(admin_client, project):
    AccessTokenFactory.create(project=project).revoke(by=BY)
    LastSuccess.objects.update_or_create(
        task="purge", defaults={"known_since": LONG_AGO, "succeeded_at": LONG_AGO}
    )

    home = admin_client.get("/admin/").content.decode()
    trail = admin_client.get("/admin/partners/auditevent/").content.decode()

    assert "purge last succeeded 1 Jan 2026, 05:30 IST" in home
    assert " IST" in trail
    assert "UTC" not in home + trail
    assert timezone.get_current_timezone_name() == "UTC"  # as for partners


def test_many_projects_are_searched_for_by_name_or_partner(admin_client, bank):
    projects = [ProjectFactory.create(name=f"{name} College") for name in "ABCDEFGHIJK"]
    for each in projects[:2]:
        issue(each)

    def listed(text):
        page = admin_client.get("/admin/assessments/student/", {"project": text})
        return [student.project for student in page.context["cl"].result_list], page

    label = f"{projects[0].name}, {projects[0].partner.name}"
    for text in (str(projects[0].pk), "a college", label, projects[0].partner.name):
        found, page = listed(text)
        assert (found, page.context["cl"].searched_project) == ([projects[0]], projects[0]), text
        assert '<datalist id="projects">' in page.content.decode()
    for text, found in (("College", projects[1::-1]), ("nowhere", []), (" ", []), ("0", [])):
        assert listed(text)[0] == found, text
    assert listed("College")[1].context["cl"].searched_project is None


def test_the_page_of_a_student_begins_with_the_name_which_its_title_lacks(admin_client, project):
    student = issue(project)[0].student

    page = admin_client.get(f"/admin/assessments/student/{student.pk}/change/").content.decode()

    assert f"<h1>{student.name}</h1>" in page
    assert f"› {student.name}" in " ".join(page.split())
    assert student.name not in page.partition("</title>")[0]
    assert f"student {student.pk}" not in page.partition('id="content"')[2]
