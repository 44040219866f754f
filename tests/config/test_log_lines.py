"""A log line is JSON, carries the request id, and never a secret or a person's data.

gunicorn's lines have the path and the kind of error, and nothing else of the request.
"""

import json
import logging
import sys
from datetime import timedelta
from types import SimpleNamespace

import pytest
from gunicorn.config import Config
from gunicorn.glogging import Logger

from config.logging import (
    EXTRA_LENGTH,
    MESSAGE_LENGTH,
    TRACEBACK_LENGTH,
    GunicornLines,
    JSONFormatter,
    PlainFormatter,
    current_request_id,
    redact,
)

SECRET_43 = f"{'AbC-123_x':x<43}"


class GunicornLogger(GunicornLines, Logger):
    """What gunicorn.conf.py makes of our lines."""


@pytest.fixture(autouse=True)
def _own_warnings():
    """Give Python's warnings back to pytest afterwards."""
    yield
    logging.captureWarnings(False)


def line(message, *args, extra=None, **kwargs):
    """Return the one line that a record becomes, read back."""
    record = logging.Logger("probe").makeRecord(
        "probe", logging.INFO, "file", 1, message, args, kwargs.get("exc_info"), extra=extra
    )
    record.stack_info = kwargs.get("stack_info")
    text = JSONFormatter().format(record)
    assert text.isascii()
    assert text.isprintable()
    return json.loads(text)


def traceback_of(text):
    try:
        raise ValueError(text)
    except ValueError:
        return sys.exc_info()


# Each way for a text into the log, and where it comes out.
WAYS = {
    "message": lambda text: line(text)["message"],
    "argument": lambda text: line("%s", text)["message"],
    "extra": lambda text: line("before", extra={"what": text})["what"],
    "request id": lambda text: line("before", extra={"request_id": text})["request_id"],
    "stack": lambda text: line("before", stack_info=f"Stack:\n {text}")["stack"],
    "traceback": lambda text: line("before", exc_info=traceback_of(text))["traceback"],
    "terminal": lambda text: PlainFormatter().format(logging.makeLogRecord({"msg": text})),
}
HIDDEN = [
    "sec_0123456789abcdefABCDEF_-x",
    "http://x/prj_a/assessment?token=AbC-123_x",
    "next=%2Fassessment%3Ftoken%3DAbC-123_x",
    "{'token': 'AbC-123_x'}",
    "http://x/prj_a/result?language=hi&KEY=AbC-123_x",
    "next=%2Fresult%3Fkey%3DAbC-123_x",
    f"{{'key': ['{SECRET_43}']}}",
    "X-Access-Token: tok_0123456789abcdef:AbC-123_x",
    "{'HTTP_X_ACCESS_TOKEN': 'tok_0123456789abcdef:AbC-123_x'}",
    "asha.k+AbC-123_x@Mail.example.co.in",
    "%40asha%40example.com",
    "asha@example.com" + ".example" * 40 + "%40asha",
    "आशा@example.com",
    "postgres://svc:AbC-123_x@db.internal/name",
    "+91 98765 43201",
    "9876543210",
    "98765-43210",
    "(0) 98765 43210",
    "DETAIL:  Key (project_id, email_key)=(1, AbC-123_x) already exists.",
    "duplicate key\nDETAIL:  Failing row contains (1, AbC-123_x, null).\nCONTEXT: more",
    "syntax error\nLINE 1: SELECT 'AbC-123_x'\n               ^\nHINT: more",
    "CONTEXT:  JSON data, line 1: AbC-123_x",
    'invalid input syntax for type integer: "AbC-123_x"',
    "QUERY:  SELECT 'AbC-123_x'",
    f"/assessment/{SECRET_43}/next",
    f"%2fassessment%2f{SECRET_43}",
]
TRACES = ["AbC-123_x", "Asha", "asha", "आशा", "sec_0", "98765", "43210"]


@pytest.mark.parametrize("text", HIDDEN)
@pytest.mark.parametrize("way", WAYS)
def test_secrets_and_personal_data_are_hidden(text, way):
    for _ in range(2):  # the second time from what is remembered of the first
        written = WAYS[way](f"before {text}")

        assert "before" in written
        assert "[hidden]" in written or "[cut]" in written
        assert not [trace for trace in TRACES if trace in written]


READABLE = [
    "tok_0123456789abcdef, wrong secret, from 10.0.0.1",
    "2026-11-21 06:21:51,123 +0000",
    "2026-11-21T06:21:51Z",
    "192.168.100.200:8000",
    "prj_0123456789012345 asm_0123456789012345",
    "took 1234567 ms for 123456 rows",
    "/prj_AbCdEfGhIjKlMnOp/assessment/12",
    "Version 5.2.19 of 14 packages",
    *("0d5c7a51a52b4bd4ae0db0bd1b1f3d3c", "0" * 32, "9" * 32, "0af" * 10 + "99"),
    "@transaction.atomic",
    'File "/srv/app/tokens/models.py", line 120, in issue',
    "HINT:  Perhaps you meant to reference the column links.digest.",
    f"{'a':x<42} {'a':x<44}",
]


