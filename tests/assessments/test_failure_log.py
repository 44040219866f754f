"""The failures log: which refusals it keeps, and what it never keeps."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
import time_machine
from django.db import DatabaseError, connection

from assessments.api import failure_log
from assessments.api.failure_log import FailureLog
from assessments.models import RefusedCall
from assessments.models.refused_calls import RefusedCallQuerySet
from partners.models import Project
from tests.assessments.attempts import issue, use
from tests.assessments.partner import CANCEL, CHECK, LINK, Backend

pytestmark = [pytest.mark.django_db, pytest.mark.sqlite]
AT = datetime(2026, 11, 23, 9, 30, 40, tzinfo=UTC)
SECRETIVE = "meera.iyer@private.example"


def written(log: FailureLog) -> list[dict[str, Any]]:
    log.write()
    rows = RefusedCall.objects.order_by("pk")
    names = ("operation", "status", "code", "fields", "count")
    return [dict(zip(names, row, strict=True)) for row in rows.values_list(*names)]


def row(operation: str, status: int, code: str, count: int) -> dict[str, Any]:
    names = {"operation": operation, "status": status, "code": code}
    return {**names, "fields": [], "count": count}


def lost() -> float:
    value: float = failure_log.LOST._value.get()
    return value


class TestWhatIsKept:
    def test_a_400_with_the_names_and_codes_of_its_fields(
        self, api: Backend, failure_log: FailureLog
    ) -> None:
        headers = {"X-Request-ID": "crm-2026-11-23-0017"}
        with time_machine.travel(AT, tick=False):
            api.post(LINK, api.link_body(email="asha at example", name=7), headers=headers)

        failure_log.write()

        call = RefusedCall.objects.get()
        assert (call.project, call.access_token) == (api.project, api.token)
        assert (call.at, call.request_id) == (AT, "crm-2026-11-23-0017")
        assert (call.operation, call.status) == ("get-redirect-url", 400)
        assert (call.code, call.count) == ("invalid_request", 1)
        assert call.fields == [
            {"field": "name", "code": "not_a_string"},
            {"field": "email", "code": "invalid"},
        ]

    def test_a_401_with_its_reason(
        self, api: Backend, other_project: Project, failure_log: FailureLog
    ) -> None:
        api.results(projectId=other_project.project_id)
        api.token.revoke(actor="command:tests")
        api.results()

        found = written(failure_log)

        assert [call["code"] for call in found] == ["invalid_credentials"] * 2
        assert [call["fields"] for call in found] == [
            [{"field": "projectId", "code": "wrong_project"}],
            [{"field": "X-Access-Token", "code": "revoked"}],
        ]
        assert set(RefusedCall.objects.values_list("project", flat=True)) == {api.project.pk}

    @pytest.mark.usefixtures("bank")
    def test_a_404_and_a_409(self, api: Backend, failure_log: FailureLog) -> None:
        link, _ = issue(api.project)
        use(link)

        for link_id in (f"lnk_{'x' * 16}", link.link_id):
            body = {"projectId": api.project.project_id, "LinkId": link_id}
            api.post(CANCEL, body)

        assert written(failure_log) == [
            row("cancel-links", 404, "not_found", 1),
            row("cancel-links", 409, "link_in_use", 1),
        ]

    def test_calls_over_a_limit_share_a_row_a_minute_and_operation(
        self, project: Project, failure_log: FailureLog
    ) -> None:
        project.results_rate_per_minute = 1
        project.save()
        api = Backend.of(project)
        with time_machine.travel(AT, tick=False) as clock:
            for _ in range(3):
                api.results()
            failure_log.write()
            api.results()
            failure_log.write()
            clock.shift(timedelta(minutes=1))
            for _ in range(2):
                api.results()

        kept = written(failure_log)

        name = "get-assessments-info"
        assert kept == [row(name, 429, "rate_limited", count) for count in (3, 1)]
        minute = AT.replace(second=0)
        times = list(RefusedCall.objects.order_by("at").values_list("at", flat=True))
        assert times == [minute, minute + timedelta(minutes=1)]


class TestWhatIsNotKept:
    @pytest.mark.parametrize("change", ["secret", "token", "nothing sent"])
    def test_a_call_without_the_right_secret(
        self, api: Backend, failure_log: FailureLog, change: str
    ) -> None:
        other, _, secret = Backend.of(api.project).credential.partition(":")
        token_id = api.token.token_id
        header = {
            "secret": f"{token_id}:{secret}",
            "token": f"tok_{'0' * 16}:{secret}",
            "nothing sent": None,
        }[change]

        response = api.post(CHECK, api.body(CHECK), headers={"X-Access-Token": header})

        assert response.status_code == 401
        assert written(failure_log) == []

    def test_a_call_that_succeeds(self, api: Backend, failure_log: FailureLog) -> None:
        assert api.results().status_code == 200
        assert written(failure_log) == []

    def test_a_crash(
        self, api: Backend, failure_log: FailureLog, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr("assessments.models.outcomes.newest", lambda *_: 1 / 0)
        assert api.results().status_code == 500
        assert written(failure_log) == []

    def test_nothing_that_was_sent(self, api: Backend, failure_log: FailureLog) -> None:
        """A value, an unknown name, a name that is sent twice, a reference."""
        sent = [
            api.link_body(email=f"{SECRETIVE} ", name="", mobile=SECRETIVE),
            {SECRETIVE: SECRETIVE, "projectId": SECRETIVE, "email": "x"},
            b'{"%s": 1, "%s": 2}' % (SECRETIVE.encode(), SECRETIVE.encode()),
            b'{"email": ' + SECRETIVE.encode(),
            [SECRETIVE],
        ]
        for body in sent:
            response = api.post(LINK, body, headers={"X-Reference": f"{SECRETIVE} !"})
            assert response.status_code in (400, 401)
        reference = {"X-Reference": f"{SECRETIVE} !"}
        assert api.post(LINK, api.link_body(), headers=reference).status_code == 400

        failure_log.write()

        with connection.cursor() as cursor:
            cursor.execute("SELECT * FROM assessments_refusedcall")
            rows = cursor.fetchall()
        assert len(rows) == len(sent) + 1
        assert SECRETIVE not in str(rows)
        assert api.credential.partition(":")[2] not in str(rows)
        known = {"", "projectId", "name", "email", "mobile", "X-Reference"}
        kept = RefusedCall.objects.values_list("fields", flat=True)
        assert {each["field"] for fields in kept for each in fields} <= known


class TestNoCallWaitsOrFails:
    def test_when_too_many_gather(
        self, api: Backend, failure_log: FailureLog, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr("assessments.api.failure_log.GATHERED_AT_MOST", 2)
        before = lost()

        answers = [api.results(email="").status_code for _ in range(5)]

        assert answers == [400] * 5
        assert len(written(failure_log)) == 2
        assert lost() == before + 3

    def test_when_the_database_refuses(
        self, api: Backend, failure_log: FailureLog, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        def refuse(*_: object) -> None:
            raise DatabaseError("it is gone")

        before = lost()
        with monkeypatch.context() as patch:
            patch.setattr(RefusedCallQuerySet, "store", refuse)
            assert api.results(email="").status_code == 400
            failure_log.write()
        assert api.results(email="").status_code == 400

        assert len(written(failure_log)) == 1
        assert lost() == before + 1

    def test_when_no_thread_can_be_started(
        self, api: Backend, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        def refuse(_: object) -> None:
            raise RuntimeError("can't start new thread")

        monkeypatch.undo()
        monkeypatch.setattr("threading.Thread.start", refuse)

        assert api.results(email="").status_code == 400
