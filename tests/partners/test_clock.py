"""The clock that deletes: it must agree with the database's, and with the audit trail."""

from __future__ import annotations

from datetime import timedelta

import pytest
import time_machine
from django.core.management import CommandError, call_command
from django.utils import timezone

from partners.management import base
from partners.models import AuditEvent, LastSuccess
from tests.factories import ProjectFactory

pytestmark = pytest.mark.django_db
MINUTE, DAY = timedelta(minutes=1), timedelta(days=1)


def successes() -> list[str]:
    return list(LastSuccess.objects.exclude(succeeded_at=None).values_list("task", flat=True))


def event(days_ago: float) -> None:
    at = timezone.now() - timedelta(days=days_ago)
    AuditEvent.record("project.created", ProjectFactory.create(), at=at, actor="command:tests")


@pytest.mark.parametrize("apart", [-6 * MINUTE, 6 * MINUTE, 1000 * DAY])
def test_a_clock_apart_from_the_databases_deletes_nothing(
    apart: timedelta, monkeypatch: pytest.MonkeyPatch
) -> None:
    event(days_ago=0.5)
    monkeypatch.setattr(base, "database_time", lambda: timezone.now() - apart)

    with pytest.raises(CommandError, match="This machine's clock says .* the database's"):
        call_command("purge", "--apply", "--clock-is-right")

    assert successes() == []


def test_postgresql_is_asked_for_its_time() -> None:
    before = timezone.now()
    theirs = base.database_time()

    assert before - MINUTE < theirs < timezone.now() + MINUTE


def test_a_clock_far_past_the_audit_trail_is_refused_unless_it_is_right() -> None:
    event(days_ago=31)

    with pytest.raises(CommandError, match="run this again with --clock-is-right"):
        call_command("purge", "--apply")
    assert successes() == []
    call_command("purge", "--apply", "--clock-is-right")

    assert len(successes()) == 1


def test_an_event_of_this_month_or_an_empty_trail_is_enough() -> None:
    assert base.ClockedCommand().checked_now(clock_is_right=False)
    event(days_ago=29)
    assert base.ClockedCommand().checked_now(clock_is_right=False)


def test_to_count_what_is_due_needs_no_right_clock() -> None:
    event(days_ago=400)

    call_command("purge")


def test_a_travelled_machine_is_noticed_on_postgresql() -> None:
    """Nothing of the test is replaced: the database has its own clock."""
    event(days_ago=0)
    with time_machine.travel(timezone.now() + 1000 * DAY), pytest.raises(CommandError):
        base.ClockedCommand().checked_now(clock_is_right=True)
