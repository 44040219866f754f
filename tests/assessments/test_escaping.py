"""Text that others wrote is shown as text: names of people, projects and courses, and items."""

import copy

import pytest
from django.urls import reverse

from assessments.models import AssessmentLink, Attempt, ItemBank
from partners.models import Project
from tests.assessments.attempts import completed, inside, issue, newest_of
from tests.factories import BY, CourseFactory
from tests.support.browser import Page

# Markup, and what needs none.
PAYLOADS = [
    '"><svg/onload=alert(1)></title><script>alert(1)</script><img/src=x/onerror=alert(1)>',
    "'onmouseover='alert(1){{31337*3}}{{31337|add:62674}}{%debug%}javascript:alert(1)",
]
EXECUTED = ("<script>", "<img/src=x", "<svg/onload", "onerror=alert(1)>", "'onmouseover='")

pytestmark = pytest.mark.django_db


def publish(small_bank, payload):
    data = copy.deepcopy(small_bank)
    for item in data["items"]:
        item["text"] = {"en": payload}
        item |= {"lines": [payload]} if "lines" in item else {}
    for section in data["sections"]:
        section["title"], section["intro"] = {"en": payload}, {"en": [payload]}
    for answers in data["answers"].values():
        for answer in answers:
            answer["label"] = {"en": payload}
    bank, _ = ItemBank.objects.publish(data, by=BY)
    bank.make_current(by=BY)


@pytest.mark.slow
@pytest.mark.parametrize("payload", PAYLOADS)
def test_on_every_page_of_students_and_staff(
    small_bank, project, browser, other_browser, admin_client, payload
):
    publish(small_bank, payload)
    Project.objects.filter(pk=project.pk).update(name=payload)
    CourseFactory.create(project=project, name=payload)
    _, url = issue(project, name=payload)

    pages = [browser.open(url), browser.send(browser.open(url))]
    page = browser.press(pages[0], {"consent": "yes"})
    pages.append(other_browser.open(url))
    pages.append(browser.open(inside("leave", newest_of(project))))
    pages.append(browser.open(issue(project, name=payload)[1]))
    while page.name != "result":
        pages += [page, browser.send(page)] if page.name == "question" else [page]
        page = browser.go_on(page)
        if page.place == "/26":
            completed(Attempt.objects.get())
            page = browser.open(url)
    pages.append(page)

    assert len(pages) > 12
    for each in pages:
        assert each.status in {200, 400, 410}
        assert payload not in each.text
        assert [found for found in (*EXECUTED, ">94011") if found in each.text] == []
        assert all(script.get("src", "").startswith("/static/") for script in each.scripts)
        policy = each.response.headers["Content-Security-Policy"]
        assert "default-src 'none'" in policy
        assert "unsafe" not in policy

    link = AssessmentLink.objects.filter(used_at__isnull=False).get()
    for row in (link, link.student, link.attempt, project.courses.get()):
        name = f"admin:assessments_{row._meta.model_name}"
        for path in (reverse(f"{name}_changelist"), reverse(f"{name}_change", args=[row.pk])):
            text = Page(admin_client.get(path)).text
            assert [each for each in EXECUTED[1:] + ("<script>alert(1)",) if each in text] == []
