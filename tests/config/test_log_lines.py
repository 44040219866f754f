"""A log line is JSON, carries the request id, and never a secret or a person's data."""

from __future__ import annotations

import json
import logging
import sys
import warnings
from collections.abc import Iterator
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from config.logging import (
    EXTRA_LENGTH,
    MESSAGE_LENGTH,
    TRACEBACK_LENGTH,
    JSONFormatter,
    PlainFormatter,
    configuration,
    current_request_id,
    redact,
)


@pytest.fixture(autouse=True)
def _own_warnings() -> Iterator[None]:
    """Give Python's warnings back to pytest afterwards."""
    yield
    logging.captureWarnings(False)


def line(message: str, *args: object, extra: dict[str, Any] | None = None, **kwargs: Any) -> Any:
    """Return the one line that a record becomes, read back."""
    logger = logging.Logger("probe")
    record = logger.makeRecord(
        "probe", logging.INFO, "file", 1, message, args, kwargs.get("exc_info"), extra=extra
    )
    record.stack_info = kwargs.get("stack_info")
    text = JSONFormatter().format(record)
    assert "\n" not in text
    assert text.isascii()
    return json.loads(text)


HIDDEN = [
    "sec_0123456789abcdefABCDEF_-x",
    "http://x/prj_a/assessment?token=AbC-123_x",
    "next=%2Fassessment%3Ftoken%3DAbC-123_x",
    "{'token': 'AbC-123_x'}",
    "http://x/prj_a/result?key=AbC-123_x",
    "http://x/prj_a/result?language=hi&KEY=AbC-123_x",
    "next=%2Fresult%3Fkey%3DAbC-123_x",
    f"{{'key': ['{'AbC-123_x':x<43}']}}",
    "X-Access-Token: tok_0123456789abcdef:AbC-123_x",
    "{'HTTP_X_ACCESS_TOKEN': 'tok_0123456789abcdef:AbC-123_x'}",
    "Asha@Example.com",
    "asha.k+AbC-123_x@mail.example.co.in",
    "asha%40example.com",
    "%40asha%40example.com",
    "asha@example.com" + ".example" * 40 + "%40asha",
    "आशा@example.com",
    "postgres://svc:AbC-123_x@db.internal/name",
    "+91 98765 43210",
    "+919876543210",
    "9876543210",
    "98765-43210",
    "(0) 98765 43210",
    "DETAIL:  Key (project_id, email_key)=(1, AbC-123_x) already exists.",
    "duplicate key\nDETAIL:  Failing row contains (1, AbC-123_x, null).\nCONTEXT: more",
    "syntax error\nLINE 1: SELECT 'AbC-123_x'\n               ^\nHINT: more",
    "CONTEXT:  JSON data, line 1: AbC-123_x",
    'invalid input syntax for type integer: "AbC-123_x"',
    "QUERY:  SELECT 'AbC-123_x'",
    f"/assessment/{'AbC-123_x':x<43}/next",
    f"%2fassessment%2f{'AbC-123_x':x<43}",
]
TRACES = ["AbC-123_x", "Asha", "asha", "आशा", "sec_0", "98765", "43210"]


@pytest.mark.parametrize("text", HIDDEN)
@pytest.mark.parametrize("way", ["message", "argument", "extra", "traceback", "stack"])
def test_secrets_and_personal_data_are_hidden(text: str, way: str) -> None:
    if way == "message":
        written = line(f"before {text}")
    elif way == "argument":
        written = line("before %s", text)
    elif way == "extra":
        written = line("before", extra={"what": text})
    elif way == "stack":
        written = line("before", stack_info=f"Stack:\n {text}")
    else:
        try:
            raise ValueError(f"before {text}")
        except ValueError:
            written = line("before", exc_info=sys.exc_info())

    assert "before" in str(written)
    assert not [trace for trace in TRACES if trace in json.dumps(written, ensure_ascii=False)]


