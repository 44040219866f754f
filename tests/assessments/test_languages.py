"""The language of a page: the attempt's, else that of the form, the address or the browser."""

import pytest

from assessments.models import Assessment, AssessmentLink, ItemBank
from assessments.student import languages
from tests.assessments.attempts import completed, inside, issue, newest_of
from tests.assessments.hindi import in_both_languages, language_of
from tests.conftest import COMMAND

HINDI = {"HTTP_ACCEPT_LANGUAGE": "hi-IN,hi;q=0.9,en;q=0.8"}
ENGLISH = {"HTTP_ACCEPT_LANGUAGE": "en-IN,en;q=0.9"}
UNKNOWN_LINK = "/prj_0123456789abcdef/assessment"

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


@pytest.mark.parametrize(
    ("path", "status"),
    [
        (f"{UNKNOWN_LINK}?token=unknown", 404),
        (f"{UNKNOWN_LINK}/asm_0123456789abcdef/1", 403),
        ("/nothing", 404),
    ],
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
    question = inside("question", newest_of(project), 1)
    leave, result = (inside(name, newest_of(project)) for name in ("leave", "result"))

    pages = [browser.get(path, **other) for path in (question, f"{question}?language=en", leave)]
    completed(Assessment.objects.get())
    pages.append(browser.get(result, **other))

    assert [(page.status, language_of(page)) for page in pages] == [(200, language)] * 4
