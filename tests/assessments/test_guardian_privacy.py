"""Where a guardian's name and contact can be read: on the attempt's admin page, nowhere else."""

from __future__ import annotations

import json
import logging

import pytest
from django.db import IntegrityError
from django.test import Client
from django.urls import reverse
from django.views.debug import SafeExceptionReporterFilter

from assessments.models import Assessment, AssessmentLink
from config.logging import JSONFormatter
from partners.models import AuditEvent, Project
from partners.student_pages import ConsentMode
from tests.assessments.ages import GUARDIAN, MINOR
from tests.assessments.attempts import completed, issue
from tests.assessments.partner import Backend
from tests.factories import ProjectFactory
from tests.support.browser import Browser

pytestmark = pytest.mark.usefixtures("bank")


@pytest.fixture
def project(db: None) -> Project:
    return ProjectFactory.create(consent_mode=ConsentMode.ASK)


@pytest.fixture
def attempt(project: Project, browser: Browser) -> Assessment:
    """Give a completed attempt of a minor, whose result is in `browser`."""
    browser.start(issue(project)[1], **MINOR)
    return completed(Assessment.objects.get())


def guardian_details(text: str) -> list[str]:
    """Return which of the guardian's data stand in a text."""
    return [value for value in GUARDIAN.values() if value in text]


def test_staff_read_it_on_the_attempts_own_page(attempt: Assessment, admin_client: Client) -> None:
    page = admin_client.get(reverse("admin:assessments_assessment_change", args=[attempt.pk]))

    assert guardian_details(page.content.decode()) == list(GUARDIAN.values())
    assert "under 18" in page.content.decode()


@pytest.mark.parametrize("model", ["assessment", "assessmentlink", "student"])
def test_no_list_shows_it(attempt: Assessment, admin_client: Client, model: str) -> None:
    page = admin_client.get(reverse(f"admin:assessments_{model}_changelist")).content.decode()

    assert guardian_details(page) == []
    assert "asha.rao@example.com" in page


@pytest.mark.parametrize("name", ["guardian_name", "guardian_contact"])
def test_nobody_is_found_by_it(attempt: Assessment, admin_client: Client, name: str) -> None:
    find = reverse("admin:assessments_assessmentlink_find")

    page = admin_client.post(find, {"q": GUARDIAN[name]}).content.decode()

    assert "Nothing found." in page
    assert "asha.rao@example.com" not in page


def test_no_page_of_the_student_shows_it_after_the_start(
    attempt: Assessment, browser: Browser, project: Project
) -> None:
    result = browser.open(f"/{project.project_id}/assessment")
    landing = Browser().open(issue(project)[1])

    assert result.name == "result"
    assert guardian_details(result.text) == guardian_details(landing.text) == []


def test_the_partner_does_not_get_it(attempt: Assessment, project: Project) -> None:
    response = Backend.of(project).results()

    assert [record["AssessmentId"] for record in json.loads(response.content)] == [
        attempt.assessment_id
    ]
    assert guardian_details(response.content.decode()) == []


def test_the_audit_trail_does_not_hold_it(attempt: Assessment) -> None:
    assert guardian_details(str(list(AuditEvent.objects.values()))) == []


def test_an_attempt_does_not_print_it(attempt: Assessment) -> None:
    assert guardian_details(f"{attempt} {attempt!r}") == []


def test_what_a_start_logs_when_it_fails_has_nothing_of_it(
    project: Project,
    browser: Browser,
    caplog: pytest.LogCaptureFixture,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """PostgreSQL repeats a refused row in its message."""

    def broken(*_: object) -> None:
        row = f"(1, {GUARDIAN['guardian_name']}, {GUARDIAN['guardian_contact']})"
        raise IntegrityError(f'violates check constraint "x"\nDETAIL:  Failing row contains {row}.')

    link, url = issue(project)
    monkeypatch.setattr(AssessmentLink, "_new_attempt", broken)
    browser.client.raise_request_exception = False

    with caplog.at_level(logging.DEBUG):
        browser.start(url, **MINOR)

    lines = [JSONFormatter().format(record) for record in caplog.records]
    assert any("violates check constraint" in line for line in lines)
    assert guardian_details("\n".join(lines)) == []
    link.refresh_from_db()
    assert link.used_at is None


def test_an_error_report_leaves_it_out(
    project: Project, browser: Browser, monkeypatch: pytest.MonkeyPatch
) -> None:
    def broken(link: AssessmentLink, *_: object) -> None:
        raise RuntimeError

    monkeypatch.setattr(AssessmentLink, "asks_age", broken)
    browser.client.raise_request_exception = False
    _, url = issue(project)
    page = browser.open(url)

    response = browser.send(page, MINOR).response

    request = response.wsgi_request  # type: ignore[attr-defined]
    reported = SafeExceptionReporterFilter().get_post_parameters(request)
    assert response.status_code == 500
    assert guardian_details(str(reported)) == []
    assert reported["consent"] == "yes"
