"""The students, attempts and links that bench/api.py calls meet, and the calls about them.

Student n belongs to project n % PROJECTS. Of five students four have one completed attempt, whose
results the partner has read; the fifth has only a link. E-mail addresses are scattered over the
alphabet, as they are among people, so that an index is met everywhere and not at its end.
"""

from __future__ import annotations

import hashlib
import itertools
import json
import random
import re
from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import psycopg

from bench.load import Call
from bench.server_settings import altered
from tests.support.cluster import Cluster

PROJECTS = 8  # which has nothing in common with the five below
OFFSET = 1000  # the rows that the models made come first
AT_ONCE = 200_000  # rows of a statement
LINK, RESULTS = "/partner/get-redirect-url", "/partner/get-assessments-info"
REDIRECT = re.compile(
    rb'\{"redirect-url": ?"http://[0-9.:]+/[^/?"]+/assessment\?token=[\w-]{43}"\}'
)
RECORD = {"AssessmentId", "Status", "Recommendations", "AssessmentDuration"}

# Students came evenly over 400 days.
_N = (
    "(SELECT n, now() - interval '400 days' * (1 - n::float8 / %(students)s) AS at"
    " FROM generate_series(%(first)s::int, %(last)s::int) n) numbered"
)
STUDENTS = f"""
INSERT INTO assessments_student (id, project_id, email_key, email, name, mobile, created_at)
SELECT {OFFSET} + n, (%(projects)s::bigint[])[1 + n %% {PROJECTS}],
  left(md5(n::text), 8) || '.' || n || '@example.com',
  left(md5(n::text), 8) || '.' || n || '@example.com',
  'Student ' || n, '+9198' || lpad((n * 7919::bigint %% 100000000)::text, 8, '0'), at
FROM {_N}
"""
ATTEMPTS = f"""
INSERT INTO assessments_assessment (id, assessment_id, student_id, bank_id, language,
  browser_digest, consent_version, consented_at, started_at, finish_by_at, completed_at,
  results_read_at, profile, recommendations, catalogue_id)
SELECT {OFFSET} + n, 'asm_' || left(md5('attempt' || n), 16), {OFFSET} + n, t.bank_id, 'en',
  md5('browser' || n) || md5('other' || n), 'bench', at, at, at + interval '24 hours',
  at + make_interval(mins => (15 + n %% 30)::int), at + interval '1 hour', t.profile,
  t.recommendations, t.catalogue_id
FROM {_N}, assessments_assessment t
WHERE n %% 5 > 0 AND t.id = %(attempt)s
"""
LINKS = f"""
INSERT INTO assessments_assessmentlink (student_id, access_token_id, token_digest, name, mobile,
  issued_at, expires_at, used_at, assessment_id)
SELECT {OFFSET} + n, (%(tokens)s::bigint[])[1 + n %% {PROJECTS}],
  md5('link' || n) || md5('token' || n), 'Student ' || n, '9876543210', at,
  at + interval '72 hours', CASE WHEN n %% 5 > 0 THEN at END,
  CASE WHEN n %% 5 > 0 THEN {OFFSET} + n END
FROM {_N}
"""
SEQUENCES = "; ".join(
    f"SELECT setval(pg_get_serial_sequence('assessments_{table}', 'id'), max(id))"
    f" FROM assessments_{table}"
    for table in ("student", "assessment")
)
# A crash would cost this run alone. The calls that come later are durable again.
WHILE_FILLING = {"fsync": "off", "full_page_writes": "off", "autovacuum": "off"}


def fill(cluster: Cluster, url: str, made: Mapping[str, Any], attempts: int) -> Rows:
    """Fill a database with so many attempts, for the callers that bench/api_prepare.py made.

    All indexes and constraints stay. References are not looked up: the rows are right by their
    making, and it would take longer than they do.
    """
    rows = Rows(made["callers"], attempts)
    values = {
        "students": rows.students,
        "projects": [caller["project"] for caller in rows.callers],
        "tokens": [caller["token"] for caller in rows.callers],
        "attempt": made["attempt"],
    }
    parts = [
        (statement, values | {"first": first, "last": min(first + AT_ONCE - 1, rows.students)})
        for first in range(1, rows.students + 1, AT_ONCE)
        for statement in (STUDENTS, ATTEMPTS, LINKS)
    ]
    with altered(cluster, WHILE_FILLING), ThreadPoolExecutor(2) as threads:
        list(threads.map(lambda part: _execute(url, *part), parts))
    with psycopg.connect(url, autocommit=True) as connection:
        connection.execute(SEQUENCES)
        connection.execute("VACUUM ANALYZE")
        connection.execute("CHECKPOINT")
    return rows


def _execute(url: str, statement: str, values: Mapping[str, Any]) -> None:
    with psycopg.connect(url, autocommit=True) as connection:
        connection.execute("SET session_replication_role = replica")
        connection.execute(statement, values)


class Rows:
    """What stands in filled tables, and calls about it."""

    def __init__(self, callers: Sequence[Mapping[str, Any]], attempts: int) -> None:
        self.callers = callers
        self.students = -(-attempts * 5 // 4)
        self._draw = random.Random("students")
        self._new = itertools.count(self.students + 1)

    def calls(self, name: str) -> Iterator[Call]:
        """Give calls without end.

        "link" asks for links, in turns for a student who is known and one who is new, "link of a
        known student" and "link of a new student" for those alone; "results" for the results of
        students who are known.
        """
        known = map(self._link, self._drawn())
        new = map(self._link, self._new)
        match name:
            case "link":
                return itertools.chain.from_iterable(zip(known, new, strict=True))
            case "link of a known student":
                return known
            case "link of a new student":
                return new
            case "results":
                return map(self._results, self._drawn())
        raise ValueError(name)

    def _drawn(self) -> Iterator[int]:
        while True:
            yield self._draw.randint(1, self.students)

    def _results(self, number: int) -> Call:
        request = self.request(RESULTS, number, {"email": email(number)})
        return Call(request, _is_one_record if number % 5 else _is_empty)

    def _link(self, number: int) -> Call:
        fields = {
            "name": f"Student {number}",
            "email": email(number),
            "mobile": f"98{number * 7919 % 100000000:08}",
        }
        return Call(self.request(LINK, number, fields), _is_redirect)

    def request(self, path: str, number: int, fields: Mapping[str, str]) -> bytes:
        """Return a call by the project of student n."""
        caller = self.callers[number % PROJECTS]
        body = json.dumps({"projectId": caller["project_id"], **fields})
        return (
            f"POST {path} HTTP/1.1\r\nHost: 127.0.0.1\r\nUser-Agent: partner/1\r\n"
            f"Accept: application/json\r\nX-Access-Token: {caller['credential']}\r\n"
            f"Content-Type: application/json\r\nContent-Length: {len(body)}\r\n\r\n{body}"
        ).encode()


def email(number: int) -> str:
    return f"{hashlib.md5(str(number).encode()).hexdigest()[:8]}.{number}@example.com"


def _is_redirect(body: bytes) -> bool:
    return REDIRECT.fullmatch(body) is not None


def _is_empty(body: bytes) -> bool:
    return body == b"[]"


def _is_one_record(body: bytes) -> bool:
    [record] = json.loads(body)
    return set(record) == RECORD and bool(record["Status"] == "Completed")
