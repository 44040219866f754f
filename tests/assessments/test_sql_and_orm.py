"""Outcomes of a student, the attempt of a browser: PostgreSQL's constant SQL reads as the ORM."""

from datetime import timedelta

import pytest
from django.utils import timezone

from assessments.models import Attempt, attempt_in_browser, partner_results
from assessments.models.identity import secret_digest
from tests.assessments.attempts import DETAILS, answer_until, completed, issue, started, use
from tests.factories import AssessmentLinkFactory, AttemptFactory, CourseFactory, ProjectFactory

pytestmark = pytest.mark.usefixtures("bank")

AT = timezone.now().replace(microsecond=123457)
HOUR = timedelta(hours=1)


def an_open_one(project):
    answer_until(started(project, AT - HOUR), 6, AT - HOUR)


def a_completed_one(project):
    CourseFactory.create(project=project)
    completed(started(project))


def one_left_after_six_answers(project):
    attempt = answer_until(started(project, AT - 3 * HOUR), 6, AT - 2 * HOUR)
    attempt.abandon(AT - HOUR)


def one_read_before(project):
    one_left_after_six_answers(project)
    Attempt.objects.update(results_read_at=AT)


def of_somebody_else(project):
    started(project, AT - 48 * HOUR, email="else@example.com")
    started(ProjectFactory.create(), AT - 48 * HOUR)


def several(project):
    started(project, AT - 48 * HOUR)
    one_left_after_six_answers(project)
    an_open_one(project)
    for _ in range(2):  # at one moment: the later row is the newer one
        link, _url = issue(project, AT - 90 * HOUR)
        use(link, at=AT - 90 * HOUR, start="again")


@pytest.mark.parametrize(
    ("make", "count"),
    [
        (lambda project: None, 0),
        (an_open_one, 0),
        (of_somebody_else, 0),
        (a_completed_one, 1),
        (lambda project: started(project, AT - 48 * HOUR), 1),  # out of time, unanswered
        (one_left_after_six_answers, 1),
        (one_read_before, 1),
        (several, 4),
    ],
)
@pytest.mark.parametrize("at_most", [1, 100])
def test_results_are_read_alike(project, make, count, at_most):
    make(project)
    # After all that was made, and before the finish-by of what is open.
    asked = (project.pk, DETAILS["email"], timezone.now() + timedelta(seconds=1), at_most)

    found = partner_results.newest(*asked)

    names = partner_results.PartnerResult._fields
    by_orm = [
        [getattr(each, name) for name in names] for each in partner_results._by_the_orm(*asked)
    ]
    assert [[getattr(each, name) for name in names] for each in found] == by_orm
    assert len(found) == min(count, at_most)


# The attempt that a browser's cookie opens

TOKEN = "b" * 64


def test_the_attempt_of_a_browser_is_read_alike_in_one_query(django_assert_num_queries):
    at = timezone.now().replace(microsecond=123457)
    stored = AttemptFactory.create(
        browser_digest=secret_digest(TOKEN), continuations=1, answers_hidden_until=at
    )
    for name, used_at in (("Usha Rao", at), ("Asha Rao", at), ("Nisha Rao", at - HOUR)):
        AssessmentLinkFactory.create(attempt=stored, name=name, used_at=used_at)

    with django_assert_num_queries(1):
        found = attempt_in_browser.attempt_in_browser(TOKEN)
        project = found.student.project
        given_name = found.given_name

    expected = attempt_in_browser.by_the_orm(secret_digest(TOKEN))
    assert expected == stored
    assert given_name == expected.given_name == "Asha"
    for row, same in ((found, expected), (project, expected.student.project)):
        loaded = {f.attname for f in row._meta.concrete_fields} - row.get_deferred_fields()
        assert {name: getattr(row, name) for name in loaded} == {
            name: getattr(same, name) for name in loaded
        }


@pytest.mark.parametrize("token", ["c" * 64, "", "b" * 63, f"{TOKEN} "])
def test_another_token_opens_nothing(token):
    AttemptFactory.create(browser_digest=secret_digest(TOKEN))

    assert attempt_in_browser.attempt_in_browser(token) is None
