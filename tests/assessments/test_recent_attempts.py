"""What the latest attempts show: the share that was given an item, and how long they take."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest

from assessments.models import Assessment, ItemBank, recent
from assessments.models.recent import FEWEST, FRESH_FOR
from partners.models import Project
from tests.assessments.attempts import completed, copies, issue, started
from tests.support.browser import Browser

AT = datetime(2026, 11, 21, 9, 30, tzinfo=UTC)
LATER = AT + timedelta(hours=1)

pytestmark = pytest.mark.django_db


def finished_after(attempt: Assessment, minutes: list[int]) -> None:
    """Let copies of a completed attempt have taken so many minutes each."""
    for copy, each in zip(copies(attempt, len(minutes)), minutes, strict=True):
        Assessment.objects.filter(pk=copy.pk).update(
            completed_at=attempt.started_at + timedelta(minutes=each),
            profile=attempt.profile,
            recommendations=attempt.recommendations,
            catalogue=attempt.catalogue,
        )


def test_before_fifty_attempts_nothing_is_known(bank: ItemBank, project: Project) -> None:
    attempt = completed(started(project, AT), AT + timedelta(minutes=20))
    finished_after(attempt, [20] * (FEWEST - 2))

    assert recent.on_bank(bank, LATER) == recent.RecentAttempts()


def test_the_median_and_the_shares_of_fifty(bank: ItemBank, project: Project) -> None:
    attempt = completed(started(project, AT), AT + timedelta(minutes=20))
    finished_after(attempt, [10] * 20 + [31] * 29)

    known = recent.on_bank(bank, LATER)

    assert known.median_duration == timedelta(minutes=31)
    assert set(known.exposure.values()) == {1.0}
    assert len(known.exposure) == 12


def test_it_is_read_once_a_minute(bank: ItemBank, project: Project) -> None:
    attempt = completed(started(project, AT), AT + timedelta(minutes=20))
    assert recent.on_bank(bank, LATER).median_duration is None
    finished_after(attempt, [20] * FEWEST)

    just_before = recent.on_bank(bank, LATER + FRESH_FOR - timedelta(seconds=1))
    after = recent.on_bank(bank, LATER + FRESH_FOR)

    assert just_before.median_duration is None
    assert after.median_duration == timedelta(minutes=20)


def test_the_landing_page_says_an_estimate_until_there_is_a_median(
    bank: ItemBank, project: Project, browser: Browser
) -> None:
    before = browser.get(issue(project)[1])
    attempt = completed(started(project, AT), AT + timedelta(minutes=20))
    finished_after(attempt, [31] * FEWEST)
    recent.forget()

    after = browser.get(issue(project)[1])

    assert "The time is estimated" in before.text
    assert "about 31 minutes" in after.text
    assert "estimated" not in after.text
