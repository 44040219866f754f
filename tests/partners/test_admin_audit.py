from __future__ import annotations

import re
from datetime import timedelta

import pytest
from django.test import Client
from django.utils import timezone
from pytest_django import DjangoAssertNumQueries

from partners.models import AuditEvent
from tests.factories import ProjectFactory, UserFactory, issued_token, staff_as, staff_with
from tests.staff.rows import make_rows

pytestmark = pytest.mark.django_db
URL = "/admin/partners/auditevent/"


@pytest.fixture
def event() -> AuditEvent:
    priya = UserFactory.create(username="priya")
    return AuditEvent.record(
        "project.closed",
        ProjectFactory.create(),
        reason="unpaid",
        actor=f"staff:{priya.pk}",
        address="192.0.2.1",
    )


def test_it_is_read_with_names(event: AuditEvent) -> None:
    client = Client()
    client.force_login(staff_with("partners.view_auditevent"))

    listing = client.get(URL, {"action": "project.closed", "q": event.object_id})
    page = client.get(f"{URL}{event.pk}/change/")

    for answer in (listing, page):
        text = answer.content.decode()
        for words in ("priya", "project.closed", event.object_id, "unpaid"):
            assert words in text
    assert "192.0.2.1" in page.content.decode()


def test_a_superuser_can_not_write_it(event: AuditEvent) -> None:
    client = Client()
    client.force_login(UserFactory.create(is_superuser=True))
    before = AuditEvent.objects.values().get()
    kept = AuditEvent.objects.filter(pk=event.pk)

    statuses = [
        client.get(f"{URL}add/").status_code,
        client.post(f"{URL}add/", {"action": "x"}).status_code,
        client.post(f"{URL}{event.pk}/change/", {"action": "x"}).status_code,
        client.post(f"{URL}{event.pk}/delete/", {"post": "yes"}).status_code,
    ]
    client.post(URL, {"action": "delete_selected", "_selected_action": event.pk})

    assert statuses == [403] * 4
    assert kept.values().get() == before
    others = AuditEvent.objects.exclude(pk=event.pk)
    assert set(others.values_list("action", flat=True)) == {"staff.refused"}


@pytest.fixture
def auditor() -> Client:
    client = Client()
    client.force_login(staff_with("partners.view_auditevent"))
    return client


def found(client: Client, **query: str) -> set[str]:
    """Return the actions of the events that the list shows."""
    page = client.get(URL, query)
    assert page.status_code == 200
    return set(re.findall(r'<td class="field-action">([^<]+)</td>', page.content.decode()))


def test_it_is_found_by_the_whole_of_an_identifier_or_a_user_name(auditor: Client) -> None:
    priya = UserFactory.create(username="priya")
    token, _ = issued_token()
    by_priya = {"actor": f"staff:{priya.pk}"}
    token.project.close(reason="unpaid", **by_priya)
    AuditEvent.record("staff.signed_in", priya, actor="unknown")
    AuditEvent.record("partner.created", token.project.partner, actor="command:root")

    for query, actions in {
        token.token_id: {"token.issued"},
        token.project.project_id: {"token.issued", "project.closed"},
        f"user-{priya.pk}": {"staff.signed_in"},
        f"partner-{token.project.partner.pk}": {"partner.created"},
        "priya": {"project.closed"},
        f" staff:{priya.pk} ": {"project.closed"},
        "command:root": {"partner.created"},
        token.token_id[:-1]: set(),
        "unpaid": set(),
        "a\tb": set(),
        "tok_": set(),
    }.items():
        assert found(auditor, q=query) == actions, query


def test_an_objects_page_leads_to_its_events_in_place_of_a_history() -> None:
    rows = make_rows()
    link, project = rows["assessments_assessmentlink"], rows["partners_project"]
    bank, priya = rows["assessments_itembank"], rows["auth_user"]
    pages = {
        f"partners/project/{project.pk}": f"?project={project.pk}",
        f"partners/partner/{project.partner.pk}": f"?q=partner-{project.partner.pk}",
        f"auth/user/{priya.pk}": f"?q=user-{priya.pk}",
        f"assessments/itembank/{bank.pk}": f"?q={bank.public_id}",
        f"assessments/student/{link.student.pk}": f"?q=student-{link.student.pk}",
        f"assessments/assessmentlink/{link.pk}": f"?q=student-{link.student.pk}",
    }
    auditor, support = Client(), Client()
    auditor.force_login(staff_as("Auditor"))
    support.force_login(staff_as("Support", "Content"))

    for page, query in pages.items():
        text = auditor.get(f"/admin/{page}/change/").content.decode()
        assert text.count(f'href="{URL}{query}"') == 1, page
        assert "historylink" not in text
        assert URL not in support.get(f"/admin/{page}/change/").content.decode()
        assert auditor.get(f"/admin/{page}/history/", follow=True).status_code == 404


def test_it_is_narrowed_to_a_kind_of_action_and_to_one(auditor: Client) -> None:
    token, _ = issued_token()
    token.revoke(actor="staff:1")
    token.project.close(actor="staff:1")

    assert found(auditor, action="token") == {"token.issued", "token.revoked"}
    assert found(auditor, action="token.revoked") == {"token.revoked"}
    assert found(auditor, action="project") == {"project.closed"}
    assert found(auditor, action="made up") == set()


def test_it_is_narrowed_to_a_period_and_a_project(auditor: Client) -> None:
    token, _ = issued_token(at=timezone.now() - timedelta(days=10))
    token.project.close(actor="staff:1")
    other = ProjectFactory.create()

    assert found(auditor, period="7") == {"project.closed"}
    assert found(auditor, period="30") == {"project.closed", "token.issued"}
    assert found(auditor, project=str(token.project.pk), period="7") == {"project.closed"}
    assert found(auditor, project=str(other.pk)) == set()


def test_an_event_leads_to_its_object(auditor: Client) -> None:
    priya = UserFactory.create()
    token, _ = issued_token()
    project, partner = token.project, token.project.partner
    project.close(actor="staff:1")
    AuditEvent.record("partner.created", partner, actor="staff:1")
    AuditEvent.record("staff.signed_in", priya, actor="staff:1")

    text = auditor.get(URL, {"action": "all"}).content.decode()

    for address, words in {
        f"/admin/tokens/accesstoken/?q={token.token_id}": token.token_id,
        f"/admin/partners/project/{project.pk}/change/": project.project_id,
        f"/admin/partners/partner/{partner.pk}/change/": f"partner-{partner.pk}",
        f"/admin/auth/user/{priya.pk}/change/": f"user-{priya.pk}",
    }.items():
        assert f'<a href="{address}">{words}</a>' in text


def test_the_list_asks_no_more_for_more_events(
    auditor: Client, django_assert_max_num_queries: DjangoAssertNumQueries
) -> None:
    for _ in range(12):
        issued_token()

    with django_assert_max_num_queries(10):
        auditor.get(URL)
