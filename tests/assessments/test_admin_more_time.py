"""More time of support for an open attempt: given once, within reach, to what is open."""

from __future__ import annotations

import re
from datetime import timedelta
from functools import partial
from zoneinfo import ZoneInfo

import pytest
from django.test import Client
from django.utils import timezone

from assessments.models import Assessment
from partners.models import AuditEvent, Project
from tests.assessments.attempts import (
    started,
)
from tests.assessments.link_acts import STAFF, VIEW, WHY, address, hidden, press
from tests.factories import staff_with
from tests.support.threads import race

pytestmark = pytest.mark.usefixtures("bank")


def test_an_open_attempt_gets_more_time(support: Client, project: Project) -> None:
    attempt = started(project)
    before = attempt.finish_by_at

    response = press(support, address("extend", attempt), days="7")

    attempt.refresh_from_db()
    event = AuditEvent.objects.get(action="assessment.extended")
    page = support.get(response.headers["Location"]).content.decode()
    assert timedelta(days=5) < attempt.finish_by_at - before < timedelta(days=7)
    assert (event.object_id, event.reason) == (attempt.assessment_id, WHY)
    assert "can be continued until" in page
    assert "More time given" in page


def test_only_later_times_are_offered(support: Client, project: Project) -> None:
    attempt = started(project)
    attempt.extend(timezone.now() + timedelta(days=10), actor=STAFF)

    html = support.get(address("extend", attempt)).content.decode()

    assert re.findall(r'<option value="(\d+)"', html) == ["14", "30"]
    refused = press(support, address("extend", attempt), days="3")
    assert refused.status_code == 200
    assert "Choose one of the times in the list." in refused.content.decode()
    assert AuditEvent.objects.filter(action="assessment.extended").count() == 1


def test_a_time_that_gains_nothing_is_not_offered(support: Client, project: Project) -> None:
    """A minute more would be the first of the list."""
    attempt = started(project)
    soon = timezone.now() + timedelta(days=1) - timedelta(minutes=30)
    Assessment.objects.filter(pk=attempt.pk).update(finish_by_at=soon)

    html = support.get(address("extend", attempt)).content.decode()

    assert re.findall(r'<option value="(\d+)"', html)[0] == "2"


def test_sent_twice_it_extends_once(support: Client, project: Project) -> None:
    attempt = started(project)
    url = address("extend", attempt)
    fields = {**hidden(support, url), "reason": WHY, "days": "7"}

    support.post(url, fields)
    until = Assessment.objects.get().finish_by_at
    answer = support.post(url, fields)

    who = AuditEvent.objects.with_staff_names().get(action="assessment.extended").who
    said = support.get(answer.headers["Location"]).content.decode()
    assert Assessment.objects.get().finish_by_at == until
    assert f"by {who}. It can be continued until" in said
    assert "Nothing was changed this time." in said


def test_who_comes_second_reads_that_a_colleague_has_extended_it(
    support: Client, project: Project
) -> None:
    """Also where the time that they chose is not even offered any more."""
    attempt = started(project)
    url = address("extend", attempt)
    fields = {**hidden(support, url), "reason": WHY, "days": "3"}
    colleague = staff_with("assessments.extend_assessment")
    until = timezone.now() + timedelta(days=10)
    attempt.extend(until, reason="ill", actor=f"staff:{colleague.pk}")

    answer = support.post(url, fields)

    assert Assessment.objects.get().finish_by_at == until
    assert AuditEvent.objects.filter(action="assessment.extended").count() == 1
    said = support.get(answer.headers["Location"]).content.decode()
    assert "More time was given while this page was open, today" in said
    day = until.astimezone(ZoneInfo(project.time_zone)).day
    assert f"by {colleague.username}. It can be continued until {day} " in said


@pytest.mark.parametrize(
    "seen", ["", "x", "0001-01-01T00:00:00+14:00", "9999-12-31T23:59:59-14:00", "2026-01-01"]
)
def test_a_made_up_page_extends_nothing(support: Client, project: Project, seen: str) -> None:
    attempt = started(project)
    fields = {"reason": WHY, "days": "7", "finish_by_at": seen}

    answer = support.post(address("extend", attempt), fields)

    assert Assessment.objects.get().finish_by_at == attempt.finish_by_at
    assert "out of date" in support.get(answer.headers["Location"]).content.decode()
    assert not AuditEvent.objects.filter(action="assessment.extended").exists()


def test_who_has_seen_an_earlier_finish_by_extends_nothing(project: Project) -> None:
    attempt = started(project)
    seen, until = attempt.finish_by_at, timezone.now() + timedelta(days=3)

    assert attempt.extend(until, seen=seen, actor=STAFF) is True
    assert attempt.extend(until + timedelta(days=3), seen=seen, actor=STAFF) is False

    assert Assessment.objects.get().finish_by_at == until
    assert AuditEvent.objects.filter(action="assessment.extended").count() == 1


@pytest.mark.django_db(transaction=True)
def test_six_who_extend_together_extend_once(project: Project) -> None:
    attempt = started(project)
    url = address("extend", attempt)
    staff = [staff_with(*VIEW, "assessments.extend_assessment") for _ in range(6)]
    browsers = [Client() for _ in staff]
    for browser, user in zip(browsers, staff, strict=True):
        browser.force_login(user)
    fields = {**hidden(browsers[0], url), "reason": WHY}

    answers = race(
        [
            partial(browser.post, url, {**fields, "days": days})
            for browser, days in zip(browsers, ("2", "3", "7", "7", "14", "30"), strict=True)
        ]
    )

    event = AuditEvent.objects.with_staff_names().get(action="assessment.extended")
    pages = [
        browser.get(answer.headers["Location"]).content.decode()
        for browser, answer in zip(browsers, answers, strict=True)
    ]
    assert sum(f"by {event.who}. It can be continued until" in page for page in pages) == 5
    assert Assessment.objects.get().finish_by_at > attempt.finish_by_at


@pytest.mark.parametrize(
    "moment", [timedelta(0), -timedelta(hours=1), timedelta(days=30, seconds=1)]
)
def test_a_moment_out_of_reach_is_refused(project: Project, moment: timedelta) -> None:
    attempt = started(project)
    before = Assessment.objects.values().get()
    at = timezone.now()

    with pytest.raises(ValueError, match="within the next 30 days"):
        attempt.extend(at + moment, at=at, actor=STAFF)

    assert Assessment.objects.values().get() == before


def test_an_earlier_moment_changes_nothing(project: Project) -> None:
    attempt = started(project)

    assert attempt.extend(attempt.finish_by_at, actor=STAFF) is False
    assert attempt.extend(attempt.finish_by_at - timedelta(hours=1), actor=STAFF) is False

    assert not AuditEvent.objects.filter(action="assessment.extended").exists()


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