@pytest.mark.parametrize(
    "text",
    [
        "tok_0123456789abcdef, wrong secret, from 10.0.0.1",
        "2026-11-21 06:21:51,123 +0000",
        "2026-11-21T06:21:51Z",
        "192.168.100.200:8000",
        "prj_0123456789012345 asm_0123456789012345",
        "took 1234567 ms for 123456 rows",
        "/prj_AbCdEfGhIjKlMnOp/assessment/12",
        "Version 5.2.19 of 14 packages",
        "0d5c7a51a52b4bd4ae0db0bd1b1f3d3c",
        "@transaction.atomic",
        'File "/srv/app/tokens/models.py", line 120, in issue',
        "HINT:  Perhaps you meant to reference the column links.digest.",
        f"{'a':x<42} {'a':x<44}",
    ],
)
def test_what_support_needs_stays_readable(text: str) -> None:
    assert redact(text) == text


@pytest.mark.parametrize(
    ("part", "length"),
    [
        ("message", MESSAGE_LENGTH),
        ("path", EXTRA_LENGTH),
        ("traceback", TRACEBACK_LENGTH),
        ("stack", TRACEBACK_LENGTH),
    ],
)
@pytest.mark.parametrize("secret", ["asha.k@example.com", "98765 43210", f"{'AbC-123_x':x<43}"])
def test_a_long_value_is_cut_and_no_half_of_a_secret_is_left(
    part: str, length: int, secret: str
) -> None:
    text = "word " * (length // 5 - 2) + secret + " word" * length
    assert secret not in text[:length]

    if part == "message":
        written = line(text)
    elif part == "path":
        written = line("before", extra={"path": text})
    elif part == "stack":
        written = line("before", stack_info=text)
    else:
        formatter = JSONFormatter()
        formatter.formatException = lambda exc_info: text  # type: ignore[method-assign]
        record = logging.makeLogRecord({"msg": "before", "exc_info": (ValueError, None, None)})
        written = json.loads(formatter.format(record))

    assert written[part].endswith("word[cut]")
    assert len(written[part]) <= length + len("[cut]")


def test_control_characters_come_out_escaped() -> None:
    written = JSONFormatter().format(
        logging.makeLogRecord({"msg": 'name \n{"level": "fake"} \x1b[31m \u2028 \x00'})
    )

    assert written.isprintable()
    assert json.loads(written)["message"].startswith("name \n")


def test_a_line_carries_the_request_id() -> None:
    token = current_request_id.set("request-1")
    try:
        written = line("hello")
    finally:
        current_request_id.reset(token)

    assert written["request_id"] == "request-1"
    assert "request_id" not in line("hello")


def test_a_line_has_the_time_in_utc_and_plain_extras_only() -> None:
    written = line("hello", extra={"count": 3, "request": object(), "none": None, "ok": True})

    assert written.pop("time").endswith("+00:00")
    assert written == {
        "level": "INFO",
        "logger": "probe",
        "message": "hello",
        "count": 3,
        "none": None,
        "ok": True,
    }


def test_the_terminals_lines_are_redacted_too() -> None:
    written = PlainFormatter("%(message)s").format(logging.makeLogRecord({"msg": "sec_abc"}))

    assert written == "[hidden]"


@pytest.mark.parametrize(("mode", "formatter"), [("production", "json"), ("demo", "plain")])
def test_production_writes_json_and_a_terminal_plain_text(mode: str, formatter: str) -> None:
    handlers = configuration(mode, "INFO")["handlers"]

    assert handlers["stderr"]["formatter"] == formatter


def test_in_production_a_warning_of_python_becomes_a_record(
    caplog: pytest.LogCaptureFixture,
) -> None:
    configuration("production", "INFO")

    with warnings.catch_warnings():
        warnings.simplefilter("always")
        warnings.showwarning("unordered list", UserWarning, "file.py", 1)

    assert [record.name for record in caplog.records] == ["py.warnings"]
    assert "unordered list" in caplog.text


@given(st.text("0123456789abcdef", min_size=32, max_size=32))
def test_there_is_nothing_to_hide_in_an_id_of_our_own(request_id: str) -> None:
    assert redact(request_id) == request_id
    assert line("request", extra={"request_id": request_id})["request_id"] == request_id


def test_an_id_that_the_caller_made_is_looked_through() -> None:
    given = "sec_0123456789abcdefABCDEF_-x"

    assert line("request", extra={"request_id": given})["request_id"] == "[hidden]"


def test_a_message_without_arguments_is_looked_through_each_time() -> None:
    said = [line("call +91 98765 43210")["message"] for _ in range(2)]

    assert "98765" not in "".join(said)
