"""What anybody can provoke is one line of the log; only a crash is an error with a traceback."""

from __future__ import annotations

import io
import json
import logging
from collections.abc import Iterator
from typing import Any

import pytest
from django.conf import settings
from django.core.exceptions import PermissionDenied
from django.core.files.uploadedfile import SimpleUploadedFile
from django.http import HttpRequest, HttpResponse
from django.test import Client

from config.error_pages import error_page
from config.logging import JSONFormatter, without_refused_traceback

pytestmark = pytest.mark.urls("tests.config.probe_urls")
FIELDS = {f"field-{n}": "x" for n in range(2000)}
FORMS = ["/form", "/admin/form", "/admin/login/"]


@pytest.fixture
def log(monkeypatch: pytest.MonkeyPatch) -> Iterator[io.StringIO]:
    """Write what the service writes, in production's form, to be read back."""
    root = logging.getLogger()
    (ours,) = [each for each in root.handlers if without_refused_traceback in each.filters]
    written = io.StringIO()
    formatter = ours.formatter
    monkeypatch.setattr(ours, "stream", written)
    ours.setFormatter(JSONFormatter())
    yield written
    ours.setFormatter(formatter)


def lines(log: io.StringIO) -> list[dict[str, Any]]:
    return [json.loads(line) for line in log.getvalue().splitlines()]


def files() -> dict[str, SimpleUploadedFile]:
    return {f"file-{n}": SimpleUploadedFile("a.txt", b"x") for n in range(300)}


@pytest.fixture
def stranger() -> Client:
    """Come with a made-up cookie, without which no form is read at all."""
    client = Client(raise_request_exception=False, enforce_csrf_checks=True)
    client.cookies[settings.CSRF_COOKIE_NAME] = "a" * 32
    return client


@pytest.mark.django_db
@pytest.mark.parametrize("path", FORMS)
@pytest.mark.parametrize("what", ["fields", "files", "address"])
def test_a_form_that_holds_too_much_is_one_warning(
    stranger: Client, log: io.StringIO, path: str, what: str
) -> None:
    if what == "address":
        answer = stranger.get(path, HTTP_HOST="evil.example")
    else:
        answer = stranger.post(path, FIELDS if what == "fields" else files())

    (line,) = lines(log)
    assert answer.status_code == 400
    assert line["level"] == "WARNING"
    assert "traceback" not in line
    assert line["request_id"] == answer.headers["X-Request-ID"]


def test_a_forbidden_page_is_one_warning(stranger: Client, log: io.StringIO) -> None:
    assert stranger.get("/forbidden").status_code == 403

    (line,) = lines(log)
    assert (line["level"], line["status_code"]) == ("WARNING", 403)
    assert "/forbidden" in line["message"]
    assert "traceback" not in line


@pytest.mark.parametrize("fault", ["crash", "suspicious"])
def test_only_a_crash_of_the_api_is_an_error(
    stranger: Client, log: io.StringIO, fault: str
) -> None:
    stranger.post(f"/partner/raising/{fault}")

    (line,) = lines(log)
    assert ("traceback" in line, line["level"]) == (
        (True, "ERROR") if fault == "crash" else (False, "WARNING")
    )


def test_a_crash_is_an_error_with_its_traceback(stranger: Client, log: io.StringIO) -> None:
    assert stranger.get("/crash").status_code == 500

    (line,) = lines(log)
    assert line["level"] == "ERROR"
    assert "RuntimeError: boom" in line["traceback"]


def test_a_page_of_refusal_that_crashes_is_an_error_with_its_traceback(
    stranger: Client, log: io.StringIO, monkeypatch: pytest.MonkeyPatch
) -> None:
    def broken(request: HttpRequest, status: int, *args: Any) -> HttpResponse:
        if status == 403:
            raise RuntimeError("the page failed")
        return error_page(request, status, *args)

    monkeypatch.setattr("config.errors.error_page", broken)

    assert stranger.get("/forbidden").status_code == 500

    (line,) = lines(log)
    assert line["level"] == "ERROR"
    assert "traceback" in line


def test_an_error_of_ours_keeps_its_traceback_whatever_it_is_of(log: io.StringIO) -> None:
    try:
        raise PermissionDenied("in the middle of our own work")
    except PermissionDenied:
        logging.getLogger("config.health").exception("Failed.")

    (line,) = lines(log)
    assert line["level"] == "ERROR"
    assert "of our own work" in line["traceback"]
