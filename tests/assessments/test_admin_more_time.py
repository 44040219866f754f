"""More time of support for an open attempt: given once, within reach, to what is open."""

from __future__ import annotations

from datetime import timedelta

import pytest
from django.test import Client
from django.utils import timezone

from assessments.models import Assessment
from partners.models import AuditEvent, Project
from tests.assessments.attempts import (
    started,
)
from tests.assessments.link_actions import STAFF, WHY, address, hidden, press

pytestmark = pytest.mark.usefixtures("bank")


def test_an_open_attempt_gets_more_time(support: Client, project: Project) -> None:
    attempt = started(project)
    before = attempt.finish_by_at

    response = press(support, address("extend", attempt), days="7")

    attempt.refresh_from_db()
    event = AuditEvent.objects.get(action="assessment.extended")
    assert response.status_code == 302
    assert timedelta(days=5) < attempt.finish_by_at - before < timedelta(days=7)
    assert (event.object_id, event.reason) == (attempt.assessment_id, WHY)


def test_sent_twice_it_extends_once(support: Client, project: Project) -> None:
    attempt = started(project)
    url = address("extend", attempt)
    fields = {**hidden(support, url), "reason": WHY, "days": "7"}

    support.post(url, fields)
    until = Assessment.objects.get().finish_by_at
    answer = support.post(url, fields)

    said = support.get(answer.headers["Location"]).content.decode()
    assert Assessment.objects.get().finish_by_at == until
    assert AuditEvent.objects.filter(action="assessment.extended").count() == 1
    assert "Nothing was changed this time." in said


def test_a_stale_form_extends_nothing(project: Project) -> None:
    attempt = started(project)
    seen, until = attempt.finish_by_at, timezone.now() + timedelta(days=3)

    assert attempt.extend(until, seen=seen, actor=STAFF) is True
    assert attempt.extend(until + timedelta(days=3), seen=seen, actor=STAFF) is False

    assert Assessment.objects.get().finish_by_at == until
    assert AuditEvent.objects.filter(action="assessment.extended").count() == 1


@pytest.mark.parametrize("moment", [timedelta(0), timedelta(days=30, seconds=1)])
def test_a_moment_out_of_reach_is_refused(project: Project, moment: timedelta) -> None:
    attempt = started(project)
    before = Assessment.objects.values().get()
    at = timezone.now()

    with pytest.raises(ValueError, match="within the next 30 days"):
        attempt.extend(at + moment, at=at, actor=STAFF)

    assert Assessment.objects.values().get() == before


@pytest.mark.parametrize("end", ["abandon", "late"])
def test_what_has_ended_gets_no_more_time(support: Client, project: Project, end: str) -> None:
    attempt = started(project)
    if end == "abandon":
        attempt.abandon()
    else:
        past = timezone.now() - timedelta(hours=30)
        Assessment.objects.update(started_at=past, finish_by_at=past + timedelta(hours=24))
    before = Assessment.objects.values().get()

    response = support.post(address("extend", attempt), {"days": "7", "reason": WHY})

    assert attempt.extend(timezone.now() + timedelta(days=7), actor=STAFF) is False
    assert Assessment.objects.values().get() == before
    assert "has ended" in support.get(response.headers["Location"]).content.decode()
