from __future__ import annotations

from datetime import UTC, datetime

import pytest

from partners.models import AuditEvent
from tests.factories import ProjectFactory

pytestmark = pytest.mark.django_db
NOON = datetime(2026, 6, 1, 12, tzinfo=UTC)


def test_closing_is_recorded() -> None:
    project = ProjectFactory.create()

    closed = project.close(reason="left us", at=NOON, actor="staff:7", address="192.0.2.1")

    project.refresh_from_db()
    event = AuditEvent.objects.about(project).get()
    assert closed
    assert project.is_closed
    assert project.closed_at == NOON
    assert (event.action, event.actor, event.address) == ("project.closed", "staff:7", "192.0.2.1")
    assert (event.reason, event.at, event.project) == ("left us", NOON, project)


def test_closing_twice_keeps_the_first_time_and_one_record() -> None:
    project = ProjectFactory.create()
    project.close(at=NOON, actor="staff:7")

    closed = project.close(actor="staff:8")

    project.refresh_from_db()
    assert not closed
    assert project.closed_at == NOON
    assert AuditEvent.objects.about(project).count() == 1


def test_an_open_project_is_not_reopened() -> None:
    project = ProjectFactory.create()

    reopened = project.reopen(actor="staff:8")

    assert not reopened
    assert not AuditEvent.objects.exists()
