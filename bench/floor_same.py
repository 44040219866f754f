"""Calls, right and wrong, to which the service and the floor must give the same answer.

The floor is a floor only as long as it checks what the service checks.
"""

from __future__ import annotations

import http.client
import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from bench.api_rows import LINK, RESULTS, email

if TYPE_CHECKING:
    from bench.api_cost import Side
    from tests.support.server import Service

RIGHT = {"name": "Asha Rao", "email": "asha.rao@example.com", "mobile": "9876543210"}
OTHER_ID = "tok_0123456789abcdef"
ADDRESSES = (
    "Asha.Rao+x@Example.COM",
    "asha@exämple.in",
    "asha",
    "asha@localhost",
    "asha@[127.0.0.1]",
    "asha@127.0.0.1",
    "a..b@example.com",
    "asha@-example.com",
    "ﬁ@example.com",
    "asha@\u017fample.com",
    f"{'a' * 250}@example.com",
)
MOBILES = (
    "+91 98765 43210",
    "09876543210",
    "12345",
    "98-7654-3210x",
    "()()()()",
    "+1 650 253 0000",
)
NAMES = ("  Asha Rao ", "आशा राव", "Asha\u202eoaR", "Asha\tRao", "a" * 201, " ", "A\u200dB")
BODIES = (
    b"",
    b"[]",
    b'"text"',
    b"{",
    b'{"projectId": "x", "projectId": "x"}',
    b'{"projectId": NaN}',
    b"\xef\xbb\xbf{}",
    b"\xff",
    b'{"projectId": 1e999}',
    b" " * 17_000,
)
EXTRAS = (
    '"\\u0000"',
    '"\\ud800"',
    '"\\ud83d\\ude00"',
    "[[[[[1]]]]]",
    "[[[[1]]]]",
    '"{{{{{{"',
    "1e400",
    "1" * 101,
    "null",
)
TYPES = (
    "application/json; charset=utf-8",
    "application/json;charset=UTF8",
    "Application/JSON",
    "text/plain",
    "application/json; charset=latin-1",
    "",
)
# Students of the first project, see bench/api_rows.py.
WITH_RESULT, WITHOUT_RESULT = 8, 40
ROW = (
    "SELECT s.project_id, s.email_key, s.email, s.name, s.mobile, l.name AS link_name,"
    " l.mobile AS link_mobile, l.access_token_id, l.expires_at - l.issued_at AS lives,"
    " l.used_at, l.assessment_id, now() - l.issued_at < interval '1 minute' AS is_now"
    " FROM assessments_assessmentlink l JOIN assessments_student s ON s.id = l.student_id"
    " WHERE l.token_digest = encode(sha256(%s::bytea), 'hex')"
)


# An attempt that the first student of all has left, with an answer after ten minutes.
LEFT = (
    "WITH attempt AS (INSERT INTO assessments_assessment (assessment_id, student_id, bank_id,"
    " language, browser_digest, consent_version, consented_at, started_at, finish_by_at,"
    " abandoned_at) SELECT 'asm_left', s.id, t.bank_id, 'en', 'left', '1', now(), now(),"
    " now() + interval '1 day', now() FROM assessments_assessment t, assessments_student s"
    " WHERE t.id = %s AND s.email_key = %s RETURNING id)"
    " INSERT INTO assessments_answer (assessment_id, position, item_id, shown_at, choice,"
    " answered_at) SELECT attempt.id, position, item_id, now(), choice,"
    " now() + interval '601 seconds' FROM attempt, assessments_answer n"
    " WHERE n.assessment_id = %s AND n.position = 1"
)
# What shuts a project out, and what lets it in again.
SHUT = (
    ("tokens_accesstoken SET revoked_at = now()", "tokens_accesstoken SET revoked_at = NULL"),
    ("tokens_accesstoken SET expires_at = now()", "tokens_accesstoken SET expires_at = NULL"),
    ("partners_project SET closed_at = now()", "partners_project SET closed_at = NULL"),
)


