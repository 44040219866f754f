"""An audit event goes after seven years, not before, and is never changed by anybody."""

from __future__ import annotations

from datetime import datetime, timedelta

import pytest
from django.db import Error, connection, models, transaction
from django.utils import timezone

from partners.models import AppendOnlyError, AuditEvent
from partners.models.audit import KEPT_YEARS
from tests.factories import ProjectFactory

pytestmark = pytest.mark.django_db
EIGHT_YEARS = timedelta(days=8 * 366)


def event(at: datetime) -> AuditEvent:
    return AuditEvent.record("project.created", ProjectFactory.create(), at=at, actor="staff:7")


def years_ago(years: int, **more: int) -> datetime:
    today = timezone.now()
    # 29 February has no counterpart in most years
    return today.replace(year=today.year - years, day=min(today.day, 28)) - timedelta(**more)


def raw(sql: str, *params: object) -> int:
    with connection.cursor() as cursor:
        cursor.execute(sql, params)
        return cursor.rowcount


def test_only_what_has_outlived_its_years_is_deleted() -> None:
    old, young = event(years_ago(KEPT_YEARS, days=3)), event(years_ago(KEPT_YEARS - 1))

    deleted = AuditEvent.objects.delete_outlived(timezone.now())

    assert deleted == 1
    assert list(AuditEvent.objects.all()) == [young]
    assert old.pk != young.pk


def test_a_set_that_is_asked_to_go_keeps_its_young_events() -> None:
    young = event(timezone.now())

    assert AuditEvent.objects.filter(pk=young.pk).delete_outlived(timezone.now()) == 0

    assert AuditEvent.objects.get() == young


def test_a_second_of_seven_years_is_not_enough() -> None:
    """The database's clock may run behind ours: a day is added, so that it never refuses."""
    event(years_ago(KEPT_YEARS, seconds=1))

    assert AuditEvent.objects.delete_outlived(timezone.now()) == 0


def test_the_usual_way_to_delete_stays_shut_for_old_ones_too() -> None:
    old = event(years_ago(KEPT_YEARS + 1))

    with pytest.raises(AppendOnlyError):
        AuditEvent.objects.filter(pk=old.pk).delete()
    with pytest.raises(AppendOnlyError):
        old.delete()

    assert AuditEvent.objects.get() == old


@pytest.mark.parametrize("age", [timedelta(0), EIGHT_YEARS], ids=["young", "old"])
def test_postgresql_refuses_every_change(age: timedelta) -> None:
    noted = event(timezone.now() - age)

    with pytest.raises(Error, match="append-only: UPDATE refused"), transaction.atomic():
        raw("UPDATE partners_auditevent SET reason = 'x' WHERE id = %s", noted.pk)
    with pytest.raises(Error, match="append-only: UPDATE refused"), transaction.atomic():
        models.QuerySet(AuditEvent).filter(pk=noted.pk).update(reason="x")
    with pytest.raises(Error, match="append-only: UPDATE refused"), transaction.atomic():
        noted.reason = "x"
        models.Model.save(noted)

    assert AuditEvent.objects.get().reason == ""


def test_postgresql_refuses_to_delete_a_young_event() -> None:
    noted = event(years_ago(KEPT_YEARS - 1))

    with pytest.raises(Error, match="append-only: DELETE refused"), transaction.atomic():
        raw("DELETE FROM partners_auditevent WHERE id = %s", noted.pk)
    with pytest.raises(Error, match="append-only: DELETE refused"), transaction.atomic():
        models.QuerySet(AuditEvent).filter(pk=noted.pk).delete()

    assert AuditEvent.objects.get() == noted


def test_postgresql_lets_an_old_event_go() -> None:
    noted = event(years_ago(KEPT_YEARS, days=1))

    assert raw("DELETE FROM partners_auditevent WHERE id = %s", noted.pk) == 1


def test_the_database_refuses_to_empty_the_trail() -> None:
    # The suite itself empties tables; here it is as it is outside of it.
    raw("ALTER TABLE partners_auditevent ENABLE TRIGGER auditevent_never_emptied")
    kept = event(years_ago(KEPT_YEARS + 1))
    raw("SET CONSTRAINTS ALL IMMEDIATE")

    with pytest.raises(Error, match="append-only: TRUNCATE refused"), transaction.atomic():
        raw("TRUNCATE partners_auditevent")

    assert AuditEvent.objects.get() == kept
