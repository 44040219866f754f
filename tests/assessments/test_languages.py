"""The language of a page: the attempt's, else that of the form, the address or the browser."""

from datetime import UTC, datetime
from urllib.parse import urlencode

import pytest
from django.template import Context, Template
from django.test import Client
from django.urls import reverse
from django.utils import translation

from assessments import languages
from assessments.models import Assessment, AssessmentLink, ItemBank
from tests.assessments.attempts import completed, issue
from tests.assessments.hindi import in_both_languages, language_of
from tests.conftest import COMMAND
from tests.support.browser import Page

HINDI = {"HTTP_ACCEPT_LANGUAGE": "hi-IN,hi;q=0.9,en;q=0.8"}
ENGLISH = {"HTTP_ACCEPT_LANGUAGE": "en-IN,en;q=0.9"}
UNKNOWN_LINK = "/prj_0123456789abcdef/assessment"
MADE_UP = ["xx", "HI", "hi ", "hi\0", "../../hi", "hi" * 5000, "en,hi", "<script>", "हिन्दी", ""]

pytestmark = pytest.mark.django_db


@pytest.mark.parametrize(
    ("bank_languages", "wanted", "best"),
    [
        (["en", "hi"], ["hi"], "hi"),
        (["en", "hi"], ["", None, "hi", "en"], "hi"),
        (["en", "hi"], ["ta", "hi"], "hi"),
        (["en"], ["hi"], "en"),
        (["en", "ta"], ["ta"], "en"),
        (["en", "hi"], [], "en"),
    ],
)
def test_the_best_language_is_the_first_wanted_that_pages_and_bank_have(
    bank_languages, wanted, best
):
    assert languages.best(bank_languages, *wanted) == best


def test_a_language_is_offered_by_its_own_name():
    assert languages.offered(["hi", "en", "ta"]) == [("en", "English"), ("hi", "हिन्दी")]
    assert languages.offered(["en"]) == [("en", "English")]


@pytest.mark.parametrize(
    ("language", "month", "shown"),
    [
        ("en", 11, "21 November 2026"),
        ("hi", 11, "21 नवंबर 2026"),
        ("hi", 9, "21 सितंबर 2026"),
        ("hi", 12, "21 दिसंबर 2026"),
    ],
)
def test_a_date_has_the_month_in_its_usual_spelling(language, month, shown):
    day = Context({"day": datetime(2026, month, 21, tzinfo=UTC)})

    with translation.override(language):
        assert Template('{{ day|date:"j E Y" }}').render(day) == shown


@pytest.mark.parametrize(
    ("path", "status"),
    [(f"{UNKNOWN_LINK}?token=unknown", 404), (f"{UNKNOWN_LINK}/1", 403), ("/nothing", 404)],
)
@pytest.mark.parametrize(
    ("query", "headers", "language"),
    [
        ("", HINDI, "hi"),
        ("", ENGLISH, "en"),
        ("", {}, "en"),
        ("hi", ENGLISH, "hi"),
        ("en", HINDI, "en"),
    ],
)
def test_a_refusal_is_in_the_language_of_the_address_or_else_the_browser(
    browser, path, status, query, headers, language
):
    page = browser.get(path, **headers, **({"query_params": {"language": query}} if query else {}))

    assert (page.status, language_of(page)) == (status, language)


@pytest.mark.parametrize(
    "path",
    ["/admin/login/", "/admin/nothing", "/docs/", "/openapi.json", "/partner/x", "/partner"],
)
def test_staff_and_partners_read_english(client, path):
    for address in (path, f"{path}?language=hi"):
        text = client.get(address, **HINDI).content.decode()
        assert not any("ऀ" <= letter <= "ॿ" for letter in text)


