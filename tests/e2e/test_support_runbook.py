"""The support runbook, followed word for word in a browser, and what each case takes."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from datetime import timedelta
from typing import TYPE_CHECKING, Any

import pytest

from tests.e2e import rows
from tests.e2e.conftest import CATALOGUE
from tests.e2e.runbook import Support
from tests.e2e.staff import WORRYING, Staff
from tests.support.backend import Applicant, PartnerBackend
from tests.support.server import Service
from tests.support.student import Student

if TYPE_CHECKING:
    from playwright.sync_api import Browser

pytestmark = pytest.mark.slow

MOST_EFFORT = 10  # clicks and page loads

Follow = Callable[..., Support]


@pytest.fixture(scope="module")
def support(service: Service) -> Staff:
    """Give an account with the role Support and nothing else."""
    return Staff(service, roles=["Support"])


@pytest.fixture(scope="module")
def signed_in(chromium: Browser, support: Staff) -> Any:
    """Give the cookies of a sign-in; an account may try only five a minute."""
    context = chromium.new_context()
    support.sign_in(context.new_page())
    cookies = context.storage_state()
    context.close()
    return cookies


@pytest.fixture
def follow(chromium: Browser, service: Service, signed_in: Any) -> Iterator[Follow]:
    """Give a function that does a case of the runbook; at the end no console may complain."""
    context = chromium.new_context(storage_state=signed_in)
    page = context.new_page()
    page.set_default_timeout(10_000)
    complaints: list[str] = []
    # An error or a warning: chromium also remarks on a field that it need not focus.
    page.on("console", lambda said: said.type in WORRYING and complaints.append(said.text))
    page.on("pageerror", lambda error: complaints.append(str(error)))
    page.goto(f"{service.url}/admin/")

    def do(case: str, **values: str) -> Support:
        person = Support(page, f"{service.url}/admin/", values)
        person.follow(case)
        return person

    yield do
    context.close()
    assert complaints == []


def test_a_college_is_onboarded_and_its_backend_calls(
    service: Service, follow: Follow, applicant: Applicant
) -> None:
    done = follow(
        "Onboard a college",
        partner="Northern Portal",
        project="Sahyadri Evening College",
        catalogue=str(CATALOGUE),
    )

    page = done.page
    [project] = service.rows(
        "SELECT id, project_id FROM partners_project WHERE name = 'Sahyadri Evening College'"
    )
    [courses] = service.rows(
        "SELECT count(*) AS n FROM assessments_course WHERE project_id = %s", (project["id"],)
    )
    [token] = service.rows(
        "SELECT token_id FROM tokens_accesstoken WHERE project_id = %s", (project["id"],)
    )
    secret = page.locator("#token-secret").inner_text().strip()
    backend = PartnerBackend(service.url, project["project_id"], token["token_id"], secret)
    assert backend.redirect_url(applicant).startswith(f"{service.url}/{project['project_id']}/")
    assert courses["n"] > 10
    assert done.effort <= MOST_EFFORT


def test_a_dead_link_is_explained_and_made_good(
    service: Service,
    follow: Follow,
    partner: PartnerBackend,
    applicant: Applicant,
    student: Student,
) -> None:
    dead = partner.redirect_url(applicant)
    age_links(service, applicant, timedelta(days=5))

    done = follow("A student says the link is dead", **{"e-mail address or link": dead})

    fresh = done.page.locator("#redirect-url").inner_text().strip()
    student.start(fresh)
    assert student.asks_subjects
    old, new = rows.links(service, applicant)
    assert old["used_at"] is None
    assert new["used_at"] is not None
    assert done.effort <= MOST_EFFORT


def age_links(service: Service, applicant: Applicant, by: timedelta) -> None:
    """Make a student's links older, as time would."""
    for link in rows.links(service, applicant):
        service.rows(
            "UPDATE assessments_assessmentlink SET issued_at = %s, expires_at = %s WHERE id = %s",
            (link["issued_at"] - by, link["expires_at"] - by, link["id"]),
        )


def test_a_fresh_link_is_copied_by_its_button(
    chromium: Browser,
    service: Service,
    signed_in: Any,
    partner: PartnerBackend,
    applicant: Applicant,
) -> None:
    partner.redirect_url(applicant)
    [student] = service.rows(
        "SELECT id FROM assessments_student WHERE email = %s", (applicant.email,)
    )
    context = chromium.new_context(
        storage_state=signed_in, permissions=["clipboard-read", "clipboard-write"]
    )
    page = context.new_page()
    faults: list[str] = []
    page.on("console", lambda message: faults.append(message.text))
    page.goto(f"{service.url}/admin/assessments/student/{student['id']}/issue/")
    page.fill("[name=reason]", "the link was lost")
    page.click("#content-main button[type=submit]")

    page.get_by_role("button", name="Copy").click()
    page.get_by_role("button", name="Copied").wait_for()

    copied = page.evaluate("navigator.clipboard.readText()")
    assert copied == page.inner_text("#redirect-url").strip()
    assert copied.startswith(service.url)
    assert faults == []
    context.close()
