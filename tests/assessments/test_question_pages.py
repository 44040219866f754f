"""Pages of an attempt: which opens when, what is sent from it, and what follows."""

import pytest
from django.utils import translation

from assessments.models import Attempt
from assessments.student.forms import describe_question
from tests.assessments.attempts import issue, question_path

JSON = "application/json"

pytestmark = pytest.mark.usefixtures("bank")


def choices(attempt, position):
    return [answer.choice for answer in attempt.read_answers().page(position)]


def six(choice):
    return {f"answer-{position}": str(choice) for position in range(1, 7)}


@pytest.fixture
def statements(attempt, browser):
    return browser.go_on(browser.open(question_path(attempt, 1)))


def test_a_whole_run(project, browser):
    page = browser.start(issue(project)[1])
    attempt = Attempt.objects.get()
    seen = []
    while page.name in {"section", "question"}:
        seen.append((page.name, page.place, attempt.answers.count()))
        assert page.status == 200
        assert page.response.headers["Cache-Control"] == "no-store"
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


def test_a_page_takes_two_queries_and_an_answer_five(
    attempt, browser, statements, django_assert_num_queries
):
    with django_assert_num_queries(2):
        page = browser.open(question_path(attempt, 1))

    with django_assert_num_queries(5 + 2):  # and both ends of the transaction
        browser.send(page, six(3))


def test_a_page_that_is_not_due_leads_to_the_one_that_is(attempt, browser, statements, rows):
    before = rows()
    for position in (7, 13, 25, 26, 37, 41):
        path = question_path(attempt, position)
        sent = browser.post(path, {"answer": "1", f"answer-{position}": "1"})
        begun = browser.post(path, {"begin": "yes"})

        assert browser.open(path).place == "/1"
        for answer in (sent, begun):
            assert (answer.status, answer.location) == (303, question_path(attempt, 1))
    assert rows() == before


def test_an_incomplete_page_comes_back_with_what_was_given(attempt, browser, statements):
    assert statements.form.questions == list(six(1))

    again = browser.press(statements, {"answer-1": "4", "answer-5": "2"})

    # The answer to a GET, which Back opens again.
    assert (again.status, again.text.count('class="error"')) == (400, 4)
    filled = [again.form.filled.get(name) for name in again.form.questions]
    assert filled == ["4", None, None, None, "2", None]
    assert choices(attempt, 1) == [4, None, None, None, 2, None]
    reloaded = browser.open(question_path(attempt, 1))
    assert (reloaded.status, reloaded.form.filled["answer-1"]) == (200, "4")
    done = browser.send(reloaded, {f"answer-{number}": "3" for number in (2, 3, 4, 6)})
    assert done.status == 303
    assert choices(attempt, 1) == [4, 3, 3, 3, 2, 3]


@pytest.mark.parametrize(
    ("language", "text", "spoken"),
    [
        ("en", "TCES, QM", "T C E S, Q M"),
        ("en", "3 : 10", "3 to 10"),
        ("hi", "3 : 10", "3 अनुपात 10"),
        *((each, text, "") for each in ("en", "hi") for text in ("A", "J5, K6", "60 − 25", "9 GB")),
    ],
)
def test_what_would_be_misread_has_other_words_for_speech_software(language, text, spoken):
    content = {"text": {language: "?"}, "lines": [text], "passage": {language: [text]}}
    option = {"value": 1, "label": {language: text}}
    with translation.override(language):
        shown = describe_question(content, [option], language, 1, "answer")

    expected = text
    if spoken:
        expected = f'<span aria-hidden="true">{text}</span><span class="aloud">{spoken}</span>'
    assert [*shown["lines"], *shown["passage"], shown["options"][0]["label"]] == [expected] * 3


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
