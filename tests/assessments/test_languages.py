"""The language of a page: the attempt's, else that of the form, the address or the browser."""

import re
from html import unescape
from pathlib import Path
from urllib.parse import urljoin

import polib
import pytest
from django.conf import settings
from django.utils import timezone

from assessments.models import AssessmentLink, Attempt, ItemBank
from assessments.models.private_links import PrivateLink
from assessments.student import languages
from tests.assessments.attempts import answer_until, completed, inside, issue, newest_of
from tests.assessments.hindi import language_of, with_hindi
from tests.factories import BY

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
    data = with_hindi(small_bank) | {"languages": ["en", "hi"]}
    bank, _ = ItemBank.objects.publish(data, shipped=True, by=BY)
    bank.make_current(by=BY)
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


def test_an_attempt_keeps_its_language_or_is_in_english_if_we_lack_it(bank, project, browser):
    browser.press(browser.open(f"{issue(project)[1]}&language=hi"), {"consent": "yes"})
    question, attempt = inside("question", newest_of(project), 1), Attempt.objects.get()
    for stored, language in (("hi", "hi"), *((it, "en") for it in ("ta", "HI", "en-GB", "x"))):
        Attempt.objects.update(language=stored)
        other = ENGLISH if language == "hi" else HINDI
        for path in (question, f"{question}?language=en", inside("leave", attempt)):
            page = browser.get(path, **other)
            assert (page.status, language_of(page)) == (200, language)
    completed(attempt)
    for stored, language, other in (("hi", "hi", ENGLISH), ("ta", "en", HINDI)):
        Attempt.objects.update(language=stored)
        page = browser.get(inside("result", attempt), **other)
        assert (page.status, language_of(page)) == (200, language)


def switched(browser, page, to, data=None):
    """Press the button of another language below a page; return the page that follows."""
    return browser.press(page, {"to-language": to, **(data or {})})


@pytest.fixture
def begun(bank, project, browser):
    """Give the first page of an attempt in Hindi."""
    page = browser.start(f"{issue(project)[1]}&language=hi")
    return browser.press(page, {"begin": "yes"})


def stored():
    answers = Attempt.objects.get().answers.filter(choice__isnull=False)
    return list(answers.order_by("position").values_list("position", "choice", "language"))


def test_a_switch_keeps_what_is_ticked_and_each_answer_its_language(begun, browser):
    first, second, *_ = begun.form.questions

    page = switched(browser, begun, "en", {first: "4"})
    assert (page.place, language_of(page), page.form.filled[first]) == ("/1", "en", "4")
    assert stored() == [(1, 4, "hi")]
    browser.press(page, {second: "2"})

    assert stored() == [(1, 4, "hi"), (2, 2, "en")]
    assert Attempt.objects.get().language == "en"


def test_a_page_is_stored_in_its_own_language_after_a_switch_in_another_tab(begun, browser):
    switched(browser, begun, "en")

    browser.answer(begun)

    assert {language for _, _, language in stored()} == {"hi"}


def test_the_tick_of_a_puzzle_is_not_stored_as_it_would_be_final(begun, browser, project):
    attempt = newest_of(project)
    first = attempt.cached_bank.layout.find("aptitude").first
    answer_until(attempt, first - 1)
    page = browser.press(browser.get(inside("question", attempt, first)), {"begin": "yes"})

    page = switched(browser, page, "en", {"answer": page.form.offered("answer")[0]})

    assert (page.place, language_of(page)) == (f"/{first}", "en")
    assert stored()[-1][0] == first - 1


def test_other_pages_inside_switch_too(begun, browser, project):
    attempt = newest_of(project)
    answer_until(attempt, attempt.cached_bank.layout.sections[0].last)
    question = inside("question", attempt, attempt.read_answers().resume_position)
    for address, to in ((inside("leave", attempt), "en"), (question, "hi")):
        page = switched(browser, browser.get(address), to)
        assert (page.response.request["PATH_INFO"], language_of(page)) == (address, to)
    assert Attempt.objects.get().is_open()


