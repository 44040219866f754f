"""The shipped nginx.conf keeps what the service promises; deploy/drills runs it."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest
from django.conf import settings
from gunicorn.workers import gthread

from config.parsing import MAX_BODY_BYTES

ROOT = Path(__file__).resolve().parents[2]
DEPLOY = ROOT / "deploy"
CONF = (DEPLOY / "nginx.conf").read_text()
SECONDS = {"s": 1, "m": 60, "k": 1024}


def values(name: str) -> list[str]:
    """Return what stands behind each directive of a name."""
    return re.findall(rf"^ *{name} +([^;]*);", CONF, re.MULTILINE)


def number(text: str) -> int:
    """Return a number with its unit, in seconds or bytes."""
    if text[-1] == "m" and int(text[:-1]) < 60:
        return int(text[:-1]) * 1024 * 1024
    return int(text.rstrip("smk")) * SECONDS[text[-1]]


def gunicorn() -> dict[str, int]:
    """Return the numbers of gunicorn.conf.py, which only gunicorn itself may load."""
    text = (ROOT / "gunicorn.conf.py").read_text()
    found = re.findall(r"^(\w+) = (?:.* else )?(\d+)$", text, re.MULTILINE)
    return {name: int(value) for name, value in found}


def test_no_log_has_a_query_string() -> None:
    [access_log] = values("log_format")

    # The Referer too is an address.
    for word in ("$request ", '$request"', "request_uri", "args", "query_string", "referer"):
        assert word not in access_log
    assert "$asked_path" in access_log
    # It is the address up to its query string, or to a byte that would make the line no UTF-8.
    assert '"~^(?<ascii_path>[\\x21-\\x3e\\x40-\\x7e]*)" $ascii_path;' in CONF
    # nginx writes the whole address beside each error of a request.
    assert "error_log /dev/null emerg;" in CONF.partition("server_name")[2]


def test_what_may_have_been_done_is_not_done_again() -> None:
    everywhere, for_files = values("proxy_next_upstream")

    assert everywhere == "error timeout"
    # Between the halves of a release only the other machine has the files of a page.
    assert for_files == "error timeout http_404"
    assert for_files in CONF.partition(f"location {settings.STATIC_URL} {{")[2].partition("}")[0]


def test_nginx_ends_a_kept_connection_before_gunicorn_does() -> None:
    pools = re.findall(r"^ *upstream ", CONF, re.MULTILINE)
    kept = [number(value) for value in values("keepalive_timeout")]

    # The one that is left is that of browsers.
    assert sorted(kept)[:-1] == [1] * len(pools)
    assert gunicorn()["keepalive"] > 1
    # How long a gunicorn that stops waits for a request that may be on its way.
    assert gthread.STOP_KEEPALIVE_LINGER > 1


def test_nginx_waits_longer_than_gunicorn_works() -> None:
    [waits] = values("proxy_read_timeout")

    assert number(waits) > gunicorn()["timeout"]


def test_bodies_fit() -> None:
    largest, of_staff = values("client_max_body_size")
    [in_memory] = values("client_body_buffer_size")

    assert number(largest) == settings.DATA_UPLOAD_MAX_MEMORY_SIZE
    with_file = settings.DATA_UPLOAD_MAX_MEMORY_SIZE + settings.FILE_UPLOAD_MAX_MEMORY_SIZE
    assert number(of_staff) == with_file
    # What partners and students send is not written to disk.
    assert number(in_memory) >= MAX_BODY_BYTES


def test_headers_that_name_a_hop_are_set_and_not_passed_on() -> None:
    headers = dict(value.split(" ", 1) for value in values("proxy_set_header"))

    assert headers["X-Forwarded-For"] == "$remote_addr"
    assert headers["X-Forwarded-Proto"] == "$scheme"
    assert headers["Connection"] == '""'


@pytest.mark.parametrize("code", ["invalid_request", "internal_error"])
def test_partners_get_the_body_that_the_service_sends(code: str) -> None:
    answers = {
        json.loads(body)["code"]: (int(status), json.loads(body))
        for status, body in re.findall(r"return (\d{3}) '(\{.*\})';", CONF)
    }

    status, body = answers[code]
    names = {"type", "title", "status", "detail", "code", "requestId"}
    assert set(body) - {"errors"} == names
    assert body["status"] == status == {"invalid_request": 400, "internal_error": 500}[code]
    assert str(MAX_BODY_BYTES) in body["detail"] or code == "internal_error"
