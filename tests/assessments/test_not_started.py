"""Who has not started: by the partner's reference, never by address."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterator
from datetime import timedelta
from typing import Any

import pytest
import time_machine
from django.test import Client

from assessments.models import AssessmentLink, LinkEvent
from assessments.support import not_started
from partners.models import AuditEvent, Project
from tests.assessments.attempts import issue, use
from tests.assessments.counted import AT, issued, make_attempt
from tests.assessments.dashboard_pages import PAGE, RIGHT, words
from tests.factories import ProjectFactory, staff_with

pytestmark = pytest.mark.usefixtures("bank")
ADDRESS = f"{PAGE}not-started/"
FINDS = "assessments.view_assessmentlink"
SENT = AT - timedelta(days=2)


@pytest.fixture(autouse=True)
def _at() -> Iterator[None]:
    with time_machine.travel(AT, tick=False):
        yield


@pytest.fixture
def support(client: Client) -> Client:
    client.force_login(staff_with(RIGHT, FINDS))
    return client


def sent(project: Project, reference: str, **changes: Any) -> AssessmentLink:
    link = issued(project, SENT)
    AssessmentLink.objects.filter(pk=link.pk).update(reference=reference, **changes)
    return link


def states(response: Any) -> dict[str, str]:
    text = response.getvalue().decode().removeprefix("\ufeff")
    found = csv.DictReader(io.StringIO(text, newline=""))
    return {row["Reference"]: row["State"] for row in found}


def test_it_lists_students_who_never_started_and_nobody_else(
    support: Client, project: Project
) -> None:
    sent(project, "A-1")
    sent(project, "A-5", issued_at=AT - timedelta(minutes=1))
    LinkEvent.objects.create(link=sent(project, "A-2"), number=1, at=SENT, kind="opened")
    LinkEvent.objects.create(link=sent(project, "A-3"), number=1, at=SENT, kind="robot")
    sent(project, "A-4", expires_at=AT - timedelta(hours=1))
    sent(project, "B-1", cancelled_at=AT)
    sent(project, "too early", issued_at=AT - timedelta(days=9))
    sent(ProjectFactory.create(), "of another project")
    link, _ = issue(project, SENT, email="started@example.com")
    AssessmentLink.objects.filter(pk=link.pk).update(reference="started")
    use(link, at=SENT + timedelta(hours=1))
    fresh, _ = issue(project, SENT + timedelta(hours=2), email="started@example.com")
    AssessmentLink.objects.filter(pk=fresh.pk).update(reference="started before")

    page = support.get(ADDRESS, {"project": project.pk, "days": "7"})
    file = support.get(ADDRESS, {"project": project.pk, "days": "7", "file": "csv"})

    assert states(file) == {
        "A-1": "unopened",
        "A-2": "opened",
        "A-3": "unopened",
        "A-4": "expired",
        "A-5": "unopened",
        "B-1": "cancelled",
    }
    read = words(page)
    assert all(reference in read for reference in ("A-1", "A-2", "A-3", "A-4"))
    assert not any(each in read for each in ("too early", "started before", "@"))
    seen = AuditEvent.objects.of_actions(["student.listed"]).order_by("pk")
    assert list(seen.values_list("action", "reason")) == [
        ("student.listed", "students who have not started: 6 rows"),
        ("student.listed", "a file of students who have not started: 6 rows"),
    ]


def test_each_student_stands_once_by_the_newest_link(support: Client, project: Project) -> None:
    first, _ = issue(project, SENT, email="twice@example.com")
    second, _ = issue(project, SENT + timedelta(hours=1), email="twice@example.com")

    read = words(support.get(ADDRESS, {"project": project.pk, "days": "7"}))

    assert f"none sent #{second.pk} " in read
    assert f"#{first.pk} " not in read


def test_an_erased_student_is_not_listed(support: Client, project: Project) -> None:
    sent(project, "A-1").student.erase(reason="asked", actor="command:tests")

    read = words(support.get(ADDRESS, {"project": project.pk, "days": "7"}))

    assert "Everybody who was sent a link in these days has started" in read


def test_the_page_is_bounded_and_the_file_has_all(
    support: Client, project: Project, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(not_started, "MOST_LISTED", 2)
    monkeypatch.setattr(not_started, "PAGE", 2)
    for number in range(5):
        sent(project, f"A-{number}")

    read = words(support.get(ADDRESS, {"project": project.pk, "days": "7"}))
    file = support.get(ADDRESS, {"project": project.pk, "days": "7", "file": "csv"})

    assert "These are the newest 2. The file has all." in read
    assert list(states(file)) == [f"A-{number}" for number in range(5)]


def test_who_may_not_find_links_may_not_see_the_list(client: Client, project: Project) -> None:
    make_attempt(project, SENT)
    client.force_login(staff_with(RIGHT))

    assert client.get(ADDRESS, {"project": project.pk}).status_code == 403
    assert "Who has not started" not in words(client.get(PAGE, {"project": project.pk}))


def test_it_needs_a_project(support: Client, project: Project) -> None:
    assert support.get(ADDRESS).status_code == 404
    assert support.get(ADDRESS, {"partner": project.partner.pk}).status_code == 404
    assert support.post(ADDRESS, {"project": project.pk}).status_code == 405
