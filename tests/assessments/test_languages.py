"""Which language a page is in that belongs to no attempt, whoever asks and however."""

from __future__ import annotations

import pytest
from django.http import QueryDict
from django.test import Client
from django.utils import translation

from tests.assessments.hindi import ASKS_ENGLISH as ENGLISH
from tests.assessments.hindi import ASKS_HINDI as HINDI
from tests.assessments.hindi import HOSTILE, language_of
from tests.support.browser import Browser, Page


@pytest.mark.django_db
@pytest.mark.parametrize(
    ("path", "status"),
    [
        ("/prj_0123456789abcdef/assessment?token=unknown", 404),
        ("/prj_0123456789abcdef/assessment/1", 403),
        ("/nothing", 404),
    ],
)
def test_a_refusal_is_in_the_language_of_the_browser(
    browser: Browser, path: str, status: int
) -> None:
    page = browser.get(path, **HINDI)

    assert page.status == status
    assert language_of(page) == "hi"
    assert language_of(browser.get(path, **ENGLISH)) == "en"
    assert language_of(browser.get(path)) == "en"


@pytest.mark.urls("tests.config.probe_urls")
def test_an_error_page_uses_the_language_of_the_browser(client: Client) -> None:
    client.raise_request_exception = False

    response = client.get("/crash", **HINDI)

    assert response.status_code == 500
    assert language_of(Page(response)) == "hi"


@pytest.mark.django_db
def test_the_address_says_more_than_the_browser(browser: Browser) -> None:
    assert language_of(browser.get("/nothing?language=hi", **ENGLISH)) == "hi"
    assert language_of(browser.get("/nothing?language=en", **HINDI)) == "en"


@pytest.mark.django_db
@pytest.mark.parametrize("named", HOSTILE)
def test_a_made_up_language_in_the_address_is_passed_over(browser: Browser, named: str) -> None:
    query = QueryDict(mutable=True)
    query["language"] = named
    page = browser.get(f"/prj_0123456789abcdef/assessment?{query.urlencode()}", **HINDI)

    assert page.status == 404
    assert language_of(page) == "hi"


@pytest.mark.parametrize(
    "header",
    ["hi," * 3400, "x" * 10_000, "hi;q=" + "9" * 10_000, "\xff\xfe", "*;q=0.1," * 1000, ";;;,,,"],
)
def test_a_hostile_header_is_harmless(client: Client, header: str) -> None:
    response = client.get("/nothing", HTTP_ACCEPT_LANGUAGE=header)

    assert response.status_code == 404
    assert language_of(Page(response)) in {"en", "hi"}


@pytest.mark.django_db
@pytest.mark.parametrize(
    "path",
    ["/admin/login/", "/admin/nothing", "/docs/", "/openapi.json", "/partner/x", "/partner"],
)
def test_staff_and_partners_read_english(client: Client, path: str) -> None:
    for address in (path, f"{path}?language=hi"):
        response = client.get(address, **HINDI)

        assert not any("ऀ" <= letter <= "ॿ" for letter in response.content.decode())


@pytest.mark.urls("tests.config.probe_urls")
def test_no_language_stays_for_the_next_request(client: Client) -> None:
    client.raise_request_exception = False
    with translation.override("en"):
        for path in ("/nothing", "/crash", "/forbidden"):
            client.get(path, **HINDI)
            assert translation.get_language() == "en"
            assert language_of(Page(client.get(path))) == "en"


# --- a form that was refused


@pytest.mark.urls("tests.config.probe_urls")
@pytest.mark.parametrize("cookie", [True, False])
def test_a_refused_form_is_explained_in_its_own_language(cookie: bool) -> None:
    client = Client(enforce_csrf_checks=True)
    if cookie:
        client.cookies["csrftoken"] = "a" * 32

    response = client.post("/form", {"answer": "3", "language": "hi"}, **ENGLISH)

    page = Page(response)
    assert page.status == 403
    assert language_of(page) == "hi"
    assert page.form.filled["language"] == "hi"
    with translation.override("en"):
        client.post("/form", {"language": "hi"})
        assert translation.get_language() == "en"
