"""Staff read the audit trail: names, search, a count up to a cap."""

import re

import pytest

from partners.back_office import admin_base
from partners.models import AuditEvent
from partners.models.audit import Actor
from tests.factories import BY, UserFactory, issued_token

pytestmark = pytest.mark.django_db
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
