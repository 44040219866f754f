"""The clock that deletes: it must agree with the database's, and with the audit trail."""

from datetime import timedelta

import pytest
import time_machine
from django.core.management import CommandError, call_command
from django.utils import timezone

from partners.models import AuditEvent, LastSuccess
from tests.factories import BY, ProjectFactory

pytestmark = pytest.mark.django_db
DAY = timedelta(days=1)


def event(days_ago):
    at = timezone.now() - timedelta(days=days_ago)
    AuditEvent.record("project.created", ProjectFactory.create(), at=at, by=BY)


@pytest.mark.parametrize("ahead", [timedelta(minutes=-6), timedelta(minutes=6), 1000 * DAY])
def test_with_a_clock_apart_from_the_databases_nothing_is_deleted(ahead, settings):
    settings.CLOCK_TOLERANCE = timedelta(seconds=30)
    event(days_ago=0.5)

    with time_machine.travel(timezone.now() + ahead), pytest.raises(CommandError, match="NTP"):
        call_command("purge", "--apply", "--clock-is-right")

    assert LastSuccess.objects.exclude(succeeded_at=None).count() == 0


@pytest.mark.parametrize(("days_ago", "is_refused"), [(31, True), (29, False), (None, False)])
def test_a_clock_far_past_the_audit_trail_is_refused_unless_it_is_right(days_ago, is_refused):
    if days_ago:
        event(days_ago=days_ago)

    call_command("purge")  # counts what is due
    if is_refused:
        with pytest.raises(CommandError, match="run this again with --clock-is-right"):
            call_command("purge", "--apply")
        assert LastSuccess.objects.exclude(succeeded_at=None).count() == 0
    call_command("purge", "--apply", *["--clock-is-right"] * is_refused)

    assert LastSuccess.objects.exclude(succeeded_at=None).count() == 1
