"""Links and attempts by state: what is so now, and what happened within the last hour."""

from datetime import timedelta

import pytest
from django.utils import timezone

from assessments.figures import live_counts
from assessments.models import AssessmentLink, Attempt
from tests.assessments.attempts import issue, marked_completed, started
from tests.factories import BY

NOW = timezone.now()
MINUTES_AGO = NOW - timedelta(minutes=5)
HOURS_AGO = NOW - timedelta(hours=2)
YESTERDAY = NOW - timedelta(hours=20)


@pytest.mark.usefixtures("bank")
def test_attempts_are_counted_by_state(project):
    marked_completed(started(project, MINUTES_AGO), MINUTES_AGO)
    started(project, MINUTES_AGO)
    left, closed, late, forgotten = (
        started(project, YESTERDAY, email=f"{name}@example.com") for name in ("a", "b", "c", "d")
    )
    left.abandon(MINUTES_AGO)
    closed.abandon(HOURS_AGO)
    Attempt.objects.filter(pk=late.pk).update(finish_by_at=MINUTES_AGO)
    Attempt.objects.filter(pk=forgotten.pk).update(finish_by_at=HOURS_AGO)

    counts = live_counts.live_counts(NOW)

    assert counts["attempts"] == {"open": 1}
    assert counts["attempts_last_hour"] == {"started": 2, "completed": 1, "abandoned": 2}


@pytest.mark.usefixtures("bank")
def test_links_are_counted_by_state(project):
    issue(project, MINUTES_AGO)
    issue(project, HOURS_AGO)
    started(project, MINUTES_AGO, email="used@example.com")
    for expires_at in (MINUTES_AGO, HOURS_AGO, NOW):
        link, _ = issue(project, (NOW - timedelta(days=4)))
        AssessmentLink.objects.filter(pk=link.pk).update(expires_at=expires_at)
    for email, cancelled_at in (("a", MINUTES_AGO), ("b", HOURS_AGO)):
        link, _ = issue(project, HOURS_AGO, email=f"{email}@example.com")
        link.cancel(reason="wrong address", at=cancelled_at, by=BY)
        # Cancelled links do not expire either.
        AssessmentLink.objects.filter(pk=link.pk).update(expires_at=MINUTES_AGO)

    counts = live_counts.live_counts(NOW)

    assert counts["links"] == {"waiting": 2}
    assert counts["links_last_hour"] == {"issued": 2, "expired": 2, "cancelled": 1}
