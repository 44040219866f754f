"""The pages of an attempt as a student meets them."""

from __future__ import annotations

from typing import Any

import pytest
from django.urls import reverse

from assessments.models import Answer, Assessment
from partners.models import Project
from tests.assessments.attempts import answer_until, at_last_page, completed, issue
from tests.assessments.browser import Browser, Page

pytestmark = pytest.mark.usefixtures("bank")


def state() -> Any:
    return (
        list(Assessment.objects.order_by("pk").values()),
        list(Answer.objects.order_by("pk").values()),
    )


def place(page: Page) -> str:
    """Where a page stands: the address behind the project."""
    path: str = page.response.request["PATH_INFO"]
    return path.partition("/assessment")[2]


@pytest.fixture
def attempt(project: Project, browser: Browser) -> Assessment:
    """Give an attempt, begun in `browser`, without an answer."""
    browser.start(issue(project)[1])
    return Assessment.objects.get()


def question(attempt: Assessment, position: int) -> str:
    return reverse("question", args=[attempt.student.project.project_id, position])


def test_a_whole_run(project: Project, browser: Browser) -> None:
    page = browser.start(issue(project)[1])
    seen = []
    while page.name in {"section", "question"}:
        seen.append((page.name, place(page)))
        assert page.status == 200
        assert page.response.headers["Cache-Control"] == "no-store"
        page = browser.go_on(page)

    assert page.name == "result"
    assert seen == [
        ("section", "/1"),
        *[("question", f"/{position}") for position in (1, 7, 13, 19)],
        ("section", "/25"),
        *[("question", f"/{position}") for position in range(25, 37)],
        ("section", "/37"),
        *[("question", f"/{position}") for position in (37, 41)],
    ]
    attempt = Assessment.objects.get()
    assert attempt.completed_at is not None
    assert attempt.answered_count == 44


def test_controls_are_named_as_the_contract_of_the_pages_says(
    attempt: Assessment, browser: Browser
) -> None:
    page = browser.go_on(browser.open(question(attempt, 1)))
    statements = page.form.questions
    answer_until(attempt, 24)
    page = browser.go_on(browser.open(question(attempt, 25)))

    assert statements == [f"answer-{position}" for position in range(1, 7)]
    assert page.form.questions == ["answer"]
    for form in (page.form,):
        assert form.filled["assessment"] == attempt.assessment_id
        assert len(form.buttons) == 1


def test_an_aptitude_item_offers_i_dont_know(attempt: Assessment, browser: Browser) -> None:
    answer_until(attempt, 24)
    page = browser.go_on(browser.open(question(attempt, 25)))

    offered = page.form.offered("answer")

    item = attempt.page(25)[0].item
    options = [str(option["value"]) for option in item.content["options"]]
    assert offered == [*options, "0"]
    assert "I don&#x27;t know" in page.text


def test_a_section_page_has_one_form_with_one_button(attempt: Assessment, browser: Browser) -> None:
    page = browser.open(question(attempt, 1))

    assert page.name == "section"
    (button,) = page.form.buttons
    assert (button["name"], button["value"]) == ("begin", "yes")
    assert page.form.filled["assessment"] == attempt.assessment_id


def test_get_only_reads(attempt: Assessment, browser: Browser) -> None:
    at_last_page(attempt)
    before = state()

    for method in ("get", "head"):
        for position in range(1, 45):
            response = getattr(browser.client, method)(question(attempt, position))
            assert response.status_code in {200, 303}
        for name in ("assessment", "leave", "result"):
            path = reverse(name, args=[attempt.student.project.project_id])
            assert getattr(browser.client, method)(path).status_code in {200, 303}

    assert state() == before


def test_rows_are_made_by_the_post_that_leads_there(attempt: Assessment, browser: Browser) -> None:
    counts = []
    page = browser.open(question(attempt, 1))
    for _ in range(6):
        counts.append(attempt.answers.count())
        page = browser.go_on(page)

    assert counts == [0, 6, 12, 18, 24, 24]
    assert attempt.answers.count() == 25


