"""Every SQL statement of every flow fails once: then all of it stands, or nothing."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import pytest

from assessments.models import Answer, Assessment, AssessmentLink, CatalogueSnapshot, Student
from partners.models import Project
from tests.assessments.attempts import at_last_page, completed, issue, started
from tests.assessments.browser import Browser, Page
from tests.assessments.faults import fault
from tests.assessments.partner import LINK, OPERATIONS, Backend, assert_problem
from tests.factories import CourseFactory

MODELS = (Student, AssessmentLink, Assessment, Answer, CatalogueSnapshot)

pytestmark = [
    pytest.mark.django_db(transaction=True),
    pytest.mark.usefixtures("bank"),
    pytest.mark.parametrize("after", [False, True], ids=["before", "after"]),
]


def state() -> Any:
    return [list(model._default_manager.order_by("pk").values()) for model in MODELS]


def fail_at_each_statement(
    act: Callable[[], Any], failed: Callable[[Any], bool], *, after: bool
) -> int:
    """Act until no fault strikes any more; each failure leaves all of the act, or nothing.

    All of it, where the statement after the commit failed: then acting again changes nothing.
    Return the number of statements.
    """
    before = state()
    done: Any = None
    for number in range(1, 100):
        with fault(number, after=after) as strike:
            outcome = act()
        stored = state()
        if not strike.has_struck:
            assert stored == (done or stored)
            return number - 1
        assert failed(outcome), f"{strike.statement} failed, and nobody noticed"
        if done is None and stored != before:
            done = stored
        assert stored in (before, done), strike.statement
    raise AssertionError("there is no end to the statements")


def is_error_page(page: Page) -> bool:
    return page.status == 500 and page.name == "error-500" and "OperationalError" not in page.text


@pytest.fixture
def shaky(project: Project) -> Browser:
    """Give a browser that shows a crash as the page that it is outside."""
    return Browser(raise_request_exception=False)


def test_the_completing_post(project: Project, shaky: Browser, after: bool) -> None:
    """T11: completed and recommendations are one; the student's retry completes."""
    CourseFactory.create(project=project)
    _, url = issue(project)
    shaky.start(url)
    attempt = at_last_page(Assessment.objects.get())
    page = shaky.open(url)
    chosen = dict.fromkeys(page.form.questions, "4")

    statements = fail_at_each_statement(
        lambda: shaky.send(page, chosen), is_error_page, after=after
    )

    attempt.refresh_from_db()
    assert statements > 8
    assert attempt.completed_at is not None
    assert len(attempt.recommended_names) == 1
    assert attempt.answered_count == 44
    assert CatalogueSnapshot.objects.count() == 1


def test_a_page_of_answers(project: Project, shaky: Browser, after: bool) -> None:
    _, url = issue(project)
    page = shaky.go_on(shaky.start(url))
    chosen = dict.fromkeys(page.form.questions, "4")

    statements = fail_at_each_statement(
        lambda: shaky.send(page, chosen), is_error_page, after=after
    )

    assert statements > 5
    attempt = Assessment.objects.get()
    assert attempt.answered_count == 6
    assert attempt.answers.count() == 12


def test_the_first_start(project: Project, shaky: Browser, after: bool) -> None:
    link, url = issue(project)
    landing = shaky.open(url)

    statements = fail_at_each_statement(
        lambda: shaky.send(landing, {"consent": "yes"}), is_error_page, after=after
    )

    link.refresh_from_db()
    assert statements > 5
    assert link.assessment == Assessment.objects.get()


@pytest.mark.parametrize("start", ["continue", "again"])
def test_a_start_with_an_open_attempt(
    project: Project, shaky: Browser, start: str, after: bool
) -> None:
    earlier = started(project)
    link, url = issue(project)
    landing = shaky.open(url)

    statements = fail_at_each_statement(
        lambda: shaky.send(landing, {"consent": "yes", "start": start}), is_error_page, after=after
    )

    link.refresh_from_db()
    earlier.refresh_from_db()
    assert statements > 6
    assert (link.assessment == earlier) is (start == "continue")
    assert (earlier.abandoned_at is None) is (start == "continue")


@pytest.mark.parametrize("path", OPERATIONS)
def test_an_operation(project: Project, path: str, after: bool) -> None:
    """A10: a JSON 500 with a request id and no trace."""
    backend = Backend.of(project)
    backend.post(path, backend.body(path))
    completed(started(project))

    def failed(response: Any) -> bool:
        body = assert_problem(response, 500, "internal_error")
        assert "gone away" not in json.dumps(body)
        return True

    statements = fail_at_each_statement(
        lambda: backend.post(path, backend.body(path)), failed, after=after
    )

    assert statements >= 2
    assert AssessmentLink.objects.count() == (3 if path == LINK else 1)
