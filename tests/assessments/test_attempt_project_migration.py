"""The migrations that give attempts their project: from attempts of the release before."""

from __future__ import annotations

import secrets
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from importlib import import_module
from typing import Any

import pytest
from django.db import IntegrityError, connection, transaction
from django.db.migrations.executor import MigrationExecutor

from assessments.models import Assessment
from tests.factories import AssessmentFactory, ProjectFactory, StudentFactory

pytestmark = pytest.mark.slow

AT = datetime(2026, 11, 21, 9, 30, tzinfo=UTC)
BEFORE = "0038_refused_calls"
COLUMN, FILLED, LAST = (
    "0039_assessment_project",
    "0041_fill_assessment_project",
    "0047_index_ends_of_project",
)
on_postgresql = connection.vendor == "postgresql"


def migrated_to(name: str) -> Any:
    """Return the models' look-up after a migration."""
    return MigrationExecutor(connection).migrate([("assessments", name)]).apps.get_model


@pytest.fixture
def at_release_before() -> Iterator[Any]:
    """Give the models of the release before, on its tables."""
    yield migrated_to(BEFORE)
    executor = MigrationExecutor(connection)
    executor.migrate(executor.loader.graph.leaf_nodes())


def attempt_of(models: Any, number: int) -> int:
    """Insert an attempt of a project of its own as that release does; return the project's key."""
    partner = models("partners", "Partner").objects.create(name=f"Old {number}")
    project = models("partners", "Project").objects.create(
        partner=partner, name="Old", project_id=f"prj_old{number}"
    )
    student = models("assessments", "Student").objects.create(
        project=project, email_key=f"{number}@x.example", email="x", name="X", mobile="1",
        created_at=AT,
    )  # fmt: skip
    bank, _ = models("assessments", "ItemBank").objects.get_or_create(
        version="old", digest="0" * 64, definition={}, published_at=AT
    )
    models("assessments", "Assessment").objects.create(
        assessment_id=f"asm_{number}",
        student=student,
        bank=bank,
        language="en",
        browser_digest=secrets.token_hex(32),
        consent_version="1",
        consented_at=AT,
        started_at=AT,
        finish_by_at=AT + timedelta(days=1),
    )
    return int(project.pk)


@pytest.mark.sqlite
@pytest.mark.django_db(transaction=True)
def test_attempts_of_the_release_before_get_the_project_of_their_student(
    at_release_before: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(
        import_module("assessments.migrations.0041_fill_assessment_project"), "BATCH", 2
    )
    expected = {f"asm_{number}": attempt_of(at_release_before, number) for number in range(5)}

    attempts = migrated_to(LAST)("assessments", "Assessment").objects

    assert dict(attempts.values_list("assessment_id", "project_id")) == expected


@pytest.mark.skipif(not on_postgresql, reason="nothing else serves while SQLite is migrated")
@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize("step", [COLUMN, FILLED, LAST])
def test_the_release_before_goes_on_starting_attempts(at_release_before: Any, step: str) -> None:
    migrated_to(step)

    project = attempt_of(at_release_before, 1)

    assert Assessment.objects.values_list("project_id", flat=True).get() == project


@pytest.mark.skipif(not on_postgresql, reason="SQL of PostgreSQL")
@pytest.mark.django_db
@pytest.mark.usefixtures("bank")
def test_an_attempt_has_the_project_of_its_student() -> None:
    attempt = AssessmentFactory.create(started_at=AT)

    with (
        pytest.raises(IntegrityError, match="assessment_project_of_student"),
        transaction.atomic(),
    ):
        Assessment.objects.filter(pk=attempt.pk).update(project_id=ProjectFactory.create().pk)
        connection.check_constraints()


@pytest.mark.skipif(not on_postgresql, reason="SQL of PostgreSQL")
@pytest.mark.django_db
@pytest.mark.usefixtures("bank")
def test_a_student_with_attempts_stays_in_their_project() -> None:
    attempt = AssessmentFactory.create(student=StudentFactory.create(), started_at=AT)

    with (
        pytest.raises(IntegrityError, match="assessment_project_of_student"),
        transaction.atomic(),
    ):
        attempt.student.project = ProjectFactory.create()
        attempt.student.save()
        connection.check_constraints()
