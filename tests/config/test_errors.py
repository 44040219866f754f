"""What a failure answers and logs: one JSON body under /partner/, a page elsewhere."""

import html
import io
import json
import logging
import re

import pytest
from django.conf import settings
from django.core.files.uploadedfile import SimpleUploadedFile
from django.middleware.csrf import _get_new_csrf_string
from django.template import TemplateSyntaxError, loader
from django.test import Client

from config.logging import JSONFormatter, filter_request
from partners.models import AuditEvent
from tests.assessments.partner import assert_problem

pytestmark = pytest.mark.urls("tests.config.probe_urls")
LINK = "/partner/get-redirect-url"


@pytest.fixture
def log(monkeypatch):
    """Write what the service writes, in production's form, to be read back."""
    [ours] = [each for each in logging.getLogger().handlers if filter_request in each.filters]
    written, formatter = io.StringIO(), ours.formatter
    monkeypatch.setattr(ours, "stream", written)
    ours.setFormatter(JSONFormatter())
    yield written
    ours.setFormatter(formatter)


@pytest.fixture
def stranger():
    """Come with a made-up cookie, without which no form is read at all."""
    client = Client(raise_request_exception=False, enforce_csrf_checks=True)
    client.cookies[settings.CSRF_COOKIE_NAME] = "a" * 32
    return client


def post(client, path, body=None, **headers):
    return client.post(path, body or {}, content_type="application/json", **headers)


@pytest.mark.parametrize(
    ("path", "status", "code", "header"),
    [
        ("/partner/raising/media", 400, "invalid_request", None),
        ("/partner/raising/suspicious", 400, "invalid_request", None),
        ("/partner/raising/missing", 404, "not_found", None),
        (LINK, 401, "missing_credentials", ("WWW-Authenticate", "AccessToken")),
        ("/partner/raising/throttled", 429, "rate_limited", ("Retry-After", "1")),
        ("/partner/raising/crash", 500, "internal_error", ("Retry-After", "2")),
    ],
)
def test_whatever_a_view_raises_is_the_one_body_without_its_text(
    stranger, path, status, code, header
):
    response = post(stranger, path)

    body = assert_problem(response, status, code)
    assert header is None or response.headers[header[0]] == header[1]
    assert "secret is" not in str(body)
    assert "itself refuses" not in str(body)


PROGRAMS = {
    "token": {"X-Access-Token": "x"},
    "accepts JSON": {"Accept": "application/json, */*"},
    "sends JSON": {"Content-Type": "application/json"},
}


@pytest.mark.parametrize("program", PROGRAMS)
@pytest.mark.parametrize(
    "path", ["/", "/docs/", "/api/partner/get-redirect-url", "/v1", f"{LINK}/"]
)
def test_a_program_at_a_wrong_address_reads_of_the_base_url_in_json(stranger, program, path):
    headers = {"Content-Type": "text/plain", **PROGRAMS[program]}
    content_type = headers.pop("Content-Type")

    response = stranger.generic("POST", path, b"{}", content_type=content_type, headers=headers)

    detail = assert_problem(response, 404, "not_found")["detail"]
    assert "BASE_URL" in detail
    assert (f"{settings.APP_URL}{LINK}?" in detail) is ("redirect" in path)


@pytest.mark.parametrize("program", PROGRAMS)
def test_other_failures_of_a_program_are_json_too(stranger, program):
    headers = PROGRAMS[program]
    crash = stranger.get("/crash", headers=headers)
    host = stranger.get("/", headers={**headers, "Host": "evil.example"})

    assert_problem(crash, 500, "internal_error")
    assert settings.APP_URL in assert_problem(host, 400, "invalid_request")["detail"]


@pytest.mark.django_db
@pytest.mark.parametrize("program", PROGRAMS)
def test_what_staff_may_not_do_is_a_page_and_recorded_whatever_they_accept(staff, program):
    client, headers = staff(), PROGRAMS[program]
    answers = [client.get(f"/admin/{path}/", headers=headers) for path in ("partners/project", "x")]

    assert [each.status_code for each in answers] == [403, 404]
    assert all(each.headers["Content-Type"].startswith("text/html") for each in answers)
    assert AuditEvent.objects.filter(action="staff.refused").count() == 1


@pytest.mark.parametrize(
    ("path", "headers", "status", "says"),
    [
        ("/partnership", {}, 404, "does not exist"),
        ("/crash", {}, 500, "on our side"),
        ("/nothing", {"HTTP_HOST": "evil.example"}, 400, "could not be opened"),
    ],
)
def test_a_failure_outside_the_api_is_a_page_with_a_way_on(stranger, path, headers, status, says):
    response = stranger.get(path, **headers)

    page = response.text
    assert response.status_code == status
    assert f'data-page="error-{status}"' in page
    assert page.count("<h1") == 1
    assert says in page
    assert "support@example.com" in page
    assert "Traceback" not in page
    assert "boom" not in page
    assert (response.headers["X-Request-ID"] in page) == (status == 500)


