"""One field finds what was sent to support, and keeps no link that was pasted into it."""

from __future__ import annotations

import logging
from typing import Any

import pytest
from django.apps import apps
from django.conf import settings
from django.contrib.auth.models import User
from django.test import Client
from django.urls import reverse

from assessments.models import AssessmentLink, Student
from partners.models import AuditEvent, Project
from tests.assessments.attempts import issue, started, token_of, use
from tests.factories import PartnerFactory, ProjectFactory, staff_with

SEARCH = "/admin/assessments/assessmentlink/find/"
SEES = ("assessments.view_assessmentlink", "assessments.view_student")
RIGHTS = (*SEES, "assessments.view_assessment", "tokens.view_accesstoken", "partners.view_project")

pytestmark = pytest.mark.usefixtures("bank")


@pytest.fixture
def support(db: None) -> Client:
    client = Client()
    client.force_login(staff_with(*RIGHTS))
    return client


def search(client: Client, text: str) -> Any:
    return client.post(SEARCH, {"q": text})


def page_of(row: Any) -> str:
    name = f"admin:{row._meta.app_label}_{row._meta.model_name}_change"
    return reverse(name, args=[row.pk])


def test_each_thing_leads_to_its_page(support: Client, project: Project) -> None:
    link, url = issue(project)
    attempt = use(link)
    token = project.access_tokens.create(secret_digest="0" * 64)

    for text, row in [
        ("Asha.Rao@Example.com", link.student),
        ("098765-43210", link.student),
        (attempt.assessment_id, attempt),
        (token.token_id, token),
        (project.project_id, project),
        (url, link),
        (f' "{url}" ', link),
        (token_of(url), link),
        (url.replace(settings.APP_URL, "https://elsewhere.test"), link),
        (f"#{link.pk}", link),
        (str(link.link_id), link),
    ]:
        response = search(support, text)
        assert response.status_code == 302, text
        assert response.headers["Location"] == page_of(row)


def test_partners_and_projects_are_found_by_a_part_of_their_name(db: None) -> None:
    client = Client()
    client.force_login(staff_with(*RIGHTS, "partners.view_partner"))
    partner = PartnerFactory.create(name="Northern Portal")
    evening = ProjectFactory.create(partner=partner, name="Sahyadri Evening College")
    morning = ProjectFactory.create(partner=partner, name="Sahyadri Morning_2026")
    morning.close(actor="command:tests")

    assert search(client, "evening c").headers["Location"] == page_of(evening)
    assert search(client, "Morning_2026").headers["Location"] == page_of(morning)
    listed = search(client, "SAHYADRI").content.decode()
    assert listed.index(page_of(evening)) < listed.index(page_of(morning))
    assert "project of Northern Portal, closed" in listed
    of_partner = search(client, "northern").content.decode()
    assert all(page_of(row) in of_partner for row in (partner, evening, morning))
    assert "Nothing found." in search(client, "%").content.decode()


def test_a_students_name_finds_nobody_and_is_not_repeated(
    support: Client, project: Project
) -> None:
    issue(project, name="Asha Ramanathan")

    page = search(support, "Ramanathan").content.decode()

    assert "Students are not found by name" in page
    assert "Ramanathan" not in page
    assert "Ramanathan" not in str(list(AuditEvent.objects.values()))


@pytest.mark.parametrize("is_whole", [True, False])
def test_a_pasted_link_is_kept_nowhere(
    support: Client, project: Project, caplog: pytest.LogCaptureFixture, is_whole: bool
) -> None:
    caplog.set_level(logging.DEBUG)
    _, url = issue(project)
    pasted = url if is_whole else url[:-3]
    secret = token_of(pasted)

    response = search(support, pasted)
    followed = support.get(response.headers["Location"]) if is_whole else None

    stored = "\n".join(str(list(m._base_manager.values())) for m in apps.get_models())
    for place in (response.content.decode(), str(response.headers), support.cookies.output()):
        assert secret not in place
    assert followed is None or secret not in followed.content.decode()
    assert secret not in stored
    assert secret not in caplog.text


def test_a_student_of_several_projects_is_a_list(
    support: Client, project: Project, other_project: Project
) -> None:
    started(project)
    issue(other_project)

    page = search(support, "asha.rao@example.com")

    html = page.content.decode()
    assert page.status_code == 200
    assert "2 students" in html
    for student in Student.objects.all():
        assert f'href="{page_of(student)}"' in html
        assert student.project.name in html
    assert "in use" in html
    assert "unused" in html


@pytest.mark.parametrize(
    "text",
    [
        *("nobody@example.com", "+91 91111 11111", "lnk_0123456789abcdef", "asm_0123456789abcdef"),
        *("https://x.test/prj_1/assessment?token=abc", f"#{'9' * 18}"),
    ],
)
def test_a_search_without_results_says_so(support: Client, text: str) -> None:
    page = search(support, text)

    assert page.status_code == 200
    assert "Nothing found." in page.content.decode()


def test_a_pasted_secret_is_reported_as_leaked(support: Client, project: Project) -> None:
    token = project.access_tokens.create(secret_digest="0" * 64)
    secret = "sec_" + "x" * 49

    response = search(support, f"{token.token_id}:{secret}")
    page = support.get(response.headers["Location"])

    assert response.headers["Location"] == page_of(token)
    assert "It leaked when it was sent to you" in page.content.decode()
    assert secret not in page.content.decode()
    assert "It leaked when it was sent to you" in search(support, secret).content.decode()


@pytest.mark.parametrize("around", ["x" * 4_000, "\0"])
def test_unreadable_input_is_reported_and_not_echoed(
    support: Client, project: Project, around: str
) -> None:
    link, url = issue(project)

    page = search(support, url + around)

    html = page.content.decode()
    assert page.status_code == 200
    assert 'aria-invalid="true"' in html
    for kept in (token_of(url), url, "x" * 4_000):
        assert kept not in html
    assert link.student.email not in html


def test_without_the_right_to_links_there_is_no_finding(project: Project) -> None:
    client = Client()
    client.force_login(staff_with("assessments.view_student"))

    assert client.get(SEARCH).status_code == 403
    assert search(client, "asha.rao@example.com").status_code == 403
    assert Client().post(SEARCH, {"q": "x"}).status_code == 302


def test_it_leads_to_no_page_that_one_may_not_open(project: Project) -> None:
    token = project.access_tokens.create(secret_digest="0" * 64)
    client = Client()
    client.force_login(staff_with(*SEES))

    page = search(client, token.token_id)

    assert page.status_code == 200
    assert "your role does not allow you to open its page" in page.content.decode()


def test_every_find_is_in_the_audit_trail_without_what_was_typed(
    support: Client, project: Project
) -> None:
    _, url = issue(project)
    before = AuditEvent.objects.count()

    for text in ("asha.rao@example.com", "nobody@example.com", url):
        search(support, text)

    events = list(AuditEvent.objects.order_by("pk")[before:])
    user = User.objects.get()
    assert [(e.action, e.object_id, e.reason) for e in events] == [
        ("student.listed", f"user-{user.pk}", "find: 1 row"),
        ("student.listed", f"user-{user.pk}", "find: 0 rows"),
        ("student.listed", f"user-{user.pk}", "find: 1 row"),
    ]
    assert all(event.actor == f"staff:{user.pk}" for event in events)
    assert AssessmentLink.objects.get().used_at is None
