"""The JSON bodies that the API takes, and the ones it refuses with a sentence."""

import io
import json

import pytest
from django.core.handlers.wsgi import WSGIRequest
from django.http import UnreadablePostError
from hypothesis import given
from hypothesis import strategies as st
from rest_framework.exceptions import ParseError

from config.json_body import MAX_BODY_BYTES, MAX_DEPTH, loads

pytestmark = pytest.mark.urls("tests.config.probe_urls")
JSON = "application/json"


def nested(depth):
    return b'{"a":' * depth + b"1" + b"}" * depth


REFUSED = {
    "empty": (b" ", "empty"),
    "cut off": (b'{"a": ', "not valid JSON"),
    "two values": (b"{} {}", "not valid JSON"),
    "a list": (b"[]", "must be a JSON object"),
    "a byte order mark alone": (b"\xef\xbb\xbf", "empty"),
    "latin-1": ('{"a": "é"}'.encode("latin-1"), "UTF-8"),
    "surrogate in utf-8": (b'{"a": "\xed\xa0\x80"}', "UTF-8"),
    "lone surrogate": (b'{"a": "\\ud800"}', "surrogate"),
    "lone surrogate further in": (b'{"a": [{"b": "\\ud800"}]}', "surrogate"),
    "NUL": (b'{"a": "x\\u0000"}', "NUL"),
    "NUL in a name": (b'{"a\\u0000": 1}', "NUL"),
    "raw NUL": (b'{"a": "x\0"}', "not valid JSON"),
    "a name twice further in": (b'{"a": {"b": 1, "b": 2}}', "twice"),
    "NaN": (b'{"a": NaN}', "NaN"),
    "endless float": (b'{"a": 1e999}', "too large"),
    "long float": (b'{"a": 0.' + b"1" * 99 + b"}", "too large"),
    "long integer": (b'{"a": ' + b"9" * 101 + b"}", "too large"),
    "one level too deep": (nested(MAX_DEPTH + 1), "deeper"),
    "deep, never closed": (b"[" * 16000, "deeper"),
    "one byte too long": (b"{}".ljust(MAX_BODY_BYTES + 1), "longer than 16384 bytes"),
}


@pytest.mark.parametrize(("body", "says"), REFUSED.values(), ids=REFUSED.keys())
def test_a_body_that_is_not_right_is_a_400_with_a_sentence(client, body, says):
    response = client.post("/partner/echo", body, content_type=JSON)

    answer = response.json()
    assert (response.status_code, answer["code"]) == (400, "invalid_request")
    assert says in answer["detail"]
    assert answer["errors"] == [{"field": "", "code": "invalid", "detail": answer["detail"]}]


@pytest.mark.parametrize(
    "body",
    [
        b'{"name": "Asha", "more": {"a": [1, 2.5, null, true]}}',
        json.dumps({"name": "आशा 😀"}).encode(),
        '\ufeff{"name": "आशा 😀"}'.encode(),
        b"{}".ljust(MAX_BODY_BYTES),
        nested(MAX_DEPTH),
        b'{"a": [' + b"9" * 100 + b", 0." + b"1" * 98 + b"]}",
    ],
)
def test_an_object_arrives_as_it_was_sent(client, body):
    response = client.post("/partner/echo", body, content_type=JSON)

    assert (response.status_code, response.json()) == (200, json.loads(body.decode("utf-8-sig")))


def test_a_caller_who_hangs_up_midway_is_no_crash(client, monkeypatch):
    def cut_off(*args):
        raise UnreadablePostError("connection reset")

    cut_short = {"wsgi.input": io.BytesIO(b"{}"), "CONTENT_LENGTH": "3"}
    short = client.post("/partner/echo", b"{}", content_type=JSON, **cut_short)
    monkeypatch.setattr(WSGIRequest, "read", cut_off)
    reset = client.post("/partner/echo", b"{}", content_type=JSON)

    for response in (short, reset):
        assert response.status_code == 400
        assert "could not be read" in response.json()["detail"]


TAKEN = [JSON, f"{JSON}; charset=utf-8", "Application/JSON;charset=UTF8"]
TAKEN += [f'{JSON}; charset="utf-8"', f"{JSON}; profile=x"]
OTHERS = ["", "text/plain", "application/x-www-form-urlencoded", "multipart/form-data; boundary=x"]
OTHERS += [f"{JSON}; charset=utf-16", f"{JSON}; charset=latin-1", "; charset=utf-8"]
OTHERS += [f"{JSON}; charset=utf-8; charset=utf-16", f"{JSON}; charset=utf-16; charset=utf-8"]


@pytest.mark.parametrize("content_type", TAKEN + OTHERS)
def test_only_json_in_utf_8_is_taken(client, content_type):
    response = client.post("/partner/echo", b'{"a": 1}', content_type=content_type)

    if content_type in TAKEN:
        assert response.json() == {"a": 1}
    else:
        assert response.status_code == 400
        assert JSON in response.json()["detail"]


@pytest.mark.parametrize(("encoding", "status"), [("gzip", 400), ("identity", 200), ("", 200)])
def test_a_compressed_body_is_refused(client, encoding, status):
    response = client.post("/partner/echo", b"{}", JSON, HTTP_CONTENT_ENCODING=encoding)

    assert response.status_code == status


@given(st.binary(max_size=200) | st.text(max_size=100).map(str.encode))
def test_whatever_the_bytes_the_answer_is_an_object_or_a_refusal(body):
    try:
        value = loads(body)
    except ParseError:
        return

    assert isinstance(value, dict)
    assert value == json.loads(body)
