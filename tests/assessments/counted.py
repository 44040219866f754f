"""Rows for figures: attempts and links that happened at a time, as few columns as are counted."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, datetime, timedelta

from assessments.models import Answer, Assessment, AssessmentLink
from assessments.models.catalogue_snapshots import CatalogueSnapshot
from assessments.models.day_counts import count_days, days_to_count
from partners.models import Project
from tests.factories import AssessmentFactory, AssessmentLinkFactory, StudentFactory

# A day that is over, and its two midnights.
BEGIN = datetime(2026, 11, 20, tzinfo=UTC)
NOON = BEGIN + timedelta(hours=12)
END = BEGIN + timedelta(days=1)
DAY = BEGIN.date()
JUST = timedelta(microseconds=1)
# When it is counted: the next day, late enough.
AT = END + timedelta(hours=9)


def issued(project: Project, at: datetime, hours: float = 72) -> AssessmentLink:
    """Make a link that nobody has used."""
    return AssessmentLinkFactory.create(
        student=StudentFactory.create(project=project),
        issued_at=at,
        expires_at=at + timedelta(hours=hours),
    )


def make_attempt(
    project: Project,
    start: datetime,
    *,
    completed: datetime | None = None,
    abandoned: datetime | None = None,
    finish_by: datetime | None = None,
    flags: Sequence[str] = (),
    courses: Sequence[str] = (),
    given: int | None = None,
) -> Assessment:
    """Make an attempt, open unless it is ended.

    `given` is how many questions were answered; the one after waits. None: none was shown.
    """
    outcome = {}
    if completed:
        outcome = {
            "completed_at": completed,
            "profile": {"validity": {"flags": list(flags)}},
            "recommendations": [{"code": name, "name": name} for name in courses],
            "catalogue": CatalogueSnapshot.objects.current(project),
        }
    attempt = AssessmentFactory.create(
        student=StudentFactory.create(project=project),
        started_at=start,
        finish_by_at=finish_by or start + timedelta(days=20),
        abandoned_at=abandoned,
        **outcome,
    )
    if given is not None:
        items = attempt.bank.item_set.order_by("order")
        Answer.objects.bulk_create(
            Answer(
                assessment=attempt,
                position=position,
                item=item,
                shown_at=start,
                choice=1 if position <= given else None,
                answered_at=start if position <= given else None,
            )
            for position, item in enumerate(items[: given + 1], start=1)
        )
    return attempt


def count(at: datetime = AT) -> None:
    """Count as the command does."""
    count_days(days_to_count(at), at)
