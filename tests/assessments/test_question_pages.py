"""Pages of an attempt: which opens when, what is sent from it, and what follows."""

import re
from collections.abc import Callable
from itertools import product
from typing import Any

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from assessments.models import Assessment
from assessments.student.question import example, question
from tests.assessments.attempts import answer_until, at_last_page, issue, question_path
from tests.assessments.page_states import Offered

JSON = "application/json"
Rows = Callable[..., dict[str, list[dict[str, Any]]]]

pytestmark = pytest.mark.usefixtures("bank")


def choices(attempt, position):
    return [answer.choice for answer in attempt.read_answers().page(position)]


def six(choice):
    return {f"answer-{position}": str(choice) for position in range(1, 7)}


@pytest.fixture
def statements(attempt, browser):
    """Give the first page of statements, unanswered."""
    return browser.go_on(browser.open(question_path(attempt, 1)))


@pytest.fixture
def puzzle(attempt, browser):
    """Give the first puzzle, unanswered."""
    answer_until(attempt, 24)
    return browser.go_on(browser.open(question_path(attempt, 25)))


def test_a_whole_run(project, browser):
    page = browser.start(issue(project)[1])
    attempt = Assessment.objects.get()
    seen = []
    while page.name in {"section", "question"}:
        seen.append((page.name, page.place, attempt.answers.count()))
        assert page.status == 200
        assert page.response.headers["Cache-Control"] == "no-store"
        assert page.form.filled["assessment"] == attempt.assessment_id
        assert len(page.form.buttons) == 1
        page = browser.go_on(page)

    assert page.name == "result"
    assert seen == [
        ("section", "/1", 0),
        *[("question", f"/{position}", position + 5) for position in (1, 7, 13)],
        ("section", "/19", 18),
        ("question", "/19", 24),
        ("section", "/25", 24),
        *[("question", f"/{position}", position) for position in range(25, 37)],
        ("section", "/37", 36),
        *[("question", f"/{position}", position + 3) for position in (37, 41)],
    ]
    attempt.refresh_from_db()
    assert attempt.completed_at is not None
    assert attempt.read_answers().answered_count == 44


def test_get_only_reads(attempt, browser, rows):
    at_last_page(attempt)
    before = rows()
    paths = [question_path(attempt, position) for position in range(1, 45)]
    project_id = attempt.project.project_id
    paths += [reverse(name, args=[project_id]) for name in ("assessment", "leave", "result")]

    for method, path in product((browser.client.get, browser.client.head), paths):
        assert method(path).status_code in {200, 303}

    assert rows() == before


@pytest.mark.parametrize(
    ("position", "page"), [(0, None), (45, None), (9999, None), (2, 1), (6, 1), (8, 7), (40, 37)]
)
def test_a_position_within_a_page_leads_to_the_page_and_one_outside_is_a_404(
    attempt, browser, rows, position, page
):
    before, path = rows(), question_path(attempt, position)

    for answer in (browser.get(path), browser.post(path, {"assessment": attempt.assessment_id})):
        assert answer.status == (303 if page else 404)
        assert page is None or answer.location == question_path(attempt, page)

    assert rows() == before


@pytest.mark.parametrize("position", [7, 13, 25, 26, 37, 41])
def test_a_page_that_is_not_due_leads_to_the_one_that_is(
    attempt, browser, statements, rows, position
):
    before, path = rows(), question_path(attempt, position)
    form = {"assessment": attempt.assessment_id}

    sent = browser.post(path, form | {"answer": "1", f"answer-{position}": "1"})
    begun = browser.post(path, form | {"begin": "yes"})

    assert browser.open(path).place == "/1"
    for answer in (sent, begun):
        assert (answer.status, answer.location) == (303, question_path(attempt, 1))
    assert rows() == before


def test_an_incomplete_page_comes_back_with_what_was_given(attempt, browser, statements):
    assert statements.form.questions == list(six(1))

    again = browser.send(statements, {"answer-1": "4", "answer-5": "2"})

    assert again.status == 400
    filled = [again.form.filled.get(name) for name in again.form.questions]
    assert filled == ["4", None, None, None, "2", None]
    assert choices(attempt, 1) == [4, None, None, None, 2, None]
    reloaded = browser.open(question_path(attempt, 1))
    assert (reloaded.status, reloaded.form.filled["answer-1"]) == (200, "4")
    done = browser.send(reloaded, {f"answer-{number}": "3" for number in (2, 3, 4, 6)})
    assert done.status == 303
    assert choices(attempt, 1) == [4, 3, 3, 3, 2, 3]


def test_several_missing_answers_are_listed_in_one_line(browser, statements):
    again = browser.send(statements, {"answer-1": "4", "answer-5": "9"})

    summary = again.text.partition('class="summary"')[2].partition("</div>")[0]
    assert "4 answers are missing:" in summary
    assert 'aria-label="Question 2"' in summary
    assert re.findall(r'<a href="#([\w-]+)"[^>]*>(.+?)</a>', summary) == [
        *[(f"answer-{number}-1", str(number)) for number in (2, 3, 4, 6)],
        ("answer-5-1", "Question 5: Choose one of the answers shown."),
    ]
    assert again.text.count('class="error"') == 5


