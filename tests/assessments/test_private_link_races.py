"""Private links made, ended and erased at one moment: at most one works, and none survives."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from datetime import timedelta

import pytest
from django.utils import timezone

from assessments.models import Assessment, PrivateLink
from assessments.models.private_links import AnotherMade, NoResult
from assessments.models.retention import purge
from partners.models import Project
from tests.assessments.attempts import issue, marked_completed, started, use
from tests.assessments.racing import race

ROUNDS = 20

pytestmark = [
    pytest.mark.slow,
    pytest.mark.django_db(transaction=True),
    pytest.mark.usefixtures("bank"),
]


@pytest.fixture
def attempts(project: Project) -> list[Assessment]:
    """Give completed attempts, each of a student of its own."""
    return [
        marked_completed(use(issue(project, email=f"student{number}@example.com")[0]))
        for number in range(ROUNDS)
    ]


def maker(attempts: list[Assessment], made: list[str] | None = None) -> Callable[[int], str]:
    def make(number: int) -> str:
        try:
            _, key = PrivateLink.objects.make(attempts[number], with_puzzles=False, seen="")
        except AnotherMade:
            return "stale"
        except NoResult:
            return "none"
        if made is not None:
            made.append(key)
        return "made"

    return make


def test_of_several_forms_at_once_one_makes_a_link(attempts: list[Assessment]) -> None:
    outcomes = race([maker(attempts)] * 4, ROUNDS)

    assert [Counter(outcome) for outcome in outcomes] == [{"made": 1, "stale": 3}] * ROUNDS
    assert PrivateLink.objects.count() == PrivateLink.objects.working().count() == ROUNDS


def test_a_link_made_while_the_browser_is_forgotten_is_the_student_s_or_none(
    attempts: list[Assessment],
) -> None:
    def forget(number: int) -> bool:
        return Assessment.objects.get(pk=attempts[number].pk).forget_browser()

    outcomes = race([maker(attempts), forget], ROUNDS)

    assert {forgotten for _, forgotten in outcomes} == {True}
    made = Counter(outcome for outcome, _ in outcomes)
    assert set(made) <= {"made", "none"}
    assert PrivateLink.objects.count() == made["made"]


def test_none_survives_an_erasure(attempts: list[Assessment]) -> None:
    def erase(number: int) -> None:
        attempts[number].student.erase(actor="command:tests")

    outcomes = race([maker(attempts), erase], ROUNDS)

    assert {outcome for outcome, _ in outcomes} <= {"made", "none"}
    assert not PrivateLink.objects.exists()


def test_none_survives_a_purge(project: Project) -> None:
    """A purge passes an attempt that is locked by, and left to, the next one."""
    attempt = marked_completed(started(project))
    later = timezone.now() + timedelta(days=900)

    race([maker([attempt]), lambda _: list(purge(later, actor="command:tests"))], 1)
    list(purge(later, actor="command:tests"))

    assert not Assessment.objects.exists()
    assert not PrivateLink.objects.exists()
