"""What PostgreSQL does in one hand-written statement, the ORM does in its own, to the row."""

from __future__ import annotations

import re
from collections.abc import Callable
from datetime import datetime, timedelta
from typing import Any

import pytest
from django.db import IntegrityError, transaction
from django.utils import timezone

from assessments.models import Assessment, AssessmentLink, Student, outcomes
from partners.models import Project
from tests.assessments.attempts import DETAILS, answer_until, completed, issue, started, use
from tests.factories import AccessTokenFactory, CourseFactory, ProjectFactory

pytestmark = [pytest.mark.django_db]

AT = timezone.now().replace(microsecond=123457)
HOUR = timedelta(hours=1)
CHANGED = {"name": "Asha R. Rao", "email": "Asha.Rao@EXAMPLE.com", "mobile": "098765-43211"}
ODD = {"name": "Ñ 日本 'x'; --", "email": "o'neil+%s@bücher.example", "mobile": "(022) 123 456"}

Issue = Callable[..., tuple[AssessmentLink, str]]


def rows(project: Project) -> list[dict[str, Any]]:
    """Return a project's students and links without what is drawn or counted anew for each."""
    students = Student.objects.filter(project=project).order_by("pk").values()
    links = AssessmentLink.objects.filter(student__project=project).order_by("pk")
    kept = [
        *students,
        *links.values("access_token", "name", "mobile", "reference", "issued_at", "expires_at"),
    ]
    return [{k: v for k, v in row.items() if k not in ("id", "project_id")} for row in kept]


def issued_by(issue: Issue, details: list[dict[str, str]]) -> list[dict[str, Any]]:
    """Issue a link for each of the details in a fresh project, and return the rows."""
    project = ProjectFactory.create(start_by_minutes=17)
    token = AccessTokenFactory.create(project=project)
    for number, given in enumerate(details):
        link, link_token = issue(
            project,
            token if number % 2 else None,
            AT + number * HOUR,
            given["name"],
            given["email"],
            given["mobile"],
            f"student-{number}",
        )
        assert re.fullmatch("lnk_[A-Za-z0-9]{16}", link.link_id or "")
        assert link == AssessmentLink.objects.for_token(project.project_id, link_token)
        assert link.student.project == project
        assert link.expires_at == AT + number * HOUR + timedelta(minutes=17)
    found = rows(project)
    for row in found:
        if row.get("access_token"):
            row["access_token"] = "the token"
    return found


@pytest.mark.parametrize(
    "details",
    [[DETAILS], [DETAILS, DETAILS], [DETAILS, CHANGED, ODD], [ODD, DETAILS, ODD, CHANGED]],
    ids=["first", "same-again", "changed", "odd"],
)
def test_a_link_is_issued_alike(details: list[dict[str, str]]) -> None:
    links = AssessmentLink.objects.all()

    by_hand = issued_by(links._issue_at_once, details)

    assert by_hand == issued_by(links._issue_by_the_orm, details)
    assert len(by_hand) == len(details) + len({given["email"].lower() for given in details})


def test_a_refused_link_leaves_neither_student_nor_link(project: Project) -> None:
    """The name is too short for the database, which the API's own rules never let come so far."""
    with pytest.raises(IntegrityError), transaction.atomic():
        AssessmentLink.objects.all()._issue_at_once(project, None, AT, "", "a@b.example", "123456")

    assert not Student.objects.exists()
    assert not AssessmentLink.objects.exists()


def an_open_one(project: Project) -> None:
    answer_until(started(project, AT - HOUR), 6, AT - HOUR)


def a_completed_one(project: Project) -> None:
    CourseFactory.create(project=project)
    completed(started(project))


def an_unanswered_one_out_of_time(project: Project) -> None:
    started(project, AT - 48 * HOUR)


def one_left_after_six_answers(project: Project) -> None:
    attempt = answer_until(started(project, AT - 3 * HOUR), 6, AT - 2 * HOUR)
    attempt.abandon(AT - HOUR)


def one_read_before(project: Project) -> None:
    one_left_after_six_answers(project)
    Assessment.objects.update(results_read_at=AT)


def of_somebody_else(project: Project) -> None:
    started(project, AT - 48 * HOUR, email="else@example.com")
    started(ProjectFactory.create(), AT - 48 * HOUR)


def several(project: Project) -> None:
    for make in (an_unanswered_one_out_of_time, one_left_after_six_answers, an_open_one):
        make(project)
    for _ in range(2):  # at one moment: the later row is the newer one
        link, _url = issue(project, AT - 90 * HOUR)
        use(link, at=AT - 90 * HOUR, start="again")


@pytest.mark.usefixtures("bank")
@pytest.mark.parametrize(
    ("make", "count"),
    [
        (lambda project: None, 0),
        (an_open_one, 0),
        (of_somebody_else, 0),
        (a_completed_one, 1),
        (an_unanswered_one_out_of_time, 1),
        (one_left_after_six_answers, 1),
        (one_read_before, 1),
        (several, 4),
    ],
)
@pytest.mark.parametrize("at_most", [1, 100])
def test_results_are_read_alike(
    project: Project, make: Callable[[Project], None], count: int, at_most: int
) -> None:
    make(project)
    asked = (project.pk, DETAILS["email"], later(), at_most)

    by_hand = outcomes.newest(*asked)

    assert by_hand == outcomes._by_the_orm(*asked)
    assert len(by_hand) == min(count, at_most)


def later() -> datetime:
    """After all that the tests make, and before the finish-by of what is open."""
    return timezone.now() + timedelta(seconds=1)