def test_an_answer_is_never_stored_in_a_language_that_its_bank_lacks(small_bank, project, browser):
    ItemBank.objects.publish(small_bank | {"version": "e"}, by=BY)[0].make_current(by=BY)
    page = browser.press(browser.start(issue(project)[1]), {"begin": "yes"})

    browser.press(page, {page.form.questions[0]: "4", "language": "hi"})

    assert stored() == [(1, 4, "en")]


def test_a_language_that_the_bank_lacks_changes_nothing(begun, browser):
    for language in ("ta", "", "x" * 100):
        assert language_of(switched(browser, begun, language)) == "hi"


def test_after_the_end_pages_lead_on_in_the_language_that_was_asked_for(begun, browser, project):
    attempt = completed(newest_of(project))
    late = browser.send(begun, {"to-language": "en"})
    assert (late.status, Attempt.objects.get().language) == (409, "hi")

    page = browser.get(f"{inside('result', attempt)}?language=en")
    assert language_of(page) == "en"
    leads_to = set(re.findall(r'(?:href|action)="(/prj[^"]+)"', page.text))
    assert len(leads_to) >= 3
    assert [each for each in leads_to if not each.endswith("?language=en")] == []
    assert language_of(browser.get(inside("result", attempt))) == "hi"


def test_a_dead_link_and_a_private_link_switch_by_their_addresses(
    begun, browser, other_browser, project
):
    link = AssessmentLink.objects.get()
    attempt = completed(newest_of(project))
    _, key = PrivateLink.objects.make(
        attempt, with_puzzles=False, seen_version="", at=timezone.now()
    )
    shared = PrivateLink.url(project.project_id, key)
    expired = issue(project)[1]
    AssessmentLink.objects.exclude(pk=link.pk).update(cancelled_at=timezone.now())

    for address, status, reader in [(shared, 200, ENGLISH), (expired, 410, HINDI)]:
        page = other_browser.get(address, **reader)
        assert (page.status, language_of(page)) == (status, "hi")
        switch = unescape(re.search(r'href="(\?[^"]+language=en)"', page.text)[1])
        page = other_browser.get(urljoin(address, switch), **reader)
        assert (page.status, language_of(page)) == (status, "en")


def test_the_comparison_stays_in_the_other_language(rf):
    request = rf.get("/", {"course": ["A", "B"]})

    [_, hindi] = languages.choice(request, ["en", "hi"])

    assert hindi["url"] == "?course=A&course=B&language=hi"


CATALOGUES = [
    Path(settings.LOCALE_PATHS[0]) / code / "LC_MESSAGES" / "django.po"
    for code, _name in settings.LANGUAGES
    if code != settings.LANGUAGE_CODE
]
PLACE = re.compile(r"%\((\w+)\)[sd]|\{(\w+)\}")


@pytest.fixture(params=CATALOGUES, ids=lambda file: file.parts[-3])
def file(request):
    return request.param


def forms(entry):
    """Return the English and the translation of each form: of one thing, of several."""
    english = (entry.msgid, entry.msgid_plural or entry.msgid)
    return list(zip(english, entry.msgstr_plural.values() or [entry.msgstr], strict=False))


def test_every_text_is_translated_in_every_form_of_the_language(file):
    catalogue = polib.pofile(file)
    plural = re.search(r"nplurals=(\d)", catalogue.metadata["Plural-Forms"])
    assert plural

    assert len(catalogue) > 100
    assert [entry.msgid for entry in catalogue if not entry.translated()] == []
    assert {len(e.msgstr_plural) for e in catalogue if e.msgid_plural} == {int(plural[1])}


def test_a_translation_has_the_places_and_the_markup_of_the_english(file):
    for entry in polib.pofile(file):
        for english, translated in forms(entry):
            for pattern in (PLACE, re.compile(r"<[^>]*>")):
                assert sorted(pattern.findall(translated)) == sorted(pattern.findall(english))