def test_a_page_whose_template_fails_still_says_what_failed(client, monkeypatch, caplog):
    def broken(*args):
        raise TemplateSyntaxError("broken")

    monkeypatch.setattr(loader, "render_to_string", broken)

    response = client.get("/nothing")

    assert response.status_code == 404
    assert response.headers["Content-Type"] == "text/plain; charset=utf-8"
    assert response.text.startswith("404 Not Found")
    assert "support@example.com" in response.text
    assert "The error page itself failed." in caplog.text


def line(log):
    [text] = log.getvalue().splitlines()
    return json.loads(text)


FORMS = ["/form", "/admin/form", "/admin/login/"]
TOO_MUCH = {
    "fields": {f"field-{n}": "x" for n in range(2000)},
    "files": {f"file-{n}": b"x" for n in range(300)},
}


@pytest.mark.django_db
@pytest.mark.parametrize(
    ("path", "what", "status"),
    [
        *((path, what, 400) for path in FORMS for what in ("fields", "files", "host")),
        ("/forbidden", "page", 403),
        ("/partner/raising/suspicious", "call", 400),
    ],
)
def test_what_anybody_can_provoke_is_one_warning_without_a_traceback(
    stranger, log, path, what, status
):
    if what in TOO_MUCH:
        of_kind = SimpleUploadedFile if what == "files" else lambda name, value: value
        sent = {name: of_kind(f"{name}.txt", value) for name, value in TOO_MUCH[what].items()}
        response = stranger.post(path, sent)
    elif what == "call":
        response = stranger.post(path)
    else:
        response = stranger.get(path, HTTP_HOST="evil.example" if what == "host" else "testserver")

    found = line(log)
    assert (response.status_code, found["level"]) == (status, "WARNING")
    assert found["request_id"] == response.headers["X-Request-ID"]
    assert "traceback" not in found
    assert status == 400 or (found["status_code"], found["message"][:9]) == (status, "Forbidden")


@pytest.mark.parametrize(
    ("method", "path", "said"),
    [("GET", "/crash", "RuntimeError: boom"), ("POST", "/partner/raising/crash", "RuntimeError")],
)
def test_a_crash_is_one_error_with_its_traceback(stranger, log, method, path, said):
    assert stranger.generic(method, path).status_code == 500

    found = line(log)
    assert found["level"] == "ERROR"
    assert said in found["traceback"]


OURS = [None, "null", "http://testserver", "HTTP://TestServer"]


@pytest.mark.parametrize("origin", OURS)
def test_a_form_of_ours_is_offered_again(origin):
    client = Client(enforce_csrf_checks=True)
    client.cookies["csrftoken"] = _get_new_csrf_string()
    sent = {"answer": '3"><script>alert(1)</script>', "assessment": "asm_x"}
    headers = {"HTTP_ORIGIN": origin} if origin else {}

    response = client.post("/form?a=1", sent, **headers)

    found = re.findall(r'<input type="hidden" name="([^"]*)" value="([^"]*)"', response.text)
    fields = {name: html.unescape(value) for name, value in found}
    assert response.status_code == 403
    assert response.headers["Cache-Control"] == "no-store"
    assert "Please press once more" in response.text
    assert 'action="/form?a=1"' in response.text
    assert fields.pop("csrfmiddlewaretoken")
    assert fields == sent
    assert "<script>alert" not in response.text


@pytest.mark.parametrize("site", ["cross-site", "same-site"])
@pytest.mark.parametrize("origin", ["null", "http://testserver"])
def test_a_foreign_form_that_hid_its_origin_changes_nothing(site, origin):
    client = Client(enforce_csrf_checks=True)
    fields = {"token": "abc", "consent": "yes"}

    response = client.post("/form", fields, HTTP_ORIGIN=origin, HTTP_SEC_FETCH_SITE=site)

    assert response.status_code == 403
    assert "open your own link" in response.text
    assert "<form" not in response.text
    assert "abc" not in response.text
    assert not response.cookies


class Unread:
    """A body that fails the test when it is read."""

    def read(self, *args):
        raise AssertionError("the body was read")

    readline = read


@pytest.mark.django_db
@pytest.mark.parametrize("length", ["5242881", "9" * 20, "9" * 5000, "-1", "junk"])
@pytest.mark.parametrize(
    ("path", "says"),
    [
        ("/partner/get-redirect-url", "16384 bytes"),
        ("/admin/login/", "This page cannot be opened"),
        ("/nowhere", "This page could not be opened"),
    ],
)
def test_too_long_a_body_is_refused_unread(client, path, says, length):
    response = client.generic(
        "POST",
        path,
        content_type="multipart/form-data; boundary=b",
        **{"CONTENT_LENGTH": length, "wsgi.input": Unread()},
    )

    assert response.status_code == 400
    assert says in response.text
