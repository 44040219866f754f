"""Support finds a refused call, and reads what was wrong and what to do."""

import re
from datetime import UTC, datetime, timedelta
from html import unescape

import pytest

from assessments.api.failures import CODES
from assessments.models import RefusedCall
from tests import roles
from tests.factories import issued_token

pytestmark = pytest.mark.django_db
LIST = "/admin/assessments/refusedcall/"
# 01:30 of the 24th in India.
AT = datetime(2026, 11, 23, 20, tzinfo=UTC)
MISSING = [{"field": "mobile", "code": "required"}]
UNKNOWN = [{"field": "LinkId", "code": "unknown"}]
EXPIRED = [{"field": "X-Access-Token", "code": "expired"}]


def refused(project, at=AT, **fields):
    token = project.access_tokens.first() or issued_token(project)[0]
    values = {
        **{"operation": "get-redirect-url", "request_id": "crm-00017"},
        **{"status": 400, "code": "invalid_request", "fields": MISSING},
        **fields,
    }
    return RefusedCall.objects.create(project=project, access_token=token, at=at, **values)


@pytest.mark.parametrize(
    ("status", "code", "fields", "meaning"),
    [
        (400, "invalid_request", MISSING, "mobile: The field is missing."),
        (400, "invalid_request", [{"field": "", "code": "invalid"}], ""),
        (400, "invalid_request", UNKNOWN, "LinkId: The operation has no field of the name"),
        (401, "invalid_credentials", EXPIRED, "The token's lifetime is over."),
        (404, "not_found", [], ""),
        (409, "link_in_use", [], ""),
        (429, "rate_limited", [], ""),
    ],
)
def test_a_call_is_explained(staff, project, status, code, fields, meaning):
    support = staff(roles=[roles.SUPPORT])
    call = refused(project, status=status, code=code, fields=fields)

    response = support.get(f"{LIST}{call.pk}/change/")

    assert response.status_code == 200
    page = " ".join(unescape(re.sub(r"<[^>]+>", " ", response.content.decode())).split())
    assert f"What was wrong: {meaning or CODES[code].meaning.replace('`', '')}" in page
    assert "crm-00017" in page
    assert call.access_token.token_id in page


@pytest.mark.sqlite
def test_equal_calls_of_a_day_are_one_row(staff, project):
    support = staff(roles=[roles.SUPPORT])
    refused(project, AT - timedelta(hours=1))
    refused(project, AT - timedelta(days=1))
    refused(project, fields=[*MISSING, {"field": "email", "code": "required"}])
    newest = refused(project, AT + timedelta(hours=1))

    rows = support.get(LIST).context["cl"].result_list

    assert [(row.pk, row.count) for row in rows][0] == (newest.pk, 2)
    assert [row.count for row in rows] == [2, 1, 1]
