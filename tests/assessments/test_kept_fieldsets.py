"""A question that waits is drawn once and kept; what a student has chosen never is."""

from tests.assessments.attempts import issue, question_path


def fieldset_of(page):
    return page.text.partition("<fieldset")[2].rpartition("</fieldset>")[0]


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
