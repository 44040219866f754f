"""Support finds a refused call, and reads what was wrong and what to do."""

from __future__ import annotations

import re
from datetime import UTC, datetime, timedelta
from html import unescape
from typing import Any

import pytest
import time_machine
from django.test import Client

from assessments.api.codes import CODES
from assessments.models import RefusedCall
from partners.models import AuditEvent, Project
from staff import roles
from tests.factories import issued_token, staff_as

pytestmark = pytest.mark.django_db
LIST = "/admin/assessments/refusedcall/"
SEARCH = "/admin/assessments/assessmentlink/find/"
# 01:30 of the 24th in India.
AT = datetime(2026, 11, 23, 20, tzinfo=UTC)
DAY = timedelta(days=1)
MISSING = [{"field": "mobile", "code": "required"}]
EXPIRED = [{"field": "X-Access-Token", "code": "expired"}]


@pytest.fixture
def support() -> Client:
    return as_role(roles.SUPPORT)


def as_role(role: str) -> Client:
    client = Client()
    client.force_login(staff_as(role))
    return client


def refused(project: Project, at: datetime = AT, **fields: Any) -> RefusedCall:
    token = project.access_tokens.first() or issued_token(project)[0]
    values = {
        **{"operation": "get-redirect-url", "request_id": "crm-00017"},
        **{"status": 400, "code": "invalid_request", "fields": MISSING},
        **fields,
    }
    return RefusedCall.objects.create(project=project, access_token=token, at=at, **values)


def text_of(client: Client, path: str) -> str:
    response = client.get(path)
    assert response.status_code == 200, path
    return " ".join(re.sub(r"<[^>]+>", " ", response.content.decode()).split())


@pytest.mark.parametrize(
    ("status", "code", "fields", "what", "do"),
    [
        (400, "invalid_request", MISSING, "mobile: The field is missing.", "Fix the request"),
        (400, "invalid_request", [{"field": "", "code": "invalid"}], "", "Fix the request"),
        (401, "invalid_credentials", EXPIRED, "The token's lifetime is over.", "Ask support for a"),
        *((each.status, each.code, [], "", "") for each in CODES if each.status in (404, 409, 429)),
    ],
)
def test_a_call_is_explained(
    support: Client,
    project: Project,
    status: int,
    code: str,
    fields: list[dict[str, str]],
    what: str,
    do: str,
) -> None:
    of_code = next(each for each in CODES if each.code == code)

    page = text_of(
        support,
        f"{LIST}{refused(project, status=status, code=code, fields=fields).pk}/change/",
    )

    assert f"What was wrong: {what or of_code.meaning.replace('`', '')}" in unescape(page)
    assert f"What to do: {do or of_code.action.replace('`', '')}" in unescape(page)


class TestTheSearch:
    def test_a_request_id_leads_to_the_newest_call_and_its_sentence(
        self, support: Client, project: Project
    ) -> None:
        refused(project, AT - DAY)
        call = refused(project)

        answer = support.post(SEARCH, {"q": "requestId: crm-00017"})

        assert answer.headers["Location"] == f"{LIST}{call.pk}/change/"
        page = text_of(support, answer.headers["Location"])
        assert "What was wrong: mobile: The field is missing." in page
        assert "Fix the request; retrying it unchanged will fail." in page
        assert "crm-00017" in page
        assert project.access_tokens.get().token_id in page
        assert AuditEvent.objects.filter(action="student.listed").count() == 1

    def test_an_unknown_one_says_where_else_to_look(self, support: Client) -> None:
        answer = support.post(SEARCH, {"q": "crm-00099"})

        said = answer.content.decode()
        assert "No refused call has this requestId." in said
        assert "crm-00099" not in said


class TestTheList:
    def test_it_shows_what_was_wrong_newest_first(self, project: Project) -> None:
        refused(project, AT - DAY, status=401, code="invalid_credentials", fields=EXPIRED)
        refused(project, status=429, code="rate_limited", fields=[], count=17)

        with time_machine.travel(AT + 9 * DAY, tick=False):
            page = text_of(as_role(roles.SUPPORT), LIST)

        newest = "24 Nov 2026, 01:30 IST get-redirect-url 429 rate_limited the whole call 17"
        older = "get-redirect-url 401 invalid_credentials: expired X-Access-Token: expired 1"
        assert newest in page
        assert page.index(newest) < page.index(f"23 Nov 2026, 01:30 IST {older}")

    def test_it_is_filtered_by_project_time_and_code(
        self, support: Client, project: Project, other_project: Project
    ) -> None:
        refused(project)
        refused(project, AT - 20 * DAY, operation="cancel-links", code="not_found", status=404)
        refused(other_project, operation="check-credentials")
        with time_machine.travel(AT, tick=False):
            found = {
                query: {
                    name
                    for name in ("get-redirect-url", "cancel-links", "check-credentials")
                    if name in text_of(support, f"{LIST}?{query}")
                }
                for query in (f"project={project.pk}", "period=7", "code=not_found")
            }

        assert found == {
            f"project={project.pk}": {"get-redirect-url", "cancel-links"},
            "period=7": {"get-redirect-url", "check-credentials"},
            "code=not_found": {"cancel-links"},
        }

    @pytest.mark.parametrize(
        ("role", "status"),
        [
            (roles.SUPPORT, 200),
            (roles.AUDITOR, 200),
            (roles.ADMINISTRATOR, 200),
            (roles.CONTENT, 403),
        ],
    )
    def test_who_sees_tokens_sees_it(self, project: Project, role: str, status: int) -> None:
        client, call = as_role(role), refused(project)

        assert client.get(LIST).status_code == status
        assert client.get(f"{LIST}{call.pk}/change/").status_code == status
        page = client.get(f"/admin/partners/project/{project.pk}/change/").content.decode()
        assert (f"{LIST}?project={project.pk}" in page) is (status == 200)

    def test_nobody_changes_a_call(self, project: Project) -> None:
        client, call = as_role(roles.ADMINISTRATOR), refused(project)

        assert client.post(f"{LIST}{call.pk}/change/", {"code": "x"}).status_code == 403
        assert client.post(f"{LIST}{call.pk}/delete/", {"post": "yes"}).status_code == 403
