"""Text that others wrote is shown as text: names of people, projects and courses, and items."""

from __future__ import annotations

import copy
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.test import Client
from django.urls import reverse

from assessments.models import Assessment, ItemBank
from partners.models import Project
from tests.assessments.attempts import completed, issue
from tests.factories import CourseFactory
from tests.support.browser import Browser, Page

# Markup, and what needs none.
PAYLOADS = [
    '"><svg/onload=alert(1)></title><script>alert(1)</script><img/src=x/onerror=alert(1)>',
    "'onmouseover='alert(1){{31337*3}}{{31337|add:62674}}{%debug%}javascript:alert(1)",
]

pytestmark = pytest.mark.django_db


def assert_harmless(page: Page, payload: str) -> None:
    assert page.status in {200, 400, 410}
    if "<" in payload or '"' in payload:
        assert payload not in page.text
    assert "<script>" not in page.text
    assert "onerror=alert(1)>" not in page.text
    assert "'onmouseover='" not in page.text
    assert ">94011" not in page.text
    for script in page.scripts:
        assert script.get("src", "").startswith("/static/")
    policy = page.response.headers["Content-Security-Policy"]
    assert "default-src 'none'" in policy
    assert "unsafe" not in policy


@pytest.mark.parametrize("payload", PAYLOADS)
def test_on_every_student_page(
    small_bank: dict[str, Any], project: Project, browser: Browser, payload: str
) -> None:
    data = copy.deepcopy(small_bank)
    for item in data["items"]:
        item["text"] = {"en": payload}
        if "lines" in item:
            item["lines"] = [payload]
    for section in data["sections"]:
        section["title"], section["intro"] = {"en": payload}, {"en": [payload]}
    for answers in data["answers"].values():
        for answer in answers:
            answer["label"] = {"en": payload}
    bank, _ = ItemBank.objects.publish(data, actor="command:tests")
    bank.make_current(actor="command:tests")
    Project.objects.filter(pk=project.pk).update(name=payload)
    CourseFactory.create(project=project, name=payload)
    _, url = issue(project, name=payload)

    pages = [browser.open(url), browser.send(browser.open(url))]
    page = browser.press(pages[0], {"consent": "yes"})
    pages.append(Browser().open(url))
    pages.append(browser.open(reverse("leave", args=[project.project_id])))
    pages.append(browser.open(issue(project, name=payload)[1]))
    while page.name != "result":
        pages.append(page)
        if page.name == "question":
            pages.append(browser.send(page))
        page = browser.go_on(page)
        if page.response.request["PATH_INFO"].endswith("/26"):
            completed(Assessment.objects.get())
            page = browser.open(url)
    pages.append(page)

    assert len(pages) > 12
    for each in pages:
        assert_harmless(each, payload)


@pytest.mark.parametrize("payload", PAYLOADS)
def test_on_the_pages_of_staff(
    bank: ItemBank, project: Project, admin_user: User, payload: str
) -> None:
    CourseFactory.create(project=project, name=payload)
    link, url = issue(project, name=payload)
    Browser().start(url)
    link.refresh_from_db()
    completed(link.assessment)
    client = Client()
    client.force_login(admin_user)

    for model, pk in (
        ("student", link.student_id),
        ("assessmentlink", link.pk),
        ("assessment", link.assessment_id),
        ("course", project.courses.get().pk),
    ):
        for path in (
            reverse(f"admin:assessments_{model}_changelist"),
            reverse(f"admin:assessments_{model}_change", args=[pk]),
        ):
            text = client.get(path).content.decode()
            assert "<script>alert(1)" not in text
            assert "<img/src=x" not in text
            assert "<svg/onload" not in text
