"""The floor: the two operations as a bare WSGI app, to hold the service against.

It does by hand what a call cannot do without, and nothing else: the header's shape, checksum and
digest, the token's row, one count in Redis, strict JSON, the field rules, the statement, its commit
and the answer. It lacks what the service is paid for: request ids, an access line, errors that say
what is wrong, a route for anything else, a clear 500, an answer while Redis is gone.

Run by bench/floor_server.py under gunicorn, which hands it DATABASE_URL, REDIS_URL and APP_URL.
"""

from __future__ import annotations

import datetime
import hashlib
import json
import os
import secrets
import socket
import struct
import threading
import time
from collections.abc import Iterable
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit

import psycopg

from bench import floor_checks as checks

if TYPE_CHECKING:
    from _typeshed.wsgi import StartResponse, WSGIEnvironment

DATABASE_URL = os.environ["DATABASE_URL"]
REDIS = urlsplit(os.environ["REDIS_URL"])
APP_URL = os.environ["APP_URL"]
LIMIT = int(os.environ["RATE_PER_MINUTE"])
REDIS_TIMEOUT = struct.pack("ll", 5, 0)  # seconds, microseconds
UTC = datetime.UTC
LAST_USE_PRECISION = datetime.timedelta(minutes=1)

TOKEN = """
SELECT t.id, t.secret_digest, t.revoked_at, t.expires_at, t.last_used_at, p.id, p.project_id,
  p.closed_at, p.start_by_minutes, p.link_rate_per_minute, p.results_rate_per_minute
FROM tokens_accesstoken t JOIN partners_project p ON p.id = t.project_id WHERE t.token_id = %s
"""
NOTE_USE = """
UPDATE tokens_accesstoken SET last_used_at = %s
WHERE id = %s AND (last_used_at IS NULL OR last_used_at <= %s)
"""
LINK = """
WITH student AS (
  INSERT INTO assessments_student (project_id, email_key, email, name, mobile, created_at)
  VALUES (%s, %s, %s, %s, %s, %s)
  ON CONFLICT (project_id, email_key) DO UPDATE
  SET email = EXCLUDED.email, name = EXCLUDED.name, mobile = EXCLUDED.mobile
  RETURNING id)
INSERT INTO assessments_assessmentlink (student_id, access_token_id, token_digest, name, mobile,
  issued_at, expires_at)
SELECT id, %s, %s, %s, %s, %s, %s FROM student
"""
RESULTS = """
SELECT a.id, a.assessment_id, a.completed_at, a.started_at, a.results_read_at,
  jsonb_path_query_array(a.recommendations, '$[*].name')::text,
  CASE WHEN a.completed_at IS NULL
    THEN (SELECT max(n.answered_at) FROM assessments_answer n WHERE n.assessment_id = a.id) END
FROM assessments_student s JOIN assessments_assessment a ON a.student_id = s.id
WHERE s.project_id = %s AND s.email_key = %s
  AND (a.completed_at IS NOT NULL OR a.abandoned_at IS NOT NULL OR a.finish_by_at <= %s)
ORDER BY a.started_at DESC, a.id DESC LIMIT 100
"""
NOTE_READ = """
UPDATE assessments_assessment SET results_read_at = %s
WHERE id = ANY(%s) AND results_read_at IS NULL
"""


class Thread(threading.local):
    """What each thread keeps: a cursor, and a connection to Redis."""

    def __init__(self) -> None:
        connection = psycopg.connect(DATABASE_URL, autocommit=True, prepare_threshold=0)
        self.sql = connection.cursor(binary=True)
        self.redis = socket.create_connection((REDIS.hostname or "", REDIS.port or 0))
        self.redis.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        # The kernel's own time-outs cost a call nothing.
        self.redis.setsockopt(socket.SOL_SOCKET, socket.SO_RCVTIMEO, REDIS_TIMEOUT)
        self.redis.setsockopt(socket.SOL_SOCKET, socket.SO_SNDTIMEO, REDIS_TIMEOUT)


own = Thread()


