"""An attempt continued in another browser shows no choice stored before, and goes on there."""

import re

import pytest
from django.utils import timezone

from assessments.models import Answer, Attempt
from assessments.models.ended import ContinuedElsewhere
from tests.assessments.attempts import answer_until, inside, issue, question_path, started
from tests.support.browser import Browser

pytestmark = [pytest.mark.django_db, pytest.mark.sqlite]

TICKED = re.compile(r"<input[^>]*type=\"radio\"[^>]*\schecked")


@pytest.fixture
def old_browser(bank, project):
    """Give the browser in which two pages were answered, and half of the third."""
    browser = Browser()
    page = browser.start(issue(project)[1])
    for _ in range(3):
        page = browser.go_on(page, choice=2)
    half = {name: page.form.offered(name)[2] for name in page.form.questions[:3]}
    assert browser.press(page, half).status == 400
    return browser


@pytest.fixture
def moved(old_browser, project, browser):
    """Continue in `browser`; give the page that follows."""
    return browser.start(issue(project)[1], start="continue")


def choices():
    return dict(Answer.objects.values_list("position", "choice"))


def test_a_page_half_filled_comes_back_with_what_is_open_which_can_be_answered(moved, browser):
    """What is sent for the others, by a forged form, changes nothing."""
    assert moved.place == "/13"
    assert "15 of 18 answered" in moved.text
    assert "16 to 18 of 18" in moved.text
    assert not TICKED.search(moved.text)
    assert moved.form.questions == ["answer-16", "answer-17", "answer-18"]

    page = browser.press(moved, {f"answer-{position}": "1" for position in range(13, 19)})

    assert page.place == "/19"
    assert [choices()[position] for position in range(13, 19)] == [3, 3, 3, 1, 1, 1]


@pytest.mark.parametrize("position", [1, 7])
def test_the_pages_before_are_neither_shown_nor_changed(moved, browser, position):
    before, address = choices(), question_path(Attempt.objects.get(), position)
    sent = {f"answer-{each}": "5" for each in range(position, position + 6)}

    shown = browser.open(address)
    posted = [
        browser.post(address, {**moved.form.filled, **fields})
        for fields in (sent, {"begin": "yes"})
    ]

    assert shown.place == "/13"
    assert [page.status for page in posted] == [303, 303]
    assert posted[0].location == question_path(Attempt.objects.get(), 13)
    assert choices() == before


def test_the_old_browser_stops_and_shows_nothing_after_a_move_back_either(
    old_browser, browser, project
):
    home, before = inside("attempt", Attempt.objects.get()), choices()
    old_page = old_browser.open(home)
    page = browser.start(issue(project)[1])
    stopped = old_browser.open(home)
    answered = old_browser.send(old_page, dict.fromkeys(old_page.form.questions, "1"))

    for refused in (stopped, answered):
        assert (refused.status, refused.name) == (403, "error-403")
        assert "a new link with the same mobile number" in refused.text
    assert choices() == before
    browser.answer(page)

    page = old_browser.start(issue(project)[1], start="continue")

    assert page.place == "/19"
    for position in (1, 7, 13):
        assert old_browser.open(question_path(Attempt.objects.get(), position)).place == "/19"


def test_an_answer_of_the_old_browser_on_its_way_is_refused(bank, project):
    attempt = answer_until(started(project), 6)
    before, stale = choices(), [Attempt.objects.get() for _ in range(3)]
    assert attempt.continue_in("0" * 64, timezone.now())

    with pytest.raises(ContinuedElsewhere):
        stale[0].record(7, dict.fromkeys(range(7, 13), 1))
    with pytest.raises(ContinuedElsewhere):
        stale[1].begin_section(1)
    with pytest.raises(ContinuedElsewhere):
        stale[2].choose_stream("arts")

    assert choices() == before
    assert Attempt.objects.get().stream == ""
