"""One link, many hands at once: exactly one attempt, and no crash."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence

import pytest
from django.test import Client

from assessments.models import Assessment, AssessmentLink
from partners.models import Project
from tests.assessments.attempts import issue, new_browser_token, token_of, use
from tests.assessments.racing import race

# Of CSRF cookies, one a browser. On SQLite half as many: they queue, and more only wait longer.
SECRETS = [f"{number:032}" for number in range(16)]
ROUNDS = 8

pytestmark = [
    pytest.mark.slow,
    pytest.mark.django_db(transaction=True),
    pytest.mark.usefixtures("bank"),
]


def presser(
    urls: list[str],
    secret: str,
    offered: Sequence[Assessment] = (),
    held: str = "",
    **choice: str,
) -> Callable[[int], int]:
    """Return a browser that presses Start of one link after the other; it gives the statuses.

    `offered` are the attempts that its landing pages offered, `held` is its cookie.
    """

    def press(number: int) -> int:
        # a client each: the cookie of one round must not help in the next
        client = Client()
        client.cookies["csrftoken"] = secret
        if held:
            client.cookies["attempt"] = held
        data = {"token": token_of(urls[number]), "consent": "yes", **choice}
        if offered:
            data |= {"attempt": offered[number].assessment_id, "moves": "0"}
        status: int = client.post(urls[number].partition("?")[0], data).status_code
        return status

    return press


def fresh_links(project: Project, count: int = ROUNDS) -> list[str]:
    """Issue a link each for so many students."""
    return [issue(project, email=f"s{number}@example.com")[1] for number in range(count)]


@pytest.mark.parametrize("part", range(12))
def test_many_browsers_start_one_link(project: Project, part: int) -> None:
    """L1: one 303, the others 410; in all twelve parts about a hundred links."""
    urls = fresh_links(project)

    outcomes = race([presser(urls, secret) for secret in SECRETS], ROUNDS)

    assert [Counter(statuses) for statuses in outcomes] == [
        Counter({410: len(SECRETS) - 1, 303: 1})
    ] * ROUNDS
    assert Assessment.objects.count() == ROUNDS
    assert AssessmentLink.objects.filter(assessment=None).count() == 0
    assert len(set(AssessmentLink.objects.values_list("assessment_id", flat=True))) == ROUNDS


@pytest.mark.parametrize("part", range(4))
def test_one_browser_presses_four_times(project: Project, part: int) -> None:
    """L2: every press finds the one attempt; in all four parts a hundred links."""
    urls = fresh_links(project, 25)

    outcomes = race([presser(urls, SECRETS[0]) for _ in range(4)], 25)

    assert [set(statuses) for statuses in outcomes] == [{303}] * 25
    assert Assessment.objects.count() == 25


@pytest.mark.parametrize("choice", ["again", "continue"])
@pytest.mark.parametrize("tabs", [1, 2], ids=["two browsers", "two tabs of one"])
def test_two_fresh_links_of_one_student(project: Project, choice: str, tabs: int) -> None:
    """Both pages offered the open attempt: one is answered, the other shown again, unused."""
    outcomes = []
    for number in range(ROUNDS):
        held = new_browser_token() if tabs == 2 else ""
        link, _ = issue(project, email=f"s{number}@example.com", mobile=f"98765432{number:02}")
        earlier = use(link, held)
        fresh = [issue(project, email=f"s{number}@example.com", mobile=link.mobile) for _ in "ab"]
        pressers = [
            presser([url], secret, [earlier], held, start=choice)
            for (_, url), secret in zip(fresh, SECRETS, strict=False)
        ]

        outcomes += race(pressers, 1)

        attempts = Assessment.objects.filter(student=earlier.student_id)
        earlier.refresh_from_db()
        used = AssessmentLink.objects.filter(pk__in=[link.pk for link, _ in fresh])
        assert used.exclude(used_at=None).count() == 1
        assert attempts.count() == (1 if choice == "continue" else 2)
        assert earlier.moves == (choice == "continue")
        assert (earlier.moved_at is not None) is (choice == "continue" and tabs == 1)
        assert (earlier.abandoned_at is not None) is (choice == "again" and tabs == 2)

    assert [sorted(statuses) for statuses in outcomes] == [[303, 409]] * ROUNDS


def test_links_for_one_new_student_at_once(project: Project) -> None:
    """Two calls at one moment make one student and a link each."""

    def ask(number: int) -> str:
        return issue(project, email=f"New{number}@example.com")[1]

    outcomes = race([ask] * 8, ROUNDS)

    assert all(len(set(urls)) == 8 for urls in outcomes)
    assert AssessmentLink.objects.count() == 8 * ROUNDS
    assert len(set(AssessmentLink.objects.values_list("student_id", flat=True))) == ROUNDS
