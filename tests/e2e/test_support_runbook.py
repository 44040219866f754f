"""The support runbook, followed word for word in a browser, and what each case takes."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING, Any

import pytest

from tests.e2e import rows
from tests.e2e.conftest import CATALOGUE, onboard
from tests.e2e.runbook import Support
from tests.e2e.staff import WORRYING, Staff
from tests.support.backend import Applicant, PartnerBackend, Refused
from tests.support.hygiene import remember
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
def signed_in(browser: Browser, support: Staff) -> Any:
    """Give the cookies of a sign-in; an account may try only five a minute."""
    context = browser.new_context()
    support.sign_in(context.new_page())
    cookies = context.storage_state()
    context.close()
    return cookies


@pytest.fixture
def follow(browser: Browser, service: Service, signed_in: Any) -> Iterator[Follow]:
    """Give a function that does a case of the runbook; at the end no console may complain."""
    context = browser.new_context(storage_state=signed_in)
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
    assert student.kind == "section"
    old, new = rows.links(service, applicant)
    assert old["used_at"] is None
    assert new["used_at"] is not None
    assert done.effort <= MOST_EFFORT


def test_a_leaked_secret_is_replaced_without_a_gap_and_ends_by_itself(
    service: Service, follow: Follow, applicant: Applicant
) -> None:
    leaked = onboard(service, "Leaky College")

    rotated = follow("Our secret leaked, and admissions are open", TokenId=leaked.token_id)
    effort = rotated.effort
    header = rotated.page.locator("#token-header").inner_text()
    token_id, _, secret = header.removeprefix("X-Access-Token: ").strip().partition(":")
    fresh = PartnerBackend(service.url, leaked.project_id, token_id, secret)
    both = [fresh.assessments(applicant.email), leaked.assessments(applicant.email)]
    rotated.page.get_by_role("link", name="I have copied it: go to the token", exact=True).click()
    said = rotated.page.locator(".verdict").inner_text()
    service.rows(
        "UPDATE tokens_accesstoken SET expires_at = %s WHERE token_id = %s",
        (datetime.now(UTC) - timedelta(seconds=1), leaked.token_id),
    )

    assert both == [[], []]
    assert "ends by itself" in said
    assert "Revoke, once the successor works" in said
    assert fresh.assessments(applicant.email) == []
    refused_with_401(leaked, applicant)
    assert effort <= MOST_EFFORT


def test_the_old_token_of_a_rotation_is_ended_once_nothing_calls_with_it(
    service: Service, follow: Follow, applicant: Applicant
) -> None:
    old = onboard(service, "Changing College")
    service.manage("rotate_token", old.token_id)
    two_days_ago = datetime.now(UTC) - timedelta(days=2)
    service.rows(
        "UPDATE tokens_accesstoken SET rotated_at = %s WHERE token_id = %s",
        (two_days_ago, old.token_id),
    )

    ended = follow("End the old token of a rotation", TokenId=old.token_id)

    refused_with_401(old, applicant)
    assert ended.effort <= MOST_EFFORT


def test_a_refused_call_is_explained_by_its_request_id(
    service: Service, follow: Follow, partner: PartnerBackend
) -> None:
    with pytest.raises(Refused) as refused:
        partner.assessments("no address")
    request_id = refused.value.body["requestId"]
    written = "SELECT 1 FROM assessments_refusedcall WHERE request_id = %s"
    until = time.monotonic() + 10
    while not service.rows(written, (request_id,)) and time.monotonic() < until:
        time.sleep(0.2)

    done = follow("A partner says that calls fail", requestId=request_id)

    assert "email: The value, or the body, breaks a rule." in done.page.inner_text("#content-main")
    assert done.effort <= MOST_EFFORT


def test_a_link_to_the_wrong_person_is_cancelled(
    service: Service, follow: Follow, partner: PartnerBackend, applicant: Applicant
) -> None:
    address = partner.redirect_url(applicant)

    done = follow("A link went to the wrong person", **{"e-mail address or link": address})

    [link] = rows.links(service, applicant)
    assert link["cancelled_at"] is not None
    assert done.effort <= MOST_EFFORT


def test_a_mistyped_address_is_corrected(
    service: Service, follow: Follow, partner: PartnerBackend
) -> None:
    wrong = Applicant("Asha Rao", "asha.roa@example.com", "+91 98765 43211")
    url = partner.redirect_url(wrong)
    right = "asha.rao.right@example.com"

    done = follow(
        "A partner sent a wrong e-mail address",
        **{"wrong address": wrong.email, "right address": right},
    )

    fresh = done.page.inner_text("#redirect-url")
    assert fresh != url
    assert rows.links(service, wrong) == []
    student = service.rows("SELECT id FROM assessments_student WHERE email = %s", (right,))
    links = service.rows(
        "SELECT cancelled_at FROM assessments_assessmentlink WHERE student_id = %s ORDER BY id",
        (student[0]["id"],),
    )
    assert [link["cancelled_at"] is None for link in links] == [False, True]
    assert done.effort <= MOST_EFFORT


def test_a_401_is_explained_by_the_token(
    service: Service, follow: Follow, applicant: Applicant
) -> None:
    partner = onboard(service, "Mixed-up College")
    service.manage("revoke_token", partner.token_id, "--yes")
    with pytest.raises(Refused):
        partner.assessments(applicant.email)
    written = "SELECT 1 FROM assessments_refusedcall WHERE status = 401"
    until = time.monotonic() + 10
    while not service.rows(written) and time.monotonic() < until:
        time.sleep(0.2)

    done = follow("A partner gets 401", TokenId=partner.token_id)

    assert "invalid_credentials: revoked" in done.page.inner_text("#content-main")
    assert done.effort <= MOST_EFFORT


def test_the_links_of_a_leaked_secret_are_cancelled(
    service: Service, follow: Follow, applicant: Applicant
) -> None:
    leaked = onboard(service, "Leaking College")
    leaked.redirect_url(applicant)
    service.manage("revoke_token", leaked.token_id, "--yes")

    done = follow("Cancel the links of a leaked secret", TokenId=leaked.token_id)

    [link] = rows.links(service, applicant)
    assert link["cancelled_at"] is not None
    assert done.effort <= MOST_EFFORT


def test_a_private_link_is_ended(
    partner: PartnerBackend, applicant: Applicant, student: Student, follow: Follow
) -> None:
    student.start(partner.redirect_url(applicant))
    student.answer_to_the_end()
    student.press("Get a private link")
    student.press("Make the link")
    address = remember(student.page.locator("input[readonly]").input_value())
    request = student.context.request
    before = request.get(address).status

    ended = follow(
        "A result was shared with the wrong person", **{"e-mail address": applicant.email}
    )

    assert (before, request.get(address).status) == (200, 404)
    assert ended.effort <= MOST_EFFORT


def refused_with_401(backend: PartnerBackend, applicant: Applicant) -> None:
    with pytest.raises(Refused) as refused:
        backend.assessments(applicant.email)
    assert refused.value.status == 401
    assert refused.value.body["code"] == "invalid_credentials"


def age_links(service: Service, applicant: Applicant, by: timedelta) -> None:
    """Make a student's links older, as time would."""
    for link in rows.links(service, applicant):
        service.rows(
            "UPDATE assessments_assessmentlink SET issued_at = %s, expires_at = %s WHERE id = %s",
            (link["issued_at"] - by, link["expires_at"] - by, link["id"]),
        )


def test_a_fresh_link_is_copied_by_its_button(
    browser: Browser,
    service: Service,
    signed_in: Any,
    partner: PartnerBackend,
    applicant: Applicant,
) -> None:
    partner.redirect_url(applicant)
    [student] = service.rows(
        "SELECT id FROM assessments_student WHERE email = %s", (applicant.email,)
    )
    context = browser.new_context(
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
