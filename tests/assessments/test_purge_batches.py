"""A purge works in batches: each is small, stands by itself and says what it deleted."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest

from assessments.models import (
    AssessmentLink,
    retention,
)
from partners.models import AuditEvent, Project
from tests.assessments.attempts import issue
from tests.assessments.purging import AT, DAY, PURGED, WHO, done, purge, rows
from tests.factories import (
    AssessmentLinkFactory,
    StudentFactory,
)

pytestmark = pytest.mark.usefixtures("bank")


def test_each_project_gets_a_line_in_the_audit_trail_with_its_counts(
    project: Project, other_project: Project
) -> None:
    for each in (project, other_project):
        issue(each, AT)
        done(each, AT)
    issue(other_project, AT, email="c@example.com")
    at = datetime(2028, 11, 22, tzinfo=UTC)

    purge(at)

    events = AuditEvent.objects.filter(action=PURGED).order_by("project")
    assert [(e.object_id, e.project, e.reason, e.at, e.actor) for e in events] == [
        (project.project_id, project, "unused links 1, attempts 1, students 2", at, WHO),
        (
            other_project.project_id,
            other_project,
            "unused links 2, attempts 1, students 3",
            at,
            WHO,
        ),
    ]


def test_each_batch_is_small_and_independent(
    project: Project, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Killed after two batches, what they deleted is gone and written down; the rest is there."""
    monkeypatch.setattr(retention, "BATCH", 3)
    for number in range(8):
        AssessmentLinkFactory.create(
            student=StudentFactory.create(project=project, email_key=f"{number}@example.com"),
            issued_at=AT - 100 * DAY,
        )

    batches = retention.purge(AT, actor=WHO)
    taken = [next(batches)[1], next(batches)[1]]
    batches.close()  # type: ignore[attr-defined]  # a generator

    assert [each.total() for each in taken] == [3, 3]
    assert AssessmentLink.objects.count() == 2
    said = AuditEvent.objects.filter(action=PURGED).order_by("pk")
    assert [event.reason for event in said] == [retention.in_words(each) for each in taken]
    assert purge(AT) == {project.project_id: {"unused links": 2, "students": 8}}
    assert rows() == [0, 0, 0, 0, 0]


def test_a_batch_that_fails_leaves_all_of_it(
    project: Project, monkeypatch: pytest.MonkeyPatch
) -> None:
    done(project, AT)
    before = rows()

    def broken(*_: object, **__: object) -> None:
        raise RuntimeError("no audit")

    monkeypatch.setattr(AuditEvent, "record", broken)
    with pytest.raises(RuntimeError, match="no audit"):
        purge(AT + 1000 * DAY)

    assert rows() == before
