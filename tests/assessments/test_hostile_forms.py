"""Fields that no page of ours would send: refused, and no attempt changed."""

import pytest
from django.urls import reverse

from assessments.models import Assessment
from tests.assessments.attempts import issue, question_path

pytestmark = [pytest.mark.slow, pytest.mark.usefixtures("bank")]


@pytest.fixture
def statements(attempt, browser):
    """Give the first page of statements, unanswered."""
    return browser.go_on(browser.open(question_path(attempt, 1)))


@pytest.mark.parametrize(
    "fields",
    [
        {"answer": "1"},
        {"answer-7": "1", "answer-25": "1", "answer-44": "1"},
        {"answer-0": "1", "answer--1": "1", "answer-": "1"},
        {"position": "44", "item": "1", "choice": "1", "completed_at": "2026-01-01"},
        {"bank": "1", "student": "1", "browser_digest": "0" * 64, "score": "5"},
        {f"field-{number}": "x" for number in range(2000)},
    ],
)
def test_fields_that_the_page_does_not_have(statements, browser, rows, fields):
    before = rows()

    page = browser.send(statements, fields)

    assert page.status in ({400, 403} if len(fields) > 1000 else {400})
    assert rows() == before


@pytest.mark.parametrize("value", ["", "asm_0000000000000000", "x", "1", "\0", "asm_" + "x" * 5000])
@pytest.mark.parametrize(
    "name", ["question", "subjects", "leave", "result", "private-link", "forget"]
)
def test_a_form_of_no_attempt_of_this_browser(project, statements, browser, rows, name, value):
    before = rows()
    path = reverse(name, args=[project.project_id, *([1] if name == "question" else [])])
    answers = dict.fromkeys(statements.form.questions, "1")

    page = browser.post(path, {"assessment": value, "leave": "yes", **answers})

    assert page.status == 409
    assert rows() == before


def test_another_s_id_opens_and_changes_nothing(attempt, project, browser, other_browser, rows):
    """T13: every address, with the other's AssessmentId wherever one could stand."""
    other_browser.start(issue(project, email="other@example.com", name="Zoya")[1])
    other = Assessment.objects.exclude(pk=attempt.pk).get().assessment_id
    before = rows()
    form = dict.fromkeys(("leave", "begin", "make", "end", "forget"), "yes") | {
        **{"assessment": other, **{f"answer-{n}": "1" for n in range(1, 7)}}
    }
    names = ("assessment", "subjects", "leave", "result", "private-link", "forget")
    paths = [reverse(name, args=[project.project_id]) for name in names]

    for path in [*paths, question_path(attempt, 1), question_path(attempt, 25)]:
        for extra in ({}, {"HTTP_X_ASSESSMENT_ID": other}):
            shown = browser.open(f"{path}?assessment={other}&AssessmentId={other}", **extra)
            sent = browser.post(path, form, **extra)
            assert sent.status in {404, 405, 409}
            for text in (shown.text, sent.text):
                assert other not in text
                assert "Zoya" not in text
    assert browser.get(f"/{other}/assessment").status == 404

    assert rows() == before
