"""A student's form without its CSRF token is refused on every address, and changes nothing."""

import pytest
from django.urls import reverse

from assessments.models import Attempt
from assessments.student import urls
from tests.assessments.attempts import inside, issue, newest_of
from tests.support.browser import Page

CSRF_FIELD = "csrfmiddlewaretoken"

pytestmark = pytest.mark.usefixtures("bank")


def student_addresses(project):
    """Return every address of the student pages, as the URLconf has them."""
    attempt = Attempt.objects.filter(project_id=project.pk).first()
    args = [project.project_id, attempt.assessment_id if attempt else "asm_0000000000000000"]
    return {reverse("assessment", args=args[:1])} | {
        reverse(page.name, args=[*args, *([1] if page.name == "question" else [])])
        for page in urls.of_attempt
    }


def assert_refused(browser, form, addresses, sent):
    """Send a form's fields without and with a wrong token."""
    unprotected = {**form.filled, **sent}
    del unprotected[CSRF_FIELD]
    for address in sorted({form.action, *addresses}):
        for wrong in ({}, {CSRF_FIELD: "a" * 32}):
            refused = Page(browser.client.post(address, {**unprotected, **wrong}))
            assert (refused.status, refused.name) == (403, "error-403"), address


def test_no_form_is_accepted_without_its_token(project, browser, rows):

    def send(page, chosen):
        before = rows()
        assert_refused(browser, page.form, student_addresses(project), chosen)
        assert rows() == before

        accepted = browser.send(page, chosen)

        assert accepted.status == 303
        assert rows() != before
        return browser.follow(accepted)

    section = send(browser.open(issue(project)[1]), {"consent": "yes"})
    question = send(section, {"begin": "yes"})
    assert question.form.questions
    send(question, dict.fromkeys(question.form.questions, "1"))
    leave = inside("leave", newest_of(project))
    assert leave in student_addresses(project), "the URLconf is not searched as it should be"
    assert send(browser.open(leave), {}).name == "left"
