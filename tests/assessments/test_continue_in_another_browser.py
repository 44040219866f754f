"""An attempt continued in another browser shows no choice stored before, and goes on there."""

import re

import pytest
from django.urls import reverse
from django.utils import timezone

from assessments.models import Answer, Assessment
from assessments.models.ends import AttemptMoved
from tests.assessments.attempts import answer_until, issue, question_path, started
from tests.assessments.two_stages import publish_field_bank
from tests.factories import CourseFactory
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
    assert browser.send(page, half).status == 400
    return browser


@pytest.fixture
def moved(old_browser, project, browser):
    """Continue in `browser`; give the page that follows."""
    return browser.start(issue(project)[1], start="continue")


def choices():
    return dict(Answer.objects.values_list("position", "choice"))


def the_attempt():
    return Assessment.objects.get()


def test_a_page_half_filled_comes_back_with_what_is_open_which_can_be_answered(moved, browser):
    """What is sent for the others, by a forged form, changes nothing."""
    assert moved.place == "/13"
    assert "15 of 18 answered" in moved.text
    assert "Questions 16 to 18 of 18" in moved.text
    assert not TICKED.search(moved.text)
    assert moved.form.questions == ["answer-16", "answer-17", "answer-18"]

    page = browser.press(moved, {f"answer-{position}": "1" for position in range(13, 19)})

    assert page.place == "/19"
    assert [choices()[position] for position in range(13, 19)] == [3, 3, 3, 1, 1, 1]


def test_an_incomplete_page_keeps_what_is_given_here(moved, browser):
    page = browser.send(moved, {"answer-17": "4"})

    assert page.status == 400
    assert page.form.questions == ["answer-16", "answer-17", "answer-18"]
    assert page.form.filled["answer-17"] == "4"
    assert len(TICKED.findall(page.text)) == 1


def test_back_leads_to_the_first_page_shown_here_and_no_further(moved, browser):
    address, before = (question_path(the_attempt(), position) for position in (13, 7))
    assert 'class="back"' not in moved.text
    assert before not in moved.text

    page = browser.answer(moved, choice=4)
    back = browser.open(address)

    assert address in page.text
    assert back.form.questions == ["answer-16", "answer-17", "answer-18"]
    assert back.form.filled["answer-16"] == "5"
    assert before not in back.text


@pytest.mark.parametrize("position", [1, 7])
def test_the_pages_before_are_neither_shown_nor_changed(moved, browser, position):
    before, address = choices(), question_path(the_attempt(), position)
    sent = {f"answer-{each}": "5" for each in range(position, position + 6)}

    shown = browser.open(address)
    posted = [
        browser.post(address, {**moved.form.filled, **fields})
        for fields in (sent, {"begin": "yes"})
    ]

    assert shown.place == "/13"
    assert [page.status for page in posted] == [303, 303]
    assert posted[0].location.endswith("/assessment/13")
    assert choices() == before


def test_a_puzzle_answered_before_is_not_shown(bank, project, browser):
    answer_until(started(project), 27)
    page = browser.start(issue(project)[1], start="continue")
    attempt = the_attempt()

    before = browser.open(question_path(attempt, 26))

    assert page.place == before.place == "/28"
    browser.answer(page)
    assert TICKED.search(browser.open(question_path(attempt, 28)).text)


def test_the_last_page_sent_again_tells_nothing_of_what_was_chosen_before(bank, project, browser):
    """The result is shown for the choices made here, whatever is guessed of the others."""
    attempt = answer_until(started(project), 40)
    attempt.record(41, {41: 2, 42: 2})
    page = browser.start(issue(project)[1], start="continue")
    assert page.form.questions == ["answer-43", "answer-44"]
    sent = {"answer-43": "1", "answer-44": "1"}
    browser.send(page, sent)

    again = [browser.send(page, sent | {"answer-41": guess}).status for guess in ("1", "2")]

    assert the_attempt().completed_at is not None
    assert again == [303, 303]


def test_the_result_greets_by_the_name_of_the_link_that_continued(old_browser, project, browser):
    page = browser.start(issue(project, name="Bina Rao")[1], start="continue")

    result = browser.finish(page)

    assert result.name == "result"
    assert "Bina" in result.heading
    assert "Asha" not in result.text
    assert the_attempt().read_answers().answered_count == 44


def test_the_old_browser_stops_and_shows_nothing_after_a_move_back_either(
    old_browser, browser, project
):
    home, before = f"/{project.project_id}/assessment", choices()
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
        assert old_browser.open(question_path(the_attempt(), position)).place == "/19"


# --- the stream question and the two stages


@pytest.fixture
def asked(project):
    """Ask for the subjects."""
    publish_field_bank()
    CourseFactory.create(
        project=project, fields=["physical_science"], required_streams=["science-maths"]
    )


@pytest.mark.usefixtures("asked")
def test_the_subjects_are_not_shown_after_a_move(project, browser, other_browser):
    address = reverse("subjects", args=[project.project_id])
    other_browser.answer_subjects(other_browser.start(issue(project)[1]), "commerce")
    assert TICKED.search(other_browser.open(address).text)

    section = browser.start(issue(project)[1], start="continue")
    page = browser.open(address)

    assert (section.name, section.place) == ("section", "/1")
    assert address not in section.text
    assert page.name == "question"
    assert not TICKED.search(page.text)
    assert the_attempt().stream == "commerce"


@pytest.mark.usefixtures("asked")
def test_the_page_before_stage_2_leads_back_to_no_page_of_before(project, browser):
    attempt = started(project)
    attempt.choose_stream("commerce")
    answer_until(attempt, 37, choice=3)

    page = browser.start(issue(project)[1], start="continue")

    assert (page.name, page.place) == ("section", "/38")
    assert 'class="back"' not in page.text
    assert question_path(attempt, 31) not in page.text


# --- what was on its way while the attempt moved


def test_an_answer_of_the_old_browser_on_its_way_is_refused(bank, project):
    attempt = answer_until(started(project), 6)
    before, stale = choices(), [the_attempt() for _ in range(3)]
    assert attempt.move_to("0" * 64, timezone.now())

    with pytest.raises(AttemptMoved):
        stale[0].record(7, dict.fromkeys(range(7, 13), 1))
    with pytest.raises(AttemptMoved):
        stale[1].begin_section(1)
    with pytest.raises(AttemptMoved):
        stale[2].choose_stream("arts")

    assert choices() == before
    assert the_attempt().stream == ""


def test_the_page_of_an_answer_on_its_way_says_where_to_go_on(bank, project, browser, monkeypatch):
    page = browser.go_on(browser.start(issue(project)[1]))
    record = Assessment.record

    def moved_first(attempt, *arguments, **more):
        the_attempt().move_to("0" * 64, timezone.now())
        return record(attempt, *arguments, **more)

    monkeypatch.setattr(Assessment, "record", moved_first)
    refused = browser.send(page, dict.fromkeys(page.form.questions, "1"))

    assert (refused.status, refused.name) == (403, "error-403")
    assert set(choices().values()) == {None}
