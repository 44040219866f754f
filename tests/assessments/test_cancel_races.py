"""Cancelling and Start at the same moment: exactly one of them wins."""

from __future__ import annotations

import random
import time
from collections import Counter
from collections.abc import Callable

import pytest

from assessments.models import Assessment, AssessmentLink
from assessments.models.cancelling import CANCELLED, LinkStarted
from assessments.models.links import LinkState, LinkUnavailable
from partners.models import AuditEvent, Project
from tests.assessments.attempts import issue, use
from tests.assessments.racing import race
from tests.factories import AccessTokenFactory

WHO = "token:tok_aaaaaaaaaaaaaaaa"
ROUNDS = 40

pytestmark = [
    pytest.mark.slow,
    pytest.mark.django_db(transaction=True),
    pytest.mark.usefixtures("bank"),
]


def starter(links: list[AssessmentLink]) -> Callable[[int], str]:
    def start(number: int) -> str:
        link = AssessmentLink.objects.select_related("student__project").get(pk=links[number].pk)
        try:
            use(link)
        except LinkUnavailable as refused:
            return str(refused.state)
        return "started"

    return start


def by_id(project: Project, link: AssessmentLink) -> int:
    try:
        return AssessmentLink.objects.cancel_named(project, str(link.link_id), actor=WHO)
    except LinkStarted:
        return 0


WAYS: dict[str, Callable[[Project, AssessmentLink], int]] = {
    "by its id": by_id,
    "by the address": lambda project, link: AssessmentLink.objects.cancel_for_email(
        project, link.student.email, actor=WHO
    ),
    "with its token": lambda project, link: (
        link.access_token.links.cancel(link.access_token, actor=WHO) if link.access_token else 0
    ),
    "by staff": lambda project, link: link.cancel(reason="wrong address", actor="command:tests"),
}


@pytest.mark.parametrize("way", WAYS)
def test_one_of_cancel_and_start_wins(project: Project, way: str) -> None:
    links = []
    for number in range(ROUNDS):
        link, _ = issue(project, email=f"s{number}@example.com")
        link.access_token = AccessTokenFactory.create(project=project)
        link.save(update_fields=["access_token"])
        links.append(link)
    # A start takes longer before its UPDATE, so cancelling waits a random part of that time.
    pauses = [random.Random(number).uniform(0, 0.006) for number in range(ROUNDS)]  # noqa: S311

    def cancel(number: int) -> str:
        time.sleep(pauses[number])
        return "cancelled" if WAYS[way](project, links[number]) else "too late"

    outcomes = race([starter(links), cancel], ROUNDS)

    for link, (started, cancelled) in zip(links, outcomes, strict=True):
        link.refresh_from_db()
        if started == "started":
            assert cancelled == "too late"
            assert (link.used_at is not None, link.cancelled_at) == (True, None)
        else:
            assert (started, cancelled) == (LinkState.CANCELLED, "cancelled")
            assert (link.used_at, link.cancelled_at is not None) == (None, True)
    wins = Counter(cancelled for _, cancelled in outcomes)
    assert Assessment.objects.count() == wins["too late"]
    assert AuditEvent.objects.filter(action=CANCELLED).count() == wins["cancelled"]


def test_of_many_that_cancel_one_counts(project: Project) -> None:
    links = [issue(project, email=f"s{number}@example.com")[0] for number in range(ROUNDS)]

    outcomes = race([lambda number: by_id(project, links[number])] * 6, ROUNDS)

    assert [sum(counts) for counts in outcomes] == [1] * ROUNDS
    assert AuditEvent.objects.filter(action=CANCELLED).count() == ROUNDS


def test_many_links_of_a_token_against_starts_by_their_students(project: Project) -> None:
    """One UPDATE of many rows: none is both cancelled and started, and nothing crashes."""
    token = AccessTokenFactory.create(project=project)
    links = []
    for number in range(ROUNDS):
        link, _ = issue(project, email=f"s{number}@example.com")
        AssessmentLink.objects.filter(pk=link.pk).update(access_token=token)
        links.append(link)
    begins = starter(links)
    counted: list[int] = []

    def start_half(part: int) -> Callable[[int], list[str]]:
        return lambda _: [begins(number) for number in range(part, ROUNDS, 2)]

    def cancel(_: int) -> list[str]:
        time.sleep(0.15)
        counted.append(token.links.cancel(token, actor=WHO))
        return []

    race([start_half(0), start_half(1), cancel], 1)

    cancelled = AssessmentLink.objects.exclude(cancelled_at=None)
    assert cancelled.count() == counted[0]
    assert AssessmentLink.objects.exclude(used_at=None).count() == ROUNDS - counted[0]
    assert Assessment.objects.count() == ROUNDS - counted[0]
