"""Outside /partner/ a failure is a page in plain words, with a way on."""

from __future__ import annotations

import logging

import pytest
from django.template import TemplateSyntaxError, loader
from django.test import Client

pytestmark = pytest.mark.urls("tests.config.probe_urls")


@pytest.mark.parametrize(
    ("path", "headers", "status", "says"),
    [
        ("/nothing", {}, 404, "does not exist"),
        ("/partnership", {}, 404, "does not exist"),
        ("/crash", {}, 500, "on our side"),
        ("/forbidden", {}, 403, "may not open"),
        ("/nothing", {"HTTP_HOST": "evil.example"}, 400, "could not be opened"),
    ],
)
def test_a_failure_is_a_page(
    client: Client, path: str, headers: dict[str, str], status: int, says: str
) -> None:
    client.raise_request_exception = False

    response = client.get(path, **headers)

    page = response.content.decode()
    assert response.status_code == status
    assert f'data-page="error-{status}"' in page
    assert page.count("<h1") == 1
    assert says in page
    assert "support@example.com" in page
    assert "Traceback" not in page
    assert "boom" not in page


def test_the_page_of_a_crash_names_the_request(client: Client) -> None:
    client.raise_request_exception = False

    response = client.get("/crash")

    assert response.headers["X-Request-ID"] in response.content.decode()


def test_a_page_whose_template_fails_still_says_the_words(
    client: Client, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    def broken(*args: object) -> str:
        raise TemplateSyntaxError("broken")

    monkeypatch.setattr(loader, "render_to_string", broken)

    with caplog.at_level(logging.ERROR):
        response = client.get("/nothing")

    page = response.content.decode()
    assert response.status_code == 404
    assert "<h1>This page does not exist</h1>" in page
    assert "support@example.com" in page
    assert "The error page itself failed." in caplog.text