def test_a_statement_can_be_changed_by_going_back(attempt, browser):
    """T4: the page shows the saved choice; the change is stored; nothing behind it is lost."""
    answer_until(attempt, 12)

    page = browser.open(question_path(attempt, 1))
    assert page.form.filled["answer-2"] == "1"
    after = browser.press(page, {"answer-2": "5"})

    assert after.place == "/7"
    assert choices(attempt, 1) == [1, 5, 1, 1, 1, 1]
    assert attempt.read_answers().answered_count == 12


def test_a_puzzle_s_answer_cannot_be_changed(attempt, browser, puzzle):
    assert puzzle.form.questions == ["answer"]
    browser.send(puzzle, {"answer": "1"})

    page = browser.open(question_path(attempt, 25))

    assert all("disabled" in c for c in page.form.inputs if c.get("type") == "radio")
    assert page.form.buttons == []
    resent = browser.send(page, {"answer": "5"})
    assert (resent.status, resent.location) == (303, question_path(attempt, 26))
    assert choices(attempt, 25) == [1]


@pytest.mark.parametrize(
    "accept",
    [JSON, "text/html,application/xhtml+xml", "*/*", f"text/html, {JSON}", f"{JSON};q=1", ""],
)
def test_only_a_request_for_json_gets_the_next_address_in_place_of_a_redirect(
    attempt, browser, statements, accept
):
    answer = browser.send(statements, six(4), HTTP_ACCEPT=accept)

    if accept == JSON:
        assert (answer.status, answer.response.json()) == (200, {"next": question_path(attempt, 7)})
        assert answer.response.headers["Content-Type"] == JSON
    else:
        assert (answer.status, answer.location) == (303, question_path(attempt, 7))
    assert answer.response.headers["Cache-Control"] == "no-store"
    assert choices(attempt, 1) == [4] * 6
    assert attempt.answers.count() == 12


@pytest.mark.parametrize(("first", "again"), [*product((JSON, "*/*"), repeat=2)])
def test_an_answer_sent_twice_in_either_way_is_stored_once(attempt, browser, puzzle, first, again):
    """An answer that was stored, but not acknowledged, is sent again by the form or the script."""
    browser.send(puzzle, {"answer": "2"}, HTTP_ACCEPT=first)
    resent = browser.send(puzzle, {"answer": "3"}, HTTP_ACCEPT=again)

    location = resent.response.json()["next"] if again == JSON else resent.location
    assert location == question_path(attempt, 26)
    assert choices(attempt, 25) == [2]
    assert attempt.answers.count() == 26


def statements_of(act):
    """Return what a request asks the database to do, its transaction aside."""
    with CaptureQueriesContext(connection) as asked:
        page = act()
    assert page.status in (200, 303), page.text
    # Of several that go together Django notes "6 times: UPDATE …".
    found = (re.match(r"(?:\d+ times: )?(SELECT|UPDATE|INSERT)", query["sql"]) for query in asked)
    return [verb[1] for verb in found if verb]


@pytest.mark.parametrize("position", [7, 27, 37], ids=["interests", "aptitude", "preferences"])
def test_a_page_takes_two_statements_and_an_answer_five(attempt, browser, position):
    answer_until(attempt, position - 1)
    if position == 37:
        attempt.begin_section(position)
    page = browser.get(path := question_path(attempt, position))

    shown = statements_of(lambda: browser.get(path))
    sent = statements_of(lambda: browser.send(page, dict.fromkeys(page.form.questions, "1")))

    assert shown == ["SELECT", "SELECT"]  # the attempt, its answers
    assert sent == ["SELECT", "SELECT", "SELECT", "UPDATE", "INSERT"]  # and its lock


ITEM = {
    "text": {"en": "How much?"},
    "passage": {"en": ["One.", "Two."]},
    "lines": ["1, 2, ?"],
    "options": [{"value": 1, "label": {"en": "Rs 5"}}, {"value": 2, "label": {"en": "Rs 6"}}],
    **{"template": "total", "radicals": {"steps": 2}, "key": 2, "a": 1.1, "b": 0.3, "c": 0.18},
}
PROMPT = {"text": "How much?", "passage": ["One.", "Two."], "lines": ["1, 2, ?"], "figure": None}


def test_all_of_an_item_is_shown_but_what_reveals_the_key():
    labels = ["Rs 5", "Rs 6", "No idea"]
    offered = [Offered(n, {"en": label}) for n, label in zip((1, 2, 0), labels, strict=True)]

    shown = question(ITEM, offered, "en", position=57, control="answer", chosen=2)

    assert shown == PROMPT | {
        **{"position": 57, "control": "answer", "answers_as": "signs"},
        "options": [
            {"value": value, "label": label, "figure": None, "checked": value == 2}
            for value, label in zip((1, 2, 0), labels, strict=True)
        ],
        **{"error": "", "locked": False, "is_replaceable": False},
    }


def test_an_example_shows_its_answer():
    texts = {name: name.upper() for name in ("title", "answer", "explanation")}

    shown = example(ITEM | {name: {"en": text} for name, text in texts.items()}, "en")

    options = [{"label": label, "figure": None} for label in ("Rs 5", "Rs 6")]
    assert shown == PROMPT | texts | {"options": options, "answers_as": "signs"}
