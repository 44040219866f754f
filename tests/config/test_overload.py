"""Requests that waited too long for a thread get a 503 before Django sees them."""

import json
import time

import pytest
from django.conf import settings as ours
from django.test import RequestFactory

from config import overload

PARTNER = "/partner/get-redirect-url"
PAGE = "/prj_0123456789abcdef/assessment/asm_0123456789abcdef/7"


@pytest.fixture
def hops(settings):
    settings.TRUSTED_PROXY_COUNT = 1


def ago(seconds):
    return f"t={time.time() - seconds:.3f}"


def answer(path=PAGE, started=None):
    """Return status, headers and body; the application behind answers 200 and "served"."""
    environ = RequestFactory().get(path).environ
    if started is not None:
        environ["HTTP_X_REQUEST_START"] = started
    said = []

    def served(environ, start_response):
        start_response("200 OK", [])
        return [b"served"]

    body = overload.shed(served)(environ, lambda status, headers: said.extend((status, headers)))
    return said[0][:3], dict(said[1]), b"".join(body)


@pytest.mark.usefixtures("hops")
@pytest.mark.parametrize(
    ("form", "unit"), [("t={:.3f}", 1), ("t={:.0f}", 1000)], ids=["nginx", "Caddy"]
)
@pytest.mark.parametrize(
    ("seconds", "status"), [(0, "200"), (3.0, "200"), (4.0, "503"), (34, "503")]
)
def test_a_request_that_waited_over_four_seconds_is_refused(seconds, status, form, unit):
    assert answer(started=form.format((time.time() - seconds) * unit))[0] == status


@pytest.mark.usefixtures("hops")
def test_what_cannot_be_read_is_in_the_future_or_long_past_counts_as_no_wait():
    wrong = (None, "", "t=", "yesterday", "t=nan", "t=-1.000", "t=99999999999999999999")
    for started in (*wrong, ago(-60), ago(60)):
        assert answer(started=started)[0] == "200", started


def test_a_caller_without_a_proxy_a_probe_and_metrics_are_answered(settings):
    assert ours.TRUSTED_PROXY_COUNT == 0
    assert answer(started=ago(10))[0] == "200"
    settings.TRUSTED_PROXY_COUNT = 1
    assert [answer(path, ago(10))[0] for path in overload.EXEMPT] == ["200"] * len(overload.EXEMPT)


@pytest.mark.usefixtures("hops")
def test_programs_get_the_error_body_and_people_a_page():
    status, headers, body = answer(PARTNER, ago(10))
    error = json.loads(body)
    page = answer(PAGE, ago(10))

    assert (status, error["code"], error["status"]) == ("503", "overloaded", 503)
    assert error["requestId"] == headers["X-Request-ID"]
    for each in (headers, page[1]):
        assert int(each["Retry-After"]) == overload.RETRY_AFTER
        assert each["Cache-Control"] == "no-store"
    assert page[1]["Content-Type"].startswith("text/html")
    assert b"Your answers so far are saved" in page[2]
