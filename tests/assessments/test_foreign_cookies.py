"""No cookie but its own opens an attempt: not a planted one, nor another student's."""

from __future__ import annotations

import hashlib

import pytest
from django.middleware.csrf import _get_new_csrf_string
from django.urls import reverse

from assessments.models import Answer
from partners.models import Project
from tests.assessments.attempts import issue
from tests.support.browser import Browser

pytestmark = pytest.mark.usefixtures("bank")


@pytest.mark.parametrize("name", ["question", "leave", "result", "private-link"])
def test_without_a_cookie_no_page_of_an_attempt_opens(
    project: Project, browser: Browser, name: str
) -> None:
    _, url = issue(project)
    Browser().start(url)
    path = reverse(name, args=[project.project_id, *([1] if name == "question" else [])])

    page = browser.get(path)

    assert page.status == 403
    assert page.name == "error-403"
    assert "Asha" not in page.text
    assert "asm_" not in page.text


def test_no_planted_cookie_opens_the_attempt_after_the_start(
    project: Project, browser: Browser
) -> None:
    """L18: whoever planted them knows the CSRF secret, but not the link token."""
    attackers_own = Browser()
    attackers_own.start(issue(project, email="attacker@example.net")[1])
    planted = {
        "csrftoken": _get_new_csrf_string(),
        "attempt": attackers_own.cookies["attempt"],
        "sessionid": "planted-session",
    }
    browser.client.cookies.load(planted)
    link, url = issue(project)

    browser.go_on(browser.start(url))

    link.refresh_from_db()
    victims = link.assessment
    assert victims is not None
    # No page goes to the attempt whose cookie was planted.
    assert list(Answer.objects.values_list("assessment", flat=True)) == [victims.pk] * 6
    assert not victims.is_in_browser(planted["attempt"])
    attacker = Browser()
    attacker.client.cookies.load(planted)
    page = attacker.open(f"/{project.project_id}/assessment")
    assert victims.assessment_id not in page.text
    for guess in (planted["csrftoken"], hashlib.sha256(planted["csrftoken"].encode()).hexdigest()):
        attacker.client.cookies["attempt"] = guess
        assert attacker.get(reverse("question", args=[project.project_id, 1])).status == 403


def test_two_students_on_one_phone(project: Project, browser: Browser) -> None:
    """L19: the second start takes the browser over; a page of the first changes nothing."""
    first_link, first_url = issue(project, name="Asha", email="asha@example.com")
    second_link, second_url = issue(project, name="Bina", email="bina@example.com")
    first_page = browser.go_on(browser.start(first_url))
    browser.go_on(browser.start(second_url))
    chosen = dict.fromkeys(first_page.form.questions, "1")

    refused = browser.send(first_page, chosen)

    first_link.refresh_from_db()
    second_link.refresh_from_db()
    assert refused.status == 409
    assert refused.name == "error-409"
    assert project.name in refused.text
    for name in ("Asha", "Bina"):
        assert name not in refused.text
    assert first_link.assessment.answers.given().count() == 0
    assert second_link.assessment.answers.given().count() == 0


def test_leaving_from_the_page_of_another_attempt_is_refused(
    project: Project, browser: Browser
) -> None:
    first_link, first_url = issue(project, email="asha@example.com")
    second_link, second_url = issue(project, email="bina@example.com")
    browser.start(first_url)
    leave_page = browser.open(reverse("leave", args=[project.project_id]))
    browser.start(second_url)

    refused = browser.send(leave_page, {"leave": "yes"})

    first_link.refresh_from_db()
    second_link.refresh_from_db()
    assert refused.status == 409
    assert first_link.assessment.is_open()
    assert second_link.assessment.is_open()
