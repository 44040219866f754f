"""get-recent-failures: a project's own refused calls, the newest first."""

from __future__ import annotations

import json
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
import time_machine
from django.db import connection
from django.test.utils import CaptureQueriesContext

from assessments.api.failure_log import FailureLog
from assessments.models import RefusedCall
from tests.assessments.partner import FAILURES, LINK, Backend

pytestmark = [pytest.mark.django_db, pytest.mark.sqlite]
AT = datetime(2026, 11, 23, 8, 32, tzinfo=UTC)
DAY = timedelta(days=1)


def failures(api: Backend) -> list[dict[str, Any]]:
    response = api.post(FAILURES, api.body(FAILURES))
    assert response.status_code == 200, response.content
    answer = json.loads(response.content)
    assert set(answer) == {"Failures"}
    found: list[dict[str, Any]] = answer["Failures"]
    return found


def refused(api: Backend, at: datetime = AT, **fields: Any) -> RefusedCall:
    token = api.token
    values = {"operation": "get-redirect-url", "status": 400, "code": "invalid_request", **fields}
    return RefusedCall.objects.create(project=token.project, access_token=token, at=at, **values)


def test_it_says_what_was_wrong_with_a_call(api: Backend, failure_log: FailureLog) -> None:
    with time_machine.travel(AT, tick=False):
        headers = {"X-Request-ID": "crm-00017"}
        api.post(LINK, api.link_body(mobile="call me"), headers=headers)
        failure_log.write()

        assert failures(api) == [
            {
                "At": "2026-11-23T08:32:00Z",
                "RequestId": "crm-00017",
                "Operation": "get-redirect-url",
                "Status": 400,
                "Code": "invalid_request",
                "Fields": [{"Field": "mobile", "Code": "invalid"}],
                "TokenId": api.token.token_id,
                "Count": 1,
            }
        ]


def test_a_new_token_sees_why_the_old_one_was_refused(
    api: Backend, failure_log: FailureLog
) -> None:
    api.token.revoke(actor="command:tests")
    api.results()
    failure_log.write()

    [found] = failures(Backend.of(api.project))

    assert (found["Status"], found["Code"]) == (401, "invalid_credentials")
    assert found["Fields"] == [{"Field": "X-Access-Token", "Code": "revoked"}]
    assert found["TokenId"] == api.token.token_id


def test_the_newest_comes_first_and_at_most_200_of_7_days(api: Backend) -> None:
    refused(api, AT - 7 * DAY, request_id="too-old")
    for number in range(201):
        refused(api, AT - 7 * DAY + timedelta(seconds=1 + number), request_id=str(number))

    with time_machine.travel(AT, tick=False):
        found = failures(api)

    assert [each["RequestId"] for each in found] == [str(n) for n in range(200, 0, -1)]

    with time_machine.travel(AT + DAY, tick=False):
        assert failures(api) == []


def test_it_asks_the_database_once_for_all_rows(api: Backend) -> None:
    with time_machine.travel(AT, tick=False):
        for _ in range(20):
            refused(api)
        failures(api)

        with CaptureQueriesContext(connection) as queries:
            failures(api)

    assert len([each for each in queries if "refusedcall" in each["sql"]]) == 1
    assert len(queries) <= 3
