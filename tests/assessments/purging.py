"""Rows that have been kept long enough, made cheaply, and their deletion as of a moment."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

from assessments.models import (
    Answer,
    Assessment,
    AssessmentLink,
    CatalogueSnapshot,
    LinkEvent,
    Student,
    retention,
)
from partners.models import Project
from tests.factories import AssessmentFactory, AssessmentLinkFactory

AT = datetime(2026, 11, 21, 9, 30, tzinfo=UTC)
DAY = timedelta(days=1)
WHO = "command:tests"
PURGED = "data.purged"


def done(project: Project, at: datetime, *, months: int = 24) -> Assessment:
    """Make an attempt that was completed at a moment, with its link and some answers."""
    start = at - timedelta(minutes=9)
    attempt = AssessmentFactory.create(
        student__project=project,
        started_at=start,
        finish_by_at=start + timedelta(days=20),
        completed_at=at,
        profile={},
        recommendations=[],
        catalogue=CatalogueSnapshot.objects.current(project),
        retention_months=months,
    )
    Answer.objects.bulk_create(
        Answer(
            assessment=attempt,
            position=position,
            item=item,
            shown_at=start,
            choice=1,
            answered_at=start,
        )
        for position, item in enumerate(attempt.bank.item_set.order_by("order")[:2], start=1)
    )
    AssessmentLinkFactory.create(
        student=attempt.student,
        issued_at=attempt.started_at,
        used_at=attempt.started_at,
        assessment=attempt,
    )
    return attempt


def snapshot(project: Project, digest: str, at: datetime) -> CatalogueSnapshot:
    return CatalogueSnapshot.objects.create(
        project=project, digest=digest, courses=[], taken_at=at, current_since=at
    )


def purge(at: datetime) -> dict[str, dict[str, int]]:
    """Purge as of a moment; return what was deleted, by projectId and kind."""
    deleted: dict[str, dict[str, int]] = {}
    for project, counts in retention.purge(at, actor=WHO):
        of_project = deleted.setdefault(project.project_id if project else "", {})
        for kind, count in counts.items():
            of_project[kind] = of_project.get(kind, 0) + count
    return deleted


def rows() -> list[int]:
    models = (Student, AssessmentLink, Assessment, Answer, LinkEvent)
    return [model._base_manager.count() for model in models]
