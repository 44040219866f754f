"""The failures log: what it keeps and never keeps, what partners read of it, and support."""

import re
from datetime import UTC, datetime, timedelta
from functools import partial
from html import unescape

import pytest
import time_machine
from django.db import DatabaseError, connection

from assessments.api.failure_log import LOST
from assessments.api.failures import CODES
from assessments.models import RefusedCall
from assessments.models.refused_calls import RefusedCallQuerySet
from tests import roles
from tests.assessments.attempts import issue, use
from tests.assessments.partner import CANCEL, FAILURES, LINK, RESULTS, Backend
from tests.factories import BY, issued_token
from tests.support.threads import race

pytestmark = pytest.mark.django_db
AT = datetime(2026, 11, 23, 9, 30, 40, tzinfo=UTC)
MINUTE = timedelta(minutes=1)
SECRET = "meera.iyer@private.example"


def failures(api):
    """Return what the partner reads, which is the newest first."""
    answer = api.read(FAILURES)
    assert set(answer) == {"Failures"}
    return answer["Failures"]


def revoked(api):
    api.token.revoke(by=BY)
    api.results()


def cancelled(api, link_id=""):
    """Cancel a link by its id, by default one in use."""
    link, _ = issue(api.project)
    use(link)
    body = {"projectId": api.project.project_id, "LinkId": link_id or link.link_id}
    api.post(CANCEL, body)


KEPT = [
    (
        lambda api: api.link(email="asha at example", name=7),
        *(LINK, 400, "invalid_request", {"name": "not_a_string", "email": "invalid"}),
    ),
    (
        lambda api: api.results(projectId="prj_AAAAAAAAAAAAAAAA"),
        *(RESULTS, 401, "invalid_credentials", {"projectId": "wrong_project"}),
    ),
    (
        lambda api: api.post(CANCEL, api.body(CANCEL, linkId=SECRET, LinkID=1, **{SECRET: 1})),
        *(CANCEL, 400, "invalid_request", {"LinkId": "unknown", "": "unknown"}),
    ),
    (revoked, RESULTS, 401, "invalid_credentials", {"X-Access-Token": "revoked"}),
    (lambda api: cancelled(api, f"lnk_{'x' * 16}"), CANCEL, 404, "not_found", {}),
    (cancelled, CANCEL, 409, "link_in_use", {}),
]


@pytest.mark.sqlite
@pytest.mark.usefixtures("bank")
@pytest.mark.parametrize("kept", KEPT, ids=lambda kept: " ".join(kept[4].values()) or kept[3])
def test_a_partner_reads_with_any_token_what_was_refused(api, other_project, failure_log, kept):
    call, path, status, code, fields = kept
    with time_machine.travel(AT, tick=False):
        reader = Backend.of(api.project)
        call(api)
        failure_log.write()

        [failure] = failures(reader)

    assert failure == {
        "At": "2026-11-23T09:30:40Z",
        "RequestId": failure["RequestId"],
        "Operation": path.rpartition("/")[2],
        "Status": status,
        "Code": code,
        "Fields": [{"Field": name, "Code": wrong} for name, wrong in fields.items()],
        "TokenId": api.token.token_id,
        "Count": 1,
    }
    assert failures(Backend.of(other_project)) == []


@pytest.mark.sqlite
def test_calls_over_a_limit_share_a_row_a_minute_and_operation(project, failure_log):
    project.results_rate_per_minute = 1
    project.save()
    api = Backend.of(project)
    with time_machine.travel(AT, tick=False) as clock:
        for calls in (3, 1, 0, 2):  # the first of a minute is let in
            for _ in range(calls):
                api.results()
            failure_log.write()
            clock.shift(MINUTE if calls == 0 else timedelta())

    stored = RefusedCall.objects.order_by("at").values_list(
        "operation", "status", "code", "fields", "count", "at"
    )
    call, minute = ("get-assessments-info", 429, "rate_limited", []), AT.replace(second=0)
    assert list(stored) == [(*call, 3, minute), (*call, 1, minute + MINUTE)]


@pytest.mark.sqlite
def test_calls_of_some_seconds_with_an_ended_token_share_a_row(api, failure_log):
    """Nothing limits them."""
    reader, other = Backend.of(api.project), Backend.of(api.project)
    for backend in (api, other):
        backend.token.revoke(by=BY)

    for calls in (3, 2):
        for _ in range(calls):
            api.results()
        failure_log.write()
    other.results()
    api.link()
    failure_log.write()

    assert [each["Count"] for each in failures(reader)] == [1, 1, 2, 3]


def test_a_success_and_a_crash_are_not_kept(api, failure_log, monkeypatch):
    statuses = [api.results().status_code]
    monkeypatch.setattr("assessments.models.partner_results.newest", lambda *_: 1 / 0)
    statuses.append(api.results().status_code)
    failure_log.write()

    assert statuses == [200, 500]
    assert failures(api) == []


