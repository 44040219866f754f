"""The clock that deletes: it must agree with the database's, and with the audit trail."""

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


def successes():
    return LastSuccess.objects.exclude(succeeded_at=None).count()


def event(days_ago):
    at = timezone.now() - timedelta(days=days_ago)
    AuditEvent.record("project.created", ProjectFactory.create(), at=at, actor="command:tests")


@pytest.mark.parametrize("apart", [-6 * MINUTE, 6 * MINUTE, 1000 * DAY])
def test_with_a_clock_apart_from_the_databases_nothing_is_deleted(apart, monkeypatch):
    event(days_ago=0.5)
    monkeypatch.setattr(base, "database_time", lambda: timezone.now() - apart)

    with pytest.raises(CommandError, match="This machine's clock says .* the database's"):
        call_command("purge", "--apply", "--clock-is-right")

    assert successes() == 0


def test_a_travelled_machine_is_noticed_by_postgresqls_own_clock():
    assert abs(timezone.now() - base.database_time()) < MINUTE
    with time_machine.travel(timezone.now() + 1000 * DAY), pytest.raises(CommandError):
        base.ClockedCommand().checked_now(clock_is_right=True)


def test_a_clock_far_past_the_audit_trail_is_refused_unless_it_is_right():
    event(days_ago=31)

    call_command("purge")  # counts what is due
    with pytest.raises(CommandError, match="run this again with --clock-is-right"):
        call_command("purge", "--apply")
    assert successes() == 0
    call_command("purge", "--apply", "--clock-is-right")

    assert successes() == 1


def test_an_event_of_this_month_or_an_empty_trail_is_enough():
    assert base.ClockedCommand().checked_now(clock_is_right=False)
    event(days_ago=29)
    assert base.ClockedCommand().checked_now(clock_is_right=False)