def test_a_reload_shows_the_same_item(attempt: Assessment, browser: Browser) -> None:
    answer_until(attempt, 26)
    first = browser.open(question(attempt, 27))

    second = browser.open(question(attempt, 27))

    assert first.form.offered("answer") == second.form.offered("answer")
    assert first.text.split("<fieldset")[1] == second.text.split("<fieldset")[1]


def test_a_page_without_an_answer_comes_back(attempt: Assessment, browser: Browser) -> None:
    """T8: error beside the field and in the summary, 400, nothing skipped."""
    page = browser.go_on(browser.open(question(attempt, 1)))

    again = browser.send(page)

    assert again.status == 400
    assert again.name == "question"
    assert again.text.count("Choose one answer.") == 6 * 2
    assert "<title>Error:" in again.text
    assert 'role="alert"' in again.text
    assert attempt.answered_count == 0
    assert attempt.answers.count() == 6
    assert place(again) == "/1"


def test_an_incomplete_page_comes_back_with_what_was_given(
    attempt: Assessment, browser: Browser
) -> None:
    page = browser.go_on(browser.open(question(attempt, 1)))

    again = browser.send(page, {"answer-1": "4", "answer-5": "2"})

    assert again.status == 400
    filled = again.form.filled
    assert {name: filled.get(name) for name in again.form.questions} == {
        "answer-1": "4",
        "answer-2": None,
        "answer-3": None,
        "answer-4": None,
        "answer-5": "2",
        "answer-6": None,
    }
    assert again.text.count("Choose one answer.") == 4 * 2
    assert [answer.choice for answer in attempt.page(1)] == [4, None, None, None, 2, None]


def test_what_was_given_is_still_ticked_after_a_reload(
    attempt: Assessment, browser: Browser
) -> None:
    page = browser.go_on(browser.open(question(attempt, 1)))
    browser.send(page, {"answer-1": "4"})

    reloaded = browser.open(question(attempt, 1))

    assert reloaded.status == 200
    assert reloaded.form.filled["answer-1"] == "4"
    done = browser.send(reloaded, {f"answer-{number}": "3" for number in range(2, 7)})
    assert done.status == 303
    assert [answer.choice for answer in attempt.page(1)] == [4, 3, 3, 3, 3, 3]


def test_an_aptitude_item_without_an_answer_comes_back(
    attempt: Assessment, browser: Browser
) -> None:
    answer_until(attempt, 24)
    page = browser.go_on(browser.open(question(attempt, 25)))

    again = browser.send(page)

    assert again.status == 400
    assert attempt.page(25)[0].choice is None
    assert attempt.answers.count() == 25


def test_a_statement_can_be_changed_by_going_back(attempt: Assessment, browser: Browser) -> None:
    """T4: the page shows the saved choice; the change is stored; nothing behind it is lost."""
    answer_until(attempt, 12)

    page = browser.open(question(attempt, 1))
    assert page.form.filled["answer-2"] == "1"
    after = browser.press(page, {"answer-2": "5"})

    assert place(after) == "/7"
    assert [answer.choice for answer in attempt.page(1)] == [1, 5, 1, 1, 1, 1]
    assert attempt.answered_count == 12


def test_an_aptitude_answer_cannot_be_changed(attempt: Assessment, browser: Browser) -> None:
    answer_until(attempt, 26)

    page = browser.open(question(attempt, 25))

    assert all("disabled" in c for c in page.form.inputs if c.get("type") == "radio")
    assert page.form.buttons == []
    resent = browser.send(page, {"answer": "5"})
    assert resent.status == 303
    assert resent.location == question(attempt, 26)
    assert attempt.page(25)[0].choice == 1


