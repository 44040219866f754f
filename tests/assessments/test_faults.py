"""Every SQL statement behind a student's page fails once: all of it stands, or nothing."""

from __future__ import annotations

import pytest
from django.urls import reverse

from assessments.models import Assessment, CatalogueSnapshot, LinkEvent
from partners.models import Project
from tests.assessments.attempts import at_last_page, issue, started
from tests.assessments.faults import fail_at_each_statement
from tests.assessments.two_stages import STAGE_1, publish_field_bank
from tests.factories import CourseFactory
from tests.support.browser import Browser, Page

pytestmark = [
    pytest.mark.slow,
    pytest.mark.django_db(transaction=True),
    pytest.mark.usefixtures("bank"),
    pytest.mark.parametrize("after", [False, True], ids=["before", "after"]),
]


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
    assert statements > (2 if after else 8)
    assert attempt.completed_at is not None
    assert len(attempt.recommended_names) == 1
    assert attempt.read_answers().answered_count == 44
    assert CatalogueSnapshot.objects.count() == 1


def test_a_page_of_answers(project: Project, shaky: Browser, after: bool) -> None:
    _, url = issue(project)
    page = shaky.go_on(shaky.start(url))
    chosen = dict.fromkeys(page.form.questions, "4")

    statements = fail_at_each_statement(
        lambda: shaky.send(page, chosen), is_error_page, after=after
    )

    assert statements > (2 if after else 5)
    attempt = Assessment.objects.get()
    assert attempt.read_answers().answered_count == 6
    assert attempt.answers.count() == 12


def test_the_page_between_the_two_stages(project: Project, shaky: Browser, after: bool) -> None:
    publish_field_bank()
    page = shaky.start(issue(project)[1])
    while "A closer look" not in page.text:
        page = shaky.go_on(page, choice=2)

    statements = fail_at_each_statement(
        lambda: shaky.send(page, {"begin": "yes"}), is_error_page, after=after
    )

    attempt = Assessment.objects.get()
    assert statements > (2 if after else 4)
    assert len(attempt.leading_fields or []) == 6
    assert attempt.answers.filter(position__gt=STAGE_1).count() == 7
    assert attempt.read_answers().answered_count == STAGE_1


def test_the_first_start(project: Project, shaky: Browser, after: bool) -> None:
    link, url = issue(project)
    landing = shaky.open(url)

    statements = fail_at_each_statement(
        lambda: shaky.send(landing, {"consent": "yes"}), is_error_page, after=after
    )

    link.refresh_from_db()
    assert statements > (2 if after else 5)
    assert link.assessment == Assessment.objects.get()


@pytest.mark.parametrize("start", ["continue", "again"])
@pytest.mark.parametrize("is_held", [True, False])
def test_a_start_with_an_open_attempt(
    project: Project, shaky: Browser, start: str, is_held: bool, after: bool
) -> None:
    if is_held:
        shaky.start(issue(project)[1])
        earlier = Assessment.objects.get()
    else:
        earlier = started(project)
    link, url = issue(project)
    landing = shaky.open(url)

    statements = fail_at_each_statement(
        lambda: shaky.send(landing, {"consent": "yes", "start": start}), is_error_page, after=after
    )

    link.refresh_from_db()
    earlier.refresh_from_db()
    assert statements > (2 if after else 6)
    assert (link.assessment == earlier) is (start == "continue")
    assert (earlier.abandoned_at is None) is (start == "continue" or not is_held)
    assert earlier.moves == (start == "continue")


def test_leaving(project: Project, shaky: Browser, after: bool) -> None:
    shaky.start(issue(project)[1])
    page = shaky.get(reverse("leave", args=[project.project_id]))

    statements = fail_at_each_statement(
        lambda: shaky.send(page, {"begin": "yes"}), is_error_page, after=after
    )

    assert statements > (0 if after else 1)
    assert Assessment.objects.get().abandoned_at is not None


def test_the_landing_page(project: Project, shaky: Browser, after: bool) -> None:
    """That the link was opened is noted; the page comes also where that failed."""
    _, url = issue(project)

    def is_well_answered(page: Page) -> bool:
        return is_error_page(page) or page.name == "landing" or page.status == 303

    statements = fail_at_each_statement(lambda: shaky.get(url), is_well_answered, after=after)
    shaky.start(url)
    LinkEvent.objects.all().delete()
    again = fail_at_each_statement(lambda: shaky.get(url), is_well_answered, after=after)

    assert min(statements, again) > (1 if after else 4)
    assert LinkEvent.objects.count() == 1