@pytest.mark.urls("tests.config.probe_urls")
def test_no_language_stays_for_the_next_request(client):
    client.raise_request_exception = False
    with translation.override("en"):
        for path, status in (("/nothing", 404), ("/crash", 500), ("/forbidden", 403)):
            page = Page(client.get(path, **HINDI))
            assert (page.status, language_of(page)) == (status, "hi")
            assert translation.get_language() == "en"
            assert language_of(Page(client.get(path))) == "en"


@pytest.mark.urls("tests.config.probe_urls")
@pytest.mark.parametrize("cookies", [{"csrftoken": "a" * 32}, {}])
def test_a_refused_form_is_explained_in_its_own_language(cookies):
    client = Client(enforce_csrf_checks=True)
    client.cookies.load(cookies)

    with translation.override("en"):
        page = Page(client.post("/form", {"answer": "3", "language": "hi"}, **ENGLISH))
        assert translation.get_language() == "en"

    assert (page.status, language_of(page)) == (403, "hi")
    assert page.form.filled["language"] == "hi"


@pytest.fixture
def bank(db, small_bank):
    """Give the small bank in both languages."""
    bank, _ = ItemBank.objects.publish(in_both_languages(small_bank), shipped=True, actor=COMMAND)
    bank.make_current(actor=COMMAND)
    return bank


def test_the_landing_page_is_in_the_language_of_address_open_attempt_or_browser(
    bank, project, browser, other_browser
):
    url = issue(project)[1]
    assert language_of(browser.get(url, **HINDI)) == "hi"
    assert language_of(browser.get(f"{url}&language=en", **HINDI)) == "en"
    in_hindi = browser.get(f"{url}&language=hi", **ENGLISH)
    assert language_of(in_hindi) == "hi"
    assert AssessmentLink.objects.get().used_at is None
    browser.press(in_hindi, {"consent": "yes"})

    fresh = issue(project)[1]
    page = other_browser.get(fresh, **ENGLISH)

    assert "start" in [button.get("name") for button in page.form.buttons]
    assert language_of(page) == page.form.filled["language"] == "hi"
    assert 'lang="en"' in other_browser.get(f"{fresh}&language=en", **ENGLISH).text


def test_a_bank_without_hindi_is_not_offered_in_it(bank, small_bank, project, browser):
    content = {**small_bank, "version": "english"}
    english, _ = ItemBank.objects.publish(content, shipped=True, actor=COMMAND)
    english.make_current(actor=COMMAND)

    page = browser.get(f"{issue(project)[1]}&language=hi", **HINDI)
    browser.press(page, {"consent": "yes", "language": "hi"})

    assert language_of(page) == Assessment.objects.get().language == "en"


@pytest.mark.parametrize("named", MADE_UP)
def test_a_made_up_language_in_the_address_or_the_form_is_ignored(bank, project, browser, named):
    page = browser.get(f"{UNKNOWN_LINK}?{urlencode({'language': named})}", **HINDI)
    browser.start(issue(project)[1], language=named)

    assert (page.status, language_of(page)) == (404, "hi")
    assert Assessment.objects.get().language == "en"


@pytest.mark.parametrize(
    ("stored", "language"),
    [("hi", "hi"), ("ta", "en"), ("HI", "en"), ("en-GB", "en"), ("x", "en")],
)
def test_an_attempt_keeps_its_language_or_is_in_english_if_we_lack_it(
    bank, project, browser, stored, language
):
    browser.press(browser.open(f"{issue(project)[1]}&language=hi"), {"consent": "yes"})
    Assessment.objects.update(language=stored)
    other = ENGLISH if language == "hi" else HINDI
    question = reverse("question", args=[project.project_id, 1])
    leave, result = (reverse(name, args=[project.project_id]) for name in ("leave", "result"))

    pages = [browser.get(path, **other) for path in (question, f"{question}?language=en", leave)]
    completed(Assessment.objects.get())
    pages.append(browser.get(result, **other))

    assert [(page.status, language_of(page)) for page in pages] == [(200, language)] * 4