@pytest.mark.parametrize("text", READABLE)
def test_what_support_needs_stays_readable(text):
    assert redact(text) == text


LENGTHS = {
    "message": MESSAGE_LENGTH,
    "path": EXTRA_LENGTH,
    "traceback": TRACEBACK_LENGTH,
    "stack": TRACEBACK_LENGTH,
}


@pytest.mark.parametrize("part", LENGTHS)
@pytest.mark.parametrize("secret", ["asha.k@example.com", "98765 43210", SECRET_43])
def test_a_long_value_is_cut_and_no_half_of_a_secret_is_left(monkeypatch, part, secret):
    length = LENGTHS[part]
    text = "word " * (length // 5 - 2) + secret + " word" * length
    assert secret not in text[:length]
    monkeypatch.setattr(JSONFormatter, "formatException", lambda self, exc_info: text)

    written = line(
        text if part == "message" else "before",
        extra={"path": text} if part == "path" else None,
        stack_info=text if part == "stack" else None,
        exc_info=(ValueError, None, None) if part == "traceback" else None,
    )

    assert written[part].endswith("word[cut]")
    assert len(written[part]) <= length + len("[cut]")


def test_a_line_has_the_request_id_the_time_in_utc_and_plain_extras_only():
    message = 'name \n{"level": "fake"} \x1b[31m \u2028 \x00'
    token = current_request_id.set("request-1")
    try:
        written = line(message, extra={"count": 3, "request": object(), "none": None, "ok": True})
    finally:
        current_request_id.reset(token)

    assert written.pop("time").endswith("+00:00")
    assert written == {
        "level": "INFO",
        "logger": "probe",
        "message": message,
        "request_id": "request-1",
        "count": 3,
        "none": None,
        "ok": True,
    }
    assert "request_id" not in line("hello")


QUOTED = {
    "Invalid request from ip=10.0.0.1: Invalid HTTP Header": ": 'x: AbC'",
    "Invalid request from ip=::1: Invalid HTTP method": ": 'AbC: %s'",
    "Invalid request from ip=: Invalid HTTP Version": ': "AbC\'?x"',
    "Invalid request from ip=::1: Invalid chunk terminator is not": " '\\r\\n': 'AbC'",
    "Invalid request from ip=10.0.0.1: Request Line is too large (4100 > 4094)": "",
    "Error handling request GET /path": "?name=AbC\x85AbC&x=%s",
    "Error handling request GET /prj_a": "/assessment%3Ftoken=AbC",
}


@pytest.mark.parametrize(("kept", "quoted"), QUOTED.items())
def test_gunicorns_error_line_has_only_the_kind_of_error_and_the_path(capsys, kept, quoted):
    GunicornLogger(Config()).error("%s", kept + quoted)

    assert json.loads(capsys.readouterr().err)["message"] == kept


@pytest.mark.parametrize(
    ("environ", "shown"),
    [
        ({}, {}),
        ({"service.client_address": "1.2.3.4"}, {"address": "1.2.3.4"}),
        ({"PATH_INFO": "/sec_abc/asha@example.com"}, {"path": "/[hidden]"}),
        ({"HTTP_USER_AGENT": "a" * 201}, {"agent": "a" * 200}),
        ({"accesslog": ""}, None),
    ],
)
def test_gunicorns_access_line_has_the_path_and_not_the_query(capsys, environ, shown):
    config = Config()
    config.set("accesslog", None if "accesslog" in environ else "-")
    asked = {
        "REQUEST_METHOD": "GET",
        "PATH_INFO": "/prj_a/assessment",
        "RAW_URI": "/prj_a/assessment?token=AbC-123_x",
        "QUERY_STRING": "token=AbC-123_x",
        "HTTP_REFERER": "http://x/?token=AbC-123_x",
        "HTTP_USER_AGENT": "agent",
        "REMOTE_ADDR": "10.0.0.1",
        "service.request_id": "request-1",
    }
    response = SimpleNamespace(status="200 OK", sent=12, headers=[])

    GunicornLogger(config).access(response, None, asked | environ, timedelta(milliseconds=3.21))

    written = [json.loads(text) for text in capsys.readouterr().out.splitlines()]
    expected = {
        "level": "INFO",
        "logger": "gunicorn.access",
        "message": "request",
        "method": "GET",
        "path": "/prj_a/assessment",
        "status": 200,
        "bytes": 12,
        "milliseconds": 3.2,
        "address": "10.0.0.1",
        "request_id": "request-1",
        "agent": "agent",
    }
    assert [{**each, "time": ""} for each in written] == (
        [] if shown is None else [{"time": "", **expected, **shown}]
    )
