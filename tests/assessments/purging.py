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
from tests.assessments.counted import make_attempt
from tests.factories import AssessmentLinkFactory

AT = datetime(2026, 11, 21, 9, 30, tzinfo=UTC)
DAY = timedelta(days=1)
WHO = "command:tests"
PURGED = "data.purged"


def done(project: Project, at: datetime, *, months: int = 24) -> Assessment:
    """Make an attempt that was completed at a moment, with its link and some answers."""
    attempt = make_attempt(project, at - timedelta(minutes=9), completed=at, given=2)
    Assessment.objects.filter(pk=attempt.pk).update(retention_months=months)
    AssessmentLinkFactory.create(
        student=attempt.student,
        issued_at=attempt.started_at,
        used_at=attempt.started_at,
        assessment=attempt,
    )
    attempt.refresh_from_db()
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
