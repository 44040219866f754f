"""A question that waits is drawn once and kept; what a student has chosen never is."""

import pytest

from assessments.models import ItemBank
from assessments.student import question as questions
from tests.assessments.attempts import answer_until, issue, question_path
from tests.assessments.hindi import in_both_languages
from tests.conftest import COMMAND


def fieldset_of(page):
    return page.text.partition("<fieldset")[2].rpartition("</fieldset>")[0]


@pytest.mark.parametrize("position", [1, 25], ids=["statements", "puzzle"])
def test_it_is_drawn_once(attempt, browser, monkeypatch, position):
    answer_until(attempt, position - 1)
    attempt.begin_section(position)
    drawn = []
    question = questions.question

    def noting(*arguments, control, **more):
        drawn.append(control)
        return question(*arguments, control=control, **more)

    monkeypatch.setattr(questions, "question", noting)
    first, again = (browser.get(question_path(attempt, position)) for _ in range(2))

    assert drawn == first.form.questions
    assert fieldset_of(again) == fieldset_of(first)


def test_another_student_is_shown_no_choice_of_the_first(attempt, browser, other_browser, project):
    page = browser.go_on(browser.open(question_path(attempt, 1)))
    untouched = fieldset_of(page)
    gaps = browser.send(page, {page.form.questions[0]: "3"})
    ticked = browser.get(question_path(attempt, 1))

    other = other_browser.start(issue(project, email="other@example.com")[1])

    assert gaps.status == 400
    assert "checked" in fieldset_of(ticked)
    assert fieldset_of(other_browser.go_on(other)) == untouched
    assert "checked" not in untouched
    assert 'class="error"' not in untouched


def test_each_language_has_its_own(small_bank, project, browser, other_browser):
    bank, _ = ItemBank.objects.publish(in_both_languages(small_bank), actor=COMMAND)
    bank.make_current(actor=COMMAND)
    english = browser.go_on(browser.start(issue(project)[1]))
    url = issue(project, email="other@example.com")[1]

    hindi = other_browser.go_on(other_browser.start(url, language="hi"))

    assert '<html lang="hi"' in hindi.text
    assert fieldset_of(english) != fieldset_of(hindi)
    assert english.form.questions == hindi.form.questions