def test_nothing_that_was_sent_is_kept(api, failure_log):
    sent = [
        api.link_body(email=f"{SECRET} ", name="", mobile=SECRET),
        {SECRET: SECRET, "projectId": SECRET, "email": "x"},
        b'{"%s": 1, "%s": 2}' % (SECRET.encode(), SECRET.encode()),
        b'{"email": ' + SECRET.encode(),
        [SECRET],
        api.link_body(),
    ]
    for body in sent:
        response = api.post(LINK, body, headers={"X-Reference": f"{SECRET} !"})
        assert response.status_code in (400, 401)

    failure_log.write()

    with connection.cursor() as cursor:
        cursor.execute("SELECT * FROM assessments_refusedcall")
        rows = cursor.fetchall()
    assert len(rows) == len(sent)
    assert SECRET not in str(rows)
    assert api.credential.partition(":")[2] not in str(rows)
    kept = RefusedCall.objects.values_list("fields", flat=True)
    known = {"", "projectId", "name", "email", "mobile", "X-Reference"}
    assert {each["field"] for fields in kept for each in fields} <= known


def test_beyond_a_number_of_gathered_calls_they_are_counted_as_lost(api, failure_log, monkeypatch):
    monkeypatch.setattr("assessments.api.failure_log.MAX_WAITING", 2)
    before = LOST._value.get()

    answers = [api.results(email="").status_code for _ in range(5)]
    failure_log.write()

    assert answers == [400] * 5
    assert len(failures(api)) == 2
    assert LOST._value.get() == before + 3


@pytest.mark.sqlite
def test_if_the_database_refuses_the_rows_are_lost_and_later_ones_kept(
    api, failure_log, monkeypatch
):
    def refuse(*_):
        raise DatabaseError("it is gone")

    before = LOST._value.get()
    with monkeypatch.context() as patch:
        patch.setattr(RefusedCallQuerySet, "store", refuse)
        assert api.results(email="").status_code == 400
        failure_log.write()
    assert api.results(email="").status_code == 400
    failure_log.write()

    assert len(failures(api)) == 1
    assert LOST._value.get() == before + 1


def test_no_call_fails_if_no_thread_can_be_started(api, monkeypatch):
    def refuse(_):
        raise RuntimeError("can't start new thread")

    monkeypatch.undo()  # the fixture that leaves the thread out
    monkeypatch.setattr("threading.Thread.start", refuse)

    assert api.results(email="").status_code == 400


@pytest.mark.slow
@pytest.mark.django_db(transaction=True)
def test_workers_that_count_the_same_minute_at_once_add_to_one_row(api):
    def store(at, count):
        whose = {"project": api.project, "access_token": api.token}
        RefusedCall.objects.store([RefusedCall(**whose, at=at, status=429, count=count)])

    for number in range(10):
        at = AT + number * MINUTE
        assert race([partial(store, at, count) for count in range(1, 7)]) == [None] * 6

    assert list(RefusedCall.objects.values_list("count", flat=True)) == [21] * 10


LIST = "/admin/assessments/refusedcall/"
# 01:30 of the 24th in India.
EVENING = datetime(2026, 11, 23, 20, tzinfo=UTC)
MISSING = [{"field": "mobile", "code": "required"}]
UNKNOWN = [{"field": "LinkId", "code": "unknown"}]
EXPIRED = [{"field": "X-Access-Token", "code": "expired"}]


def refused(project, at=EVENING, **fields):
    token = project.access_tokens.first() or issued_token(project)[0]
    values = {
        **{"operation": "get-redirect-url", "request_id": "crm-00017"},
        **{"status": 400, "code": "invalid_request", "fields": MISSING},
        **fields,
    }
    return RefusedCall.objects.create(project=project, access_token=token, at=at, **values)


def test_a_call_is_explained(staff, project):
    support = staff(roles=[roles.SUPPORT])
    for status, code, fields, meaning in (
        (400, "invalid_request", MISSING, "mobile: The field is missing."),
        (400, "invalid_request", [{"field": "", "code": "invalid"}], ""),
        (400, "invalid_request", UNKNOWN, "LinkId: The operation has no field of the name"),
        (401, "invalid_credentials", EXPIRED, "The token's lifetime is over."),
        *((404, "not_found", [], ""), (409, "link_in_use", [], ""), (429, "rate_limited", [], "")),
    ):
        call = refused(project, status=status, code=code, fields=fields)

        response = support.get(f"{LIST}{call.pk}/change/")
        page = " ".join(unescape(re.sub(r"<[^>]+>", " ", response.content.decode())).split())
        meaning = meaning or CODES[code].meaning.replace("`", "")
        assert f"What was wrong: {meaning}" in page
        assert "crm-00017" in page
        assert call.access_token.token_id in page


@pytest.mark.sqlite
def test_equal_calls_of_a_day_are_one_row(staff, project):
    support = staff(roles=[roles.SUPPORT])
    refused(project, EVENING - timedelta(hours=1))
    refused(project, EVENING - timedelta(days=1))
    refused(project, fields=[*MISSING, {"field": "email", "code": "required"}])
    newest = refused(project, EVENING + timedelta(hours=1))

    rows = support.get(LIST).context["cl"].result_list

    assert [(row.pk, row.count) for row in rows][0] == (newest.pk, 2)
    assert [row.count for row in rows] == [2, 1, 1]
