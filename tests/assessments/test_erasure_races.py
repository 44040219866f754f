"""An erasure at the moment of a call, a start, an answer: one comes first, and neither leaks."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from assessments.models import Assessment, AssessmentLink, Student
from assessments.models.attempts import AttemptEnded
from assessments.models.links import LinkUnavailable
from partners.models import AuditEvent, Project
from tests.assessments.attempts import DETAILS, answer_until, issue, use
from tests.assessments.racing import race

ROUNDS = 12
WHO = "command:tests"

pytestmark = [
    pytest.mark.slow,
    pytest.mark.django_db(transaction=True),
    pytest.mark.usefixtures("bank"),
]


def email(number: int) -> str:
    return f"s{number}@example.com"


def eraser(students: list[Student]) -> Callable[[int], str]:
    return lambda number: students[number].erase(actor=WHO).receipt


def assert_nobody_is_known(students: list[Student]) -> None:
    """Check that of each student nothing is left, and nothing of theirs is open."""
    for student in students:
        student.refresh_from_db()
        assert student.is_erased
        assert set(student.links.values_list("name", "mobile")) == {("erased", "erased")}
        assert not student.assessments.open().exists()
    events = AuditEvent.objects.filter(action="student.erased")
    assert events.count() == len(students)


@pytest.fixture
def students(project: Project) -> list[Student]:
    return [issue(project, email=email(number))[0].student for number in range(ROUNDS)]


def test_a_link_issued_meanwhile_is_erased_with_the_rest_or_a_new_students(
    project: Project, students: list[Student]
) -> None:
    def ask(number: int) -> int:
        return issue(project, email=email(number))[0].student_id

    outcomes = race([eraser(students), ask, ask], ROUNDS)

    assert_nobody_is_known(students)
    for (_, *asked), student in zip(outcomes, students, strict=True):
        for pk in asked:
            link = AssessmentLink.objects.filter(student=pk).first()
            assert link is not None
            assert (link.name == DETAILS["name"]) is (pk != student.pk)


def test_two_erasures_give_one_receipt(students: list[Student]) -> None:
    outcomes = race([eraser(students), eraser(students)], ROUNDS)

    assert_nobody_is_known(students)
    assert all(first == second for first, second in outcomes)


def test_a_start_comes_before_and_is_ended_or_after_and_is_refused(
    project: Project, students: list[Student]
) -> None:
    links = [issue(project, email=email(number))[0] for number in range(ROUNDS)]

    def start(number: int) -> bool:
        link = AssessmentLink.objects.select_related("student__project").get(pk=links[number].pk)
        try:
            use(link)
        except LinkUnavailable:
            return False
        return True

    outcomes = race([eraser(students), start], ROUNDS)

    assert_nobody_is_known(students)
    assert Assessment.objects.count() == sum(has_started for _, has_started in outcomes)


def test_an_answer_comes_before_or_is_refused(project: Project, students: list[Student]) -> None:
    attempts = [use(student.links.get()) for student in students]
    for attempt in attempts:
        answer_until(attempt, 0)
        attempt.begin_section(1)

    def answer(number: int) -> bool:
        attempt = Assessment.objects.get(pk=attempts[number].pk)
        page = [answer.position for answer in attempt.read_answers().page(1)]
        try:
            attempt.record(1, dict.fromkeys(page, 1))
        except AttemptEnded:
            return False
        return True

    outcomes = race([eraser(students), answer], ROUNDS)

    assert_nobody_is_known(students)
    for (_, stored), attempt in zip(outcomes, attempts, strict=True):
        assert (attempt.read_answers().answered_count > 0) is stored
