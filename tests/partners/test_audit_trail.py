"""The audit trail says who did what, is never changed, and is deleted after seven years."""

import re
from datetime import UTC, datetime, timedelta

import pytest
from django.db import Error, IntegrityError, connection, models, transaction
from django.utils import timezone

from partners.back_office import admin_base
from partners.models import AuditEvent
from partners.models.audit import KEPT_YEARS, Actor
from tests.factories import BY, AccessTokenFactory, UserFactory, issued_token

pytestmark = pytest.mark.django_db
NOON = datetime(2026, 6, 1, 12, tzinfo=UTC)
EVENTS = AuditEvent.objects


@pytest.fixture
def record(project):
    """Give a function: an event about the project, of now unless `at` says otherwise."""
    return lambda at=None: AuditEvent.record("project.created", project, at=at, by=BY)


def years_ago(years, **more):
    today = timezone.now()
    # 29 February has no counterpart in most years
    return today.replace(year=today.year - years, day=min(today.day, 28)) - timedelta(**more)


def raw(sql, *params):
    with connection.cursor() as cursor:
        cursor.execute(sql, params)
        return cursor.rowcount


def test_an_event_says_who_did_what_to_which_object_when_and_from_where():
    token = AccessTokenFactory.create()

    event = AuditEvent.record(
        "token.issued",
        token,
        reason="first",
        changes={"label": ("a", "b")},
        details={"counts": {"links": 2}},
        at=NOON,
        by=Actor("staff:7", "2001:db8::1", "r-1"),
    )

    assert str(event) == f"token.issued {token.token_id}"
    assert EVENTS.values().get() == {
        "id": event.pk,
        "at": NOON,
        "actor": "staff:7",
        "action": "token.issued",
        "object_type": "accesstoken",
        "object_id": token.token_id,
        "project_id": token.project.pk,
        "address": "2001:db8::1",
        "request_id": "r-1",
        "reason": "first",
        "details": {"changes": {"label": ["a", "b"]}, "counts": {"links": 2}},
    }


def test_a_project_belongs_to_itself_and_a_partner_and_a_user_to_none(project):
    user = UserFactory.create()

    events = [
        AuditEvent.record("partner.created", row, by=BY) for row in (project, project.partner, user)
    ]

    assert [(event.project, event.object_id) for event in events] == [
        (project, project.project_id),
        (None, f"partner-{project.partner.pk}"),
        (None, f"user-{user.pk}"),
    ]


@pytest.mark.parametrize("empty", ["actor", "action", "object_type", "object_id"])
def test_the_database_refuses_an_event_with_an_empty(empty):
    fields = {"actor": "staff:7", "action": "x", "object_type": "x", "object_id": "x"}

    with pytest.raises(IntegrityError, match="auditevent_says"), transaction.atomic():
        EVENTS.create(at=NOON, **{**fields, empty: ""})


@pytest.mark.parametrize(
    ("attempt", "refused"),
    [
        (lambda event: event.save(), "UPDATE"),
        (lambda event: event.delete(), "DELETE"),
        (lambda event: EVENTS.filter(pk=event.pk).update(reason="x"), "UPDATE"),
        (lambda event: event.project.audit_events.all().delete(), "DELETE"),
    ],
    ids=["save", "delete", "update", "through the project"],
)
def test_postgresql_refuses_to_change_or_delete_an_event(record, attempt, refused):
    event = record()
    event.reason = "changed"

    with pytest.raises(Error, match=f"append-only: {refused} refused"), transaction.atomic():
        attempt(event)
    with pytest.raises(models.ProtectedError):
        event.project.delete()

    assert EVENTS.get().reason == ""


def test_postgresql_lets_an_event_be_deleted_after_seven_years_and_never_changed(record):
    young, old = record(years_ago(KEPT_YEARS - 1)), record(years_ago(KEPT_YEARS, days=1))

    delete = "DELETE FROM partners_auditevent WHERE id = %s"
    with pytest.raises(Error, match="append-only: DELETE refused"), transaction.atomic():
        raw(delete, young.pk)
    with pytest.raises(Error, match="append-only: UPDATE refused"), transaction.atomic():
        raw("UPDATE partners_auditevent SET reason = 'x' WHERE id = %s", old.pk)
    assert raw(delete, old.pk) == 1

    assert EVENTS.get() == young


