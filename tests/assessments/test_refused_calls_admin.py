"""Support finds a refused call, and reads what was wrong and what to do."""

import re
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from html import unescape

import pytest
import time_machine
from django.test import Client

from assessments.api.codes import CODES
from assessments.models import RefusedCall
from partners.models import AuditEvent
from staff import roles
from tests.factories import issued_token

pytestmark = pytest.mark.django_db
LIST = "/admin/assessments/refusedcall/"
SEARCH = "/admin/assessments/assessmentlink/find/"
# 01:30 of the 24th in India.
AT = datetime(2026, 11, 23, 20, tzinfo=UTC)
DAY = timedelta(days=1)
MISSING = [{"field": "mobile", "code": "required"}]
EXPIRED = [{"field": "X-Access-Token", "code": "expired"}]
Staff = Callable[..., Client]


@pytest.fixture
def support(staff):
    """Give a browser with the role, which sees tokens too."""
    return staff(roles=[roles.SUPPORT])


def refused(project, at=AT, **fields):
    token = project.access_tokens.first() or issued_token(project)[0]
    values = {
        **{"operation": "get-redirect-url", "request_id": "crm-00017"},
        **{"status": 400, "code": "invalid_request", "fields": MISSING},
        **fields,
    }
    return RefusedCall.objects.create(project=project, access_token=token, at=at, **values)


def text_of(client, path):
    response = client.get(path)
    assert response.status_code == 200, path
    return " ".join(unescape(re.sub(r"<[^>]+>", " ", response.content.decode())).split())


@pytest.mark.parametrize(
    ("status", "code", "fields", "meaning", "action"),
    [
        (400, "invalid_request", MISSING, "mobile: The field is missing.", "Fix the request"),
        (400, "invalid_request", [{"field": "", "code": "invalid"}], "", "Fix the request"),
        (401, "invalid_credentials", EXPIRED, "The token's lifetime is over.", "Ask support for a"),
        *((each.status, each.code, [], "", "") for each in CODES if each.status in (404, 409, 429)),
    ],
)
def test_a_call_is_explained(support, project, status, code, fields, meaning, action):
    call = refused(project, status=status, code=code, fields=fields)
    explained = next(each for each in CODES if each.code == code)

    page = text_of(support, f"{LIST}{call.pk}/change/")

    assert f"What was wrong: {meaning or explained.meaning.replace('`', '')}" in page
    assert f"What to do: {action or explained.action.replace('`', '')}" in page
    assert "crm-00017" in page
    assert call.access_token.token_id in page


def test_the_search_leads_from_a_request_id_to_its_newest_call(support, project):
    refused(project, AT - DAY)
    call = refused(project)

    found = support.post(SEARCH, {"q": "requestId: crm-00017"})
    unknown = support.post(SEARCH, {"q": "crm-00099"}).content.decode()

    assert found.headers["Location"] == f"{LIST}{call.pk}/change/"
    assert AuditEvent.objects.filter(action="student.listed").count() == 2
    assert "No refused call has this requestId." in unknown
    assert "crm-00099" not in unknown


def test_the_list_shows_what_was_wrong_newest_first(staff, project):
    refused(project, AT - DAY, status=401, code="invalid_credentials", fields=EXPIRED)
    refused(project, status=429, code="rate_limited", fields=[], count=17)

    with time_machine.travel(AT + 9 * DAY, tick=False):
        page = text_of(staff(roles=[roles.SUPPORT]), LIST)

    newest = "24 Nov 2026, 01:30 IST get-redirect-url 429 rate_limited the whole call 17"
    older = "get-redirect-url 401 invalid_credentials: expired X-Access-Token: expired 1"
    assert newest in page
    assert page.index(newest) < page.index(f"23 Nov 2026, 01:30 IST {older}")


@pytest.mark.parametrize("query", ["project={project}", "period=7", "code=invalid_request"])
def test_the_list_is_filtered_by_project_time_and_code(support, project, other_project, query):
    refused(project)
    refused(other_project, AT - 20 * DAY, operation="cancel-links", code="not_found", status=404)

    with time_machine.travel(AT, tick=False):
        page = text_of(support, f"{LIST}?{query.format(project=project.pk)}")

    assert "get-redirect-url" in page
    assert "cancel-links" not in page


def test_staff_who_see_no_tokens_see_no_calls(staff, support, project):
    """All roles are in tests/staff/test_roles.py."""
    content = staff(roles=[roles.CONTENT])

    assert content.get(LIST).status_code == 403
    for client, is_linked in ((support, True), (content, False)):
        page = client.get(f"/admin/partners/project/{project.pk}/change/").content.decode()
        assert (f"{LIST}?project={project.pk}" in page) is is_linked
