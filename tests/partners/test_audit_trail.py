from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, datetime

import pytest
from django.db import IntegrityError, models, transaction

from partners.models import AppendOnlyError, AuditEvent
from tests.factories import AccessTokenFactory, PartnerFactory, ProjectFactory, UserFactory

pytestmark = pytest.mark.django_db
NOON = datetime(2026, 6, 1, 12, tzinfo=UTC)


def test_it_says_who_what_when_and_from_where() -> None:
    token = AccessTokenFactory.create()

    AuditEvent.record(
        "token.issued",
        token,
        reason="first",
        at=NOON,
        actor="staff:7",
        address="2001:db8::1",
        request_id="r-1",
    )

    event = AuditEvent.objects.get()
    assert (event.at, event.actor, event.action) == (NOON, "staff:7", "token.issued")
    assert (event.object_type, event.object_id) == ("accesstoken", token.token_id)
    assert (event.address, event.request_id, event.reason) == ("2001:db8::1", "r-1", "first")
    assert event.project == token.project
    assert str(event) == f"token.issued {token.token_id}"


def test_a_project_belongs_to_itself_and_a_partner_to_none() -> None:
    project = ProjectFactory.create()

    of_project = AuditEvent.record("project.created", project, actor="staff:7")
    of_partner = AuditEvent.record("partner.created", project.partner, actor="staff:7")

    assert of_project.project == project
    assert of_partner.project is None
    assert of_partner.object_id == f"partner-{project.partner.pk}"


@pytest.mark.parametrize("address", [None, "", "unknown", "10.0.0.1:80", "\0"])
def test_what_is_no_address_is_left_out(address: str | None) -> None:
    event = AuditEvent.record(
        "partner.created", PartnerFactory.create(), actor="staff:7", address=address
    )

    event.refresh_from_db()
    assert event.address is None


@pytest.mark.parametrize(
    "attempt",
    [
        lambda event: event.save(),
        lambda event: event.delete(),
        lambda event: AuditEvent.objects.filter(pk=event.pk).update(reason="x"),
        lambda event: AuditEvent.objects.filter(pk=event.pk).delete(),
        lambda event: AuditEvent.objects.bulk_update([event], ["reason"]),
        lambda event: event.project.audit_events.all().delete(),
    ],
    ids=["save", "delete", "update", "delete many", "bulk update", "through the project"],
)
def test_nothing_recorded_can_be_changed(attempt: Callable[[AuditEvent], object]) -> None:
    event = AuditEvent.record("project.created", ProjectFactory.create(), actor="staff:7")
    event.reason = "changed"

    with pytest.raises(AppendOnlyError):
        attempt(event)

    assert AuditEvent.objects.get().reason == ""


def test_a_project_with_a_trail_cannot_be_deleted() -> None:
    project = ProjectFactory.create()
    AuditEvent.record("project.created", project, actor="staff:7")

    with pytest.raises(models.ProtectedError):
        project.delete()


@pytest.mark.parametrize("empty", ["actor", "action", "object_type", "object_id"])
def test_the_database_refuses_an_event_that_does_not_say(empty: str) -> None:
    fields = {"actor": "staff:7", "action": "x", "object_type": "x", "object_id": "x"}

    with pytest.raises(IntegrityError, match="auditevent_says"), transaction.atomic():
        AuditEvent.objects.create(at=NOON, **{**fields, empty: ""})


def test_staff_are_shown_by_name_and_others_as_they_are() -> None:
    project = ProjectFactory.create()
    priya = UserFactory.create(username="priya")
    for actor in (f"staff:{priya.pk}", f"staff:{priya.pk}0", "command:deploy"):
        AuditEvent.record("project.closed", project, actor=actor)

    events = AuditEvent.objects.with_staff_names().newest_first()

    assert [event.who for event in events] == ["command:deploy", f"staff:{priya.pk}0", "priya"]
    assert AuditEvent.objects.newest_first()[2].who == f"staff:{priya.pk}"