def application(environ: WSGIEnvironment, start_response: StartResponse) -> Iterable[bytes]:
    """Answer a call; a failure with its status alone."""
    operation = OPERATIONS.get(environ["PATH_INFO"])
    if operation is None:
        return _end(start_response, "404 Not Found")
    if environ["REQUEST_METHOD"] != "POST":
        return _end(start_response, "405 Method Not Allowed")
    given = checks.credential(environ.get("HTTP_X_ACCESS_TOKEN", ""))
    if given is None:
        return _end(start_response, "401 Unauthorized")
    at = datetime.datetime.now(UTC)
    token = own.sql.execute(TOKEN, (given[0],)).fetchone()
    if token is None or not _is_live(token, given[1], at):
        return _end(start_response, "401 Unauthorized")
    group, rate, names, act = operation
    if _count(f"{group}:{token[6]}") > (token[rate] or LIMIT):
        return _end(start_response, "429 Too Many Requests")
    try:
        fields = checks.fields(environ, names)
        key = checks.email_key(fields["email"])
        if fields["projectId"] != token[6]:
            return _end(start_response, "401 Unauthorized")
        return _end(start_response, "200 OK", act(token, fields, key, at))
    except checks.BadRequest:
        return _end(start_response, "400 Bad Request")


def _is_live(token: tuple[Any, ...], digest: str, at: datetime.datetime) -> bool:
    """Compare the secret and the times, and note the use once a minute."""
    pk, stored, revoked_at, expires_at, last_used_at = token[:5]
    is_open = revoked_at is None and (expires_at is None or expires_at > at) and token[7] is None
    if not (checks.is_same(digest, stored) and is_open):
        return False
    stale = at - LAST_USE_PRECISION
    if last_used_at is None or last_used_at <= stale:
        own.sql.execute(NOTE_USE, (at, pk, stale))
    return True


def _count(name: str) -> int:
    """Count one in this minute and return the number, in one round trip."""
    key = f"floor:{name}:{int(time.time()) // 60}"
    length = len(key)
    own.redis.sendall(
        f"*1\r\n$5\r\nMULTI\r\n*6\r\n$3\r\nSET\r\n${length}\r\n{key}\r\n$1\r\n0\r\n$2\r\nNX\r\n"
        f"$2\r\nEX\r\n$2\r\n60\r\n*3\r\n$6\r\nINCRBY\r\n${length}\r\n{key}\r\n$1\r\n1\r\n"
        "*1\r\n$4\r\nEXEC\r\n".encode()
    )
    answer = b""
    # +OK +QUEUED +QUEUED *2, then +OK or $-1, then :<number>
    while not (answer.count(b"\r\n") == 6 and answer.endswith(b"\r\n")):
        data = own.redis.recv(4096)
        if not data:
            raise ConnectionError("Redis has closed the connection.")
        answer += data
    return int(answer[answer.rindex(b":") + 1 :])


def _issue(
    token: tuple[Any, ...], fields: dict[str, str], key: str, at: datetime.datetime
) -> bytes:
    name, mobile = fields["name"], fields["mobile"]
    checks.check_name(name)
    normal = checks.normal_mobile(mobile)
    link_token = secrets.token_urlsafe(32)
    digest = hashlib.sha256(link_token.encode()).hexdigest()
    student = (token[5], key, fields["email"], name, normal, at)
    expires_at = at + datetime.timedelta(minutes=token[8])
    own.sql.execute(LINK, (*student, token[0], digest, name, mobile, at, expires_at))
    return f'{{"redirect-url":"{APP_URL}/{token[6]}/assessment?token={link_token}"}}'.encode()


def _results(
    token: tuple[Any, ...], fields: dict[str, str], key: str, at: datetime.datetime
) -> bytes:
    rows = own.sql.execute(RESULTS, (token[5], key, at)).fetchall()
    unread = [row[0] for row in rows if row[4] is None]
    if unread:
        own.sql.execute(NOTE_READ, (at, unread))
    return f"[{','.join(map(_record, rows))}]".encode()


def _record(row: tuple[Any, ...]) -> str:
    _, assessment_id, completed_at, started_at, _, names, last_answered_at = row
    end = completed_at or last_answered_at or started_at
    minutes, seconds = divmod(max(0, int((end - started_at).total_seconds())), 60)
    return (
        f'{{"AssessmentId":{json.dumps(assessment_id)},'
        f'"Status":"{"Completed" if completed_at else "Abandoned"}",'
        f'"Recommendations":{names or "[]"},"AssessmentDuration":"{minutes}m {seconds}s"}}'
    )


def _end(start_response: StartResponse, status: str, body: bytes = b"") -> Iterable[bytes]:
    start_response(
        status, [("Content-Type", "application/json"), ("Content-Length", str(len(body)))]
    )
    return [body]


# What is counted, which column of the token's row overrides the rate, what the body must have.
OPERATIONS = {
    "/partner/get-redirect-url": (
        "links",
        9,
        ("projectId", "name", "email", "mobile"),
        _issue,
    ),
    "/partner/get-assessments-info": ("results", 10, ("projectId", "email"), _results),
}