@dataclass(frozen=True)
class Request:
    """A call as it is to be sent."""

    path: str
    headers: Mapping[str, str]
    body: bytes
    method: str = "POST"


def compare(
    service: Service, sides: Sequence[Side], made: Mapping[str, Any]
) -> tuple[int, list[str]]:
    """Return how many calls were made, and those with different answers or rows, in words."""
    callers, outcomes = made["callers"], []
    for request in requests(callers):
        outcomes.append((request, [_outcome(service, side, request) for side in sides]))
    left = _results(callers[0], RIGHT["email"])
    service.rows(LEFT, (made["attempt"], RIGHT["email"], made["attempt"]))
    outcomes.append((left, [_outcome(service, side, left) for side in sides]))
    for shut, open_again in SHUT:
        service.rows(f"UPDATE {shut}")
        outcomes.append((left, [_outcome(service, side, left) for side in sides]))
        service.rows(f"UPDATE {open_again}")
    return len(outcomes), [
        f"{request}\n  {sides[0].name}: {one}\n  {sides[1].name}: {other}"
        for request, (one, other) in outcomes
        if one != other
    ]


def requests(callers: Sequence[Mapping[str, Any]]) -> Iterator[Request]:
    """Give calls of every kind, by the first of the callers."""
    fields, headers = {"projectId": callers[0]["project_id"], **RIGHT}, _headers(callers[0])
    right = Request(LINK, headers, json.dumps(fields).encode())
    yield right
    for number in (WITH_RESULT, WITHOUT_RESULT):
        yield _results(callers[0], email(number))
    yield replace(right, method="GET")
    yield replace(right, path="/partner/get-nothing")
    credential = headers["X-Access-Token"]
    token_id, _, secret = credential.partition(":")
    swapped = secret[:10] + ("a" if secret[10] != "a" else "b") + secret[11:]
    for header in ("", credential[:-1], f"{token_id}:{swapped}", f"{OTHER_ID}:{secret}"):
        yield replace(right, headers=headers | {"X-Access-Token": header})
    other = callers[1]["credential"].partition(":")[2]
    yield replace(right, headers=headers | {"X-Access-Token": f"{token_id}:{other}"})
    for name, values in (("email", ADDRESSES), ("mobile", MOBILES), ("name", NAMES)):
        for value in values:
            yield replace(right, body=json.dumps(fields | {name: value}).encode())
    for name in fields:
        for wrong in (None, 5, "", "x" * 300):
            yield replace(right, body=json.dumps({**fields, name: wrong}).encode())
        rest = {key: value for key, value in fields.items() if key != name}
        yield replace(right, body=json.dumps(rest).encode())
    yield replace(right, body=json.dumps(fields | {"projectId": "prj_0123456789abcdef"}).encode())
    for body in BODIES:
        yield replace(right, body=body)
    for extra in EXTRAS:
        yield replace(right, body=right.body[:-1] + f', "more": {extra}}}'.encode())
    for content_type in TYPES:
        yield replace(right, headers=headers | {"Content-Type": content_type})
    yield replace(right, headers=headers | {"Content-Encoding": "gzip"})


def _headers(caller: Mapping[str, Any]) -> dict[str, str]:
    return {"X-Access-Token": caller["credential"], "Content-Type": "application/json"}


def _results(caller: Mapping[str, Any], address: str) -> Request:
    wanted = {"projectId": caller["project_id"], "email": address}
    return Request(RESULTS, _headers(caller), json.dumps(wanted).encode())


def _outcome(service: Service, side: Side, request: Request) -> Any:
    """Return the status, what the body holds of a 200, and the student's row."""
    connection = http.client.HTTPConnection("127.0.0.1", side.port, timeout=30)
    connection.request(request.method, request.path, request.body, dict(request.headers))
    response = connection.getresponse()
    body = response.read()
    connection.close()
    if response.status != 200:
        return response.status
    answer = json.loads(body)
    if request.path == RESULTS:
        return answer
    url, _, link_token = answer["redirect-url"].rpartition("=")
    [row] = service.rows(ROW, (link_token,))
    return url, row
