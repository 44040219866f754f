"""When the partner read an outcome for the first time is kept, and costs later calls nothing."""

from __future__ import annotations

import json
from datetime import UTC, datetime, timedelta

import pytest
import time_machine
from django.db import connection
from django.test.utils import CaptureQueriesContext

from assessments.models import Assessment
from partners.models import Project
from tests.assessments.attempts import completed, marked_completed, started
from tests.assessments.partner import Backend

AT = datetime(2026, 11, 21, 9, 30, tzinfo=UTC)

pytestmark = pytest.mark.usefixtures("bank")


def test_the_first_read_is_recorded_and_later_ones_change_nothing(
    project: Project, api: Backend
) -> None:
    attempt = marked_completed(started(project))

    with time_machine.travel(AT, tick=False) as clock:
        first = api.results()
        clock.shift(timedelta(days=1))
        second = api.results()

    attempt.refresh_from_db()
    assert attempt.results_read_at == AT
    assert first.content == second.content
    assert list(json.loads(first.content)[0]) == [
        "AssessmentId", "Status", "Recommendations", "AssessmentDuration",
    ]  # fmt: skip


def test_what_was_read_before_is_not_asked_about_again(project: Project, api: Backend) -> None:
    """One statement more at the first reading, of however many outcomes; none later."""
    marked_completed(started(project))
    marked_completed(started(project))
    api.results(email="nobody@example.com")  # so that the token's last use is fresh
    asked = []

    for _ in range(2):
        with CaptureQueriesContext(connection) as queries:
            api.results()
        asked.append([query["sql"].split()[0] for query in queries.captured_queries])

    first, second = asked
    assert first == [*second, "UPDATE"]
    assert "UPDATE" not in second


def test_an_abandoned_attempt_is_read_too_and_an_open_one_is_not(
    project: Project, api: Backend
) -> None:
    left = started(project)
    left.abandon()
    running = started(project)

    api.results()

    left.refresh_from_db()
    running.refresh_from_db()
    assert left.results_read_at is not None
    assert running.results_read_at is None


def test_another_s_outcome_is_not_read_with_it(
    project: Project, other_project: Project, api: Backend
) -> None:
    marked_completed(started(project))
    others = [
        marked_completed(started(project, email="other@example.com")),
        marked_completed(started(other_project)),
    ]

    api.results()

    assert Assessment.objects.filter(results_read_at=None).count() == len(others)


def test_staff_who_look_at_a_page_read_nothing_for_the_partner(
    project: Project, admin_client: object
) -> None:
    attempt = completed(started(project))

    page = admin_client.get(  # type: ignore[attr-defined]
        f"/admin/assessments/assessment/{attempt.pk}/change/"
    )

    attempt.refresh_from_db()
    assert "The partner has not read the outcome yet" in page.content.decode()
    assert attempt.results_read_at is None
