"""Fields that no page of ours would send: refused, and no attempt changed."""

import pytest

from assessments.models import Assessment
from tests.assessments.attempts import inside, issue, question_path

pytestmark = [pytest.mark.slow, pytest.mark.usefixtures("bank")]


@pytest.fixture
def statements(attempt, browser):
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


def test_another_s_id_opens_and_changes_nothing(attempt, project, browser, other_browser, rows):
    """T13: every address, with the other's AssessmentId wherever one could stand."""
    other_browser.start(issue(project, email="other@example.com", name="Zoya")[1])
    other = Assessment.objects.exclude(pk=attempt.pk).get().assessment_id
    before = rows()
    form = dict.fromkeys(("leave", "begin", "make", "end", "forget"), "yes") | {
        **{"assessment": other, **{f"answer-{n}": "1" for n in range(1, 7)}}
    }
    ends = ("", "/subjects", "/leave", "/result", "/result/link", "/forget", "/1", "/25")
    home = f"/{project.project_id}/assessment"

    for extra in ({}, {"HTTP_X_ASSESSMENT_ID": other}):
        for end in ends:
            shown = browser.open(f"{home}/{other}{end}", **extra)
            sent = browser.post(f"{home}/{other}{end}", form, **extra)
            assert {shown.status, sent.status} <= ({200} if end == "/forget" else {403, 405})
            mine = inside("attempt", attempt)
            named = browser.open(f"{mine}{end}?assessment={other}&AssessmentId={other}", **extra)
            for text in (shown.text, sent.text, named.text):
                assert other not in text
                assert "Zoya" not in text
    assert browser.post(home, form).status == 404
    assert browser.get(f"/{other}/assessment").status == 404

    assert rows() == before