def test_a_resent_aptitude_answer_gets_the_same_redirect(
    attempt: Assessment, browser: Browser
) -> None:
    answer_until(attempt, 24)
    page = browser.go_on(browser.open(question(attempt, 25)))

    first = browser.send(page, {"answer": "2"})
    again = browser.send(page, {"answer": "2"})
    other = browser.send(page, {"answer": "3"})

    assert {first.status, again.status, other.status} == {303}
    assert first.location == again.location == other.location == question(attempt, 26)
    assert attempt.page(25)[0].choice == 2
    assert attempt.answers.count() == 26


def test_there_is_a_way_back_to_statements_and_none_to_puzzles(
    attempt: Assessment, browser: Browser
) -> None:
    answer_until(attempt, 38 + 2)
    back = {}

    for position, before in ((7, 1), (13, 7), (26, 25), (41, 37)):
        page = browser.open(question(attempt, position))
        back[position] = f'href="{question(attempt, before)}"' in page.text

    assert back == {7: True, 13: True, 26: False, 41: True}


def test_progress_is_true(attempt: Assessment, browser: Browser) -> None:
    answer_until(attempt, 18)

    page = browser.open(question(attempt, 19))

    assert '<progress value="18" max="44"' in page.text
    assert "18 of 44 answered" in page.text


@pytest.mark.parametrize("position", [0, 45, 9999])
def test_a_position_that_does_not_exist(
    attempt: Assessment, browser: Browser, position: int
) -> None:
    before = state()

    shown = browser.get(question(attempt, position))
    sent = browser.post(question(attempt, position), {"assessment": attempt.assessment_id})

    assert shown.status == sent.status == 404
    assert state() == before


@pytest.mark.parametrize(("position", "leads_to"), [(2, "/1"), (6, "/1"), (8, "/7"), (40, "/37")])
def test_a_position_inside_a_page_leads_to_the_page(
    attempt: Assessment, browser: Browser, position: int, leads_to: str
) -> None:
    page = browser.get(question(attempt, position))

    assert page.status == 303
    assert page.location.endswith(f"/assessment{leads_to}")


@pytest.mark.parametrize("position", [7, 13, 25, 26, 37, 41])
def test_a_page_that_is_not_due_leads_to_the_one_that_is(
    attempt: Assessment, browser: Browser, position: int
) -> None:
    browser.go_on(browser.open(question(attempt, 1)))
    before = state()

    shown = browser.open(question(attempt, position))
    sent = browser.post(
        question(attempt, position),
        {"assessment": attempt.assessment_id, "answer": "1", f"answer-{position}": "1"},
    )
    begun = browser.post(
        question(attempt, position), {"assessment": attempt.assessment_id, "begin": "yes"}
    )

    assert place(shown) == "/1"
    assert sent.status == begun.status == 303
    assert sent.location == begun.location == question(attempt, 1)
    assert state() == before


def test_answers_for_a_section_that_was_not_begun_lead_to_its_page(
    attempt: Assessment, browser: Browser
) -> None:
    answer_until(attempt, 24)

    page = browser.post(question(attempt, 25), {"assessment": attempt.assessment_id, "answer": "1"})

    assert browser.follow(page).name == "section"
    assert attempt.answers.count() == 24


def test_to_begin_a_section_twice_is_harmless(attempt: Assessment, browser: Browser) -> None:
    section = browser.open(question(attempt, 1))
    browser.send(section, {"begin": "yes"})
    before = state()

    again = browser.send(section, {"begin": "yes"})

    assert again.status == 303
    assert again.location == question(attempt, 1)
    assert state() == before


def test_after_the_end_every_page_leads_to_the_result(
    attempt: Assessment, browser: Browser
) -> None:
    """T5: back after finish."""
    completed(attempt)

    for position in (1, 25, 44):
        assert browser.open(question(attempt, position)).name == "result"
    leave = reverse("leave", args=[attempt.student.project.project_id])
    assert browser.open(leave).name == "result"


@pytest.mark.parametrize("method", ["put", "patch", "delete"])
def test_other_methods_change_nothing(attempt: Assessment, browser: Browser, method: str) -> None:
    before = state()

    response = getattr(browser.client, method)(question(attempt, 1))

    assert response.status_code in {403, 405}
    assert state() == before
