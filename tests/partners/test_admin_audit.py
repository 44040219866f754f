"""Staff read the audit trail: search, filters, links from and to objects."""

import re
from datetime import timedelta

import pytest
from django.utils import timezone

from partners.models import AuditEvent
from tests.factories import UserFactory, issued_token
from tests.staff.rows import make_rows

pytestmark = pytest.mark.django_db
URL = "/admin/partners/auditevent/"


@pytest.fixture
def auditor(staff):
    return staff("partners.view_auditevent")


def found(client, **query):
    """Return the actions of the events that the list shows."""
    page = client.get(URL, query)
    assert page.status_code == 200
    return set(re.findall(r'<td class="field-action">([^<]+)</td>', page.content.decode()))


def test_an_event_is_read_with_names(auditor, project):
    by = f"staff:{UserFactory.create(username='priya').pk}"
    event = AuditEvent.record(
        "project.closed", project, reason="unpaid", actor=by, address="192.0.2.1"
    )

    listing = auditor.get(URL, {"action": "project.closed", "q": event.object_id})
    page = auditor.get(f"{URL}{event.pk}/change/")

    for answer in (listing, page):
        text = answer.content.decode()
        for words in ("priya", "project.closed", event.object_id, "unpaid"):
            assert words in text
    assert "192.0.2.1" in page.content.decode()


def test_an_event_is_found_by_the_whole_of_an_identifier_or_a_user_name(auditor):
    priya, (token, _) = UserFactory.create(username="priya"), issued_token()
    token.project.close(reason="unpaid", actor=f"staff:{priya.pk}")
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
        **dict.fromkeys((token.token_id[:-1], "unpaid", "a\tb", "tok_"), set()),
    }.items():
        assert found(auditor, q=query) == actions, query


def test_the_trail_is_narrowed_to_actions_a_period_and_a_project(auditor, other_project):
    token, _ = issued_token(at=timezone.now() - timedelta(days=10))
    token.revoke(actor="staff:1")
    token.project.close(actor="staff:1")
    project, recent = str(token.project.pk), {"project.closed", "token.revoked"}

    for query, actions in (
        ({"action": "token"}, {"token.issued", "token.revoked"}),
        ({"action": "token.revoked"}, {"token.revoked"}),
        ({"action": "project"}, {"project.closed"}),
        ({"action": "made up"}, set()),
        ({"period": "7"}, recent),
        ({"period": "30"}, {*recent, "token.issued"}),
        ({"project": project, "period": "7"}, recent),
        ({"project": str(other_project.pk)}, set()),
    ):
        assert found(auditor, **query) == actions, query


def test_a_page_leads_to_the_events_of_its_object_in_place_of_a_history(staff):
    rows = make_rows()
    link, project = rows["assessments_assessmentlink"], rows["partners_project"]
    bank, priya = rows["assessments_itembank"], rows["auth_user"]
    auditor, support = staff(roles=("Auditor",)), staff(roles=("Support", "Content"))

    for page, query in {
        f"partners/project/{project.pk}": f"?project={project.pk}",
        f"partners/partner/{project.partner.pk}": f"?q=partner-{project.partner.pk}",
        f"auth/user/{priya.pk}": f"?q=user-{priya.pk}",
        f"assessments/itembank/{bank.pk}": f"?q={bank.public_id}",
        f"assessments/student/{link.student.pk}": f"?q=student-{link.student.pk}",
        f"assessments/assessmentlink/{link.pk}": f"?q=student-{link.student.pk}",
    }.items():
        text = auditor.get(f"/admin/{page}/change/").content.decode()
        assert text.count(f'href="{URL}{query}"') == 1, page
        assert "historylink" not in text
        assert URL not in support.get(f"/admin/{page}/change/").content.decode()
        assert auditor.get(f"/admin/{page}/history/", follow=True).status_code == 404


def test_an_event_leads_to_its_object(auditor):
    priya, (token, _) = UserFactory.create(), issued_token()
    project, partner = token.project, token.project.partner
    for action, row in {"project.closed": project, "partner.created": partner}.items():
        AuditEvent.record(action, row, actor="staff:1")
    AuditEvent.record("staff.signed_in", priya, actor="staff:1")

    text = auditor.get(URL, {"action": "all"}).content.decode()

    for address, words in {
        f"tokens/accesstoken/?q={token.token_id}": token.token_id,
        f"partners/project/{project.pk}/change/": project.project_id,
        f"partners/partner/{partner.pk}/change/": f"partner-{partner.pk}",
        f"auth/user/{priya.pk}/change/": f"user-{priya.pk}",
    }.items():
        assert f'<a href="/admin/{address}">{words}</a>' in text
