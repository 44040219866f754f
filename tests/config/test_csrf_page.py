"""A form that the CSRF check refuses: explained, nothing lost, one press to go on."""

from __future__ import annotations

import html
import re

import pytest
from django.middleware.csrf import _get_new_csrf_string
from django.test import Client

pytestmark = pytest.mark.urls("tests.config.probe_urls")

SECRET = _get_new_csrf_string()


@pytest.fixture
def browser_with_cookie() -> Client:
    client = Client(enforce_csrf_checks=True)
    client.cookies["csrftoken"] = SECRET
    return client


def hidden_fields(page: str) -> dict[str, str]:
    found = re.findall(r'<input type="hidden" name="([^"]*)" value="([^"]*)"', page)
    return {html.unescape(name): html.unescape(value) for name, value in found}


def test_a_form_without_a_token_is_explained_and_kept(browser_with_cookie: Client) -> None:
    response = browser_with_cookie.post("/form", {"answer": "3", "assessment": "asm_x"})

    page = response.content.decode()
    assert response.status_code == 403
    assert response.headers["Cache-Control"] == "no-store"
    assert "Please press once more" in page
    assert 'action="/form"' in page
    fields = hidden_fields(page)
    assert fields.pop("csrfmiddlewaretoken")
    assert fields == {"answer": "3", "assessment": "asm_x"}


@pytest.mark.parametrize(
    "origin", [None, "null", "http://testserver", "HTTP://TestServer", "https://testserver"]
)
def test_a_form_of_ours_is_offered_again(browser_with_cookie: Client, origin: str | None) -> None:
    headers = {"HTTP_ORIGIN": origin} if origin else {}

    response = browser_with_cookie.post("/form", {"answer": "3"}, **headers)

    assert hidden_fields(response.content.decode())["answer"] == "3"


@pytest.mark.parametrize(
    "origin",
    [
        "https://evil.example",
        "http://testserver.evil.example",
        "http://testserver:81",
        "",
        "[::",
        "http://[",
    ],
)
def test_a_form_of_a_foreign_site_is_not(browser_with_cookie: Client, origin: str) -> None:
    response = browser_with_cookie.post("/form", {"answer": "3"}, HTTP_ORIGIN=origin)

    page = response.content.decode()
    assert response.status_code == 403
    assert "This did not come from our page" in page
    assert "<form" not in page


@pytest.mark.parametrize("site", ["cross-site", "same-site"])
@pytest.mark.parametrize("origin", ["null", "http://testserver"])
def test_a_foreign_form_that_hid_its_origin_changes_nothing(site: str, origin: str) -> None:
    client = Client(enforce_csrf_checks=True)

    response = client.post(
        "/form",
        {"token": "abc", "consent": "yes"},
        HTTP_ORIGIN=origin,
        HTTP_SEC_FETCH_SITE=site,
    )

    page = response.content.decode()
    assert response.status_code == 403
    assert "open your own link" in page
    assert "<form" not in page
    assert "abc" not in page
    assert not response.cookies


@pytest.mark.parametrize(
    "fields",
    [
        {f"answer-{n}": "1" for n in range(50)},
        {"answer": "1" * 601},
        {"a" * 65: "1"},
    ],
    ids=["too many", "too long a value", "too long a name"],
)
def test_what_no_form_of_ours_sends_is_not_repeated(
    browser_with_cookie: Client, fields: dict[str, str]
) -> None:
    response = browser_with_cookie.post("/form", fields)

    assert response.status_code == 403
    assert "<form" not in response.content.decode()


def test_a_password_is_never_repeated(browser_with_cookie: Client) -> None:
    response = browser_with_cookie.post("/admin/form", {"password": "correct horse"})

    page = response.content.decode()
    assert response.status_code == 403
    assert "correct horse" not in page


def test_values_are_escaped(browser_with_cookie: Client) -> None:
    response = browser_with_cookie.post("/form", {"answer": '"><script>alert(1)</script>'})

    assert "<script>alert" not in response.content.decode()