def test_postgresql_refuses_to_empty_the_trail(record):
    # The suite itself empties tables; here it is as it is outside of it.
    raw("ALTER TABLE partners_auditevent ENABLE TRIGGER auditevent_never_emptied")
    kept = record(years_ago(KEPT_YEARS + 1))
    raw("SET CONSTRAINTS ALL IMMEDIATE")

    with pytest.raises(Error, match="append-only: TRUNCATE refused"), transaction.atomic():
        raw("TRUNCATE partners_auditevent")

    assert EVENTS.get() == kept


def test_only_events_older_than_seven_years_and_a_day_are_deleted(record):
    """The database's clock may run behind ours: with a day more it never refuses."""
    record(years_ago(KEPT_YEARS, days=3))
    young = [record(years_ago(KEPT_YEARS, seconds=1)), record(years_ago(KEPT_YEARS - 1))]

    assert EVENTS.filter(pk=young[1].pk).outlived(timezone.now()).delete()[0] == 0
    assert EVENTS.outlived(timezone.now()).delete()[0] == 1

    assert list(EVENTS.order_by("at")) == young


URL = "/admin/partners/auditevent/"


def found(client, **query):
    page = client.get(URL, query)
    assert page.status_code == 200
    return set(re.findall(r'<td class="field-action">([^<]+)</td>', page.content.decode()))


def test_an_event_is_read_with_names(staff, project):
    auditor = staff("partners.view_auditevent")
    by = Actor(f"staff:{UserFactory.create(username='priya').pk}", "192.0.2.1")
    event = AuditEvent.record("project.closed", project, by=by, reason="unpaid")

    listing = auditor.get(URL, {"action": "project.closed", "q": event.object_id})
    page = auditor.get(f"{URL}{event.pk}/change/")

    for answer in (listing, page):
        text = answer.content.decode()
        for words in ("priya", "project.closed", event.object_id, "unpaid"):
            assert words in text
    assert "192.0.2.1" in page.content.decode()


def test_an_event_is_found_by_the_whole_of_an_identifier_or_a_user_name(staff):
    auditor = staff("partners.view_auditevent")
    priya, (token, _) = UserFactory.create(username="priya"), issued_token()
    token.project.close(reason="unpaid", by=Actor(f"staff:{priya.pk}"))
    for action in ("staff.signed_in", "student.listed"):
        AuditEvent.record(action, priya, by=Actor("unknown"))
    AuditEvent.record("partner.created", token.project.partner, by=Actor("command:root"))

    for query, actions in {
        "": {"token.issued", "project.closed", "partner.created"},  # neither reads nor sign-ins
        token.token_id: {"token.issued"},
        token.project.project_id: {"token.issued", "project.closed"},
        f"user-{priya.pk}": {"staff.signed_in", "student.listed"},
        f"partner-{token.project.partner.pk}": {"partner.created"},
        "priya": {"project.closed"},
        f" staff:{priya.pk} ": {"project.closed"},
        "command:root": {"partner.created"},
        **dict.fromkeys((token.token_id[:-1], "unpaid", "a\tb", "tok_"), set()),
    }.items():
        assert found(auditor, q=query) == actions, query


def test_rows_are_counted_up_to_a_cap(project, monkeypatch):
    monkeypatch.setattr(admin_base, "MAX_COUNTED", 10)
    for _ in range(12):
        AuditEvent.record("project.changed", project, by=BY)

    paginator = admin_base.CappedPaginator(AuditEvent.objects.order_by("-pk"), 4)

    assert (paginator.count, paginator.counted, paginator.num_pages) == (10, "10 or more", 3)
    assert len(paginator.page(3)) == 2
