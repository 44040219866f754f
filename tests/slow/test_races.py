"""Students against each other, and against themselves, on a real gunicorn of sixteen threads.

The models alone are raced in tests/assessments/test_races_of_attempts.py and
test_races_of_links.py.
"""

from __future__ import annotations

import random
from collections import Counter

import pytest

from tests.slow.racing import (
    CONFLICT,
    CSRF,
    GONE,
    SEE_OTHER,
    Answer,
    Attempts,
    Post,
    beside,
    prepared,
    race,
)
from tests.support.clients import Partner
from tests.support.server import Service

# SQLite has one writer at a time and would hide a lost race.
pytestmark = pytest.mark.slow

AT_ONCE = 16
# A page of six statements, after which six more are shown; a puzzle, after which comes one more;
# and the last page.
STATEMENTS, PUZZLE, LAST_PAGE = 7, 27, 0
# How many seconds after the last page the leaving is sent: chosen such that both win.
LATER = (-0.010, 0.030)


def press(partner: Partner, token: str) -> Post:
    """Return the landing page's form."""
    return Post(partner.path, {"token": token, "consent": "yes"}, {"csrftoken": CSRF})


def started(service: Service, partner: Partner) -> dict[str, int]:
    """Count a project's attempts, its students who have one, and its used links."""
    [counted] = service.rows(
        "SELECT count(DISTINCT a.id) AS attempts, count(DISTINCT a.student_id) AS students,"
        " count(DISTINCT l.id) AS links FROM assessments_student s"
        " JOIN partners_project p ON p.id = s.project_id"
        " LEFT JOIN assessments_assessment a ON a.student_id = s.id"
        " LEFT JOIN assessments_assessmentlink l ON l.student_id = s.id AND l.used_at IS NOT NULL"
        " WHERE p.project_id = %s",
        (partner.project_id,),
    )
    return counted


def test_of_sixteen_browsers_one_starts_a_link(busy_service: Service, times: int) -> None:
    races, partner = 100 * times, Partner.onboarded(busy_service.manage)

    for token in prepared(busy_service, f"links({partner.project_id!r}, {races})"):
        # A browser is known by its CSRF cookie: pressing twice is not two browsers.
        posts = [press(partner, token) for _ in range(AT_ONCE)]
        for post in posts:
            post.cookies["csrftoken"] = f"{random.getrandbits(128):032x}"
        statuses = [answer.status for answer in race(busy_service.port, posts)]
        assert sorted(statuses) == [SEE_OTHER] + [GONE] * (AT_ONCE - 1)

    assert started(busy_service, partner) == dict.fromkeys(("attempts", "students", "links"), races)


def test_pressing_start_twice_is_pressing_once(busy_service: Service, times: int) -> None:
    races, partner = 100 * times, Partner.onboarded(busy_service.manage)
    tokens = prepared(busy_service, f"links({partner.project_id!r}, {races})")

    pairs = beside(lambda token: race(busy_service.port, [press(partner, token)] * 2), tokens)

    assert {answer.status for pair in pairs for answer in pair} == {SEE_OTHER}
    assert [pair for pair in pairs if pair[0] != pair[1]] == []
    assert started(busy_service, partner)["attempts"] == races


def answer_page(
    service: Service, attempts: Attempts, hands: int
) -> list[tuple[str, list[int], list[Answer]]]:
    """Let hands answer each attempt's page at once, with as different choices as there are."""
    offered = attempts.offered[0]

    def answer(attempt: tuple[str, str]) -> tuple[str, list[int], list[Answer]]:
        chosen = [*random.sample(offered, len(offered)), *random.choices(offered, k=hands)][:hands]
        posts = [attempts.page(attempt, choice) for choice in chosen]
        return attempt[0], chosen, race(service.port, posts)

    sent = beside(answer, attempts.attempts)
    for _, _, answers in sent:
        # All are sent on to one and the same page.
        assert {(each.status, each.location) for each in answers} == {
            (SEE_OTHER, answers[0].location)
        }
    return sent


def test_one_of_sixteen_answers_to_a_page_is_stored_whole(
    busy_service: Service, times: int
) -> None:
    attempts = Attempts.at(busy_service, STATEMENTS, 50 * times)
    positions = attempts.positions

    for hands in (AT_ONCE, 1):  # what is sent afterwards is stored
        sent = answer_page(busy_service, attempts, hands)
        stored = attempts.choices(busy_service)

        for assessment_id, chosen, _ in sent:
            page = [stored[assessment_id][position] for position in positions]
            assert page in [[choice] * len(positions) for choice in chosen]
            assert len(stored[assessment_id]) == 2 * len(positions)  # this page and the next one


def test_the_first_of_sixteen_answers_to_a_puzzle_counts(busy_service: Service, times: int) -> None:
    attempts = Attempts.at(busy_service, PUZZLE, 50 * times)

    sent = answer_page(busy_service, attempts, AT_ONCE)
    first = attempts.choices(busy_service)
    answer_page(busy_service, attempts, 2)

    assert all(first[each][PUZZLE] in chosen for each, chosen, _ in sent)
    assert {len(stored) for stored in first.values()} == {2}  # the puzzle and the one after it
    assert attempts.choices(busy_service) == first


def test_finishing_twice_is_finishing_once(busy_service: Service, times: int) -> None:
    attempts = Attempts.at(busy_service, LAST_PAGE, 100 * times)

    pairs = beside(
        lambda attempt: race(busy_service.port, [attempts.page(attempt, 1)] * 2), attempts.attempts
    )

    assert {answer.status for pair in pairs for answer in pair} == {SEE_OTHER}
    assert {answer.location.rpartition("/")[2] for pair in pairs for answer in pair} == {"result"}
    assert all(completed for completed, *_ in attempts.rows(busy_service).values())


def test_finishing_and_leaving_at_once_come_to_one_end(busy_service: Service, times: int) -> None:
    attempts = Attempts.at(busy_service, LAST_PAGE, 200 * times)

    def end(attempt: tuple[str, str]) -> tuple[int, int]:
        finish, leave = attempts.page(attempt, 1), attempts.leave(attempt)
        later = random.uniform(*LATER)
        if later >= 0:
            finished, left = race(busy_service.port, (finish, leave), later)
        else:
            left, finished = race(busy_service.port, (leave, finish), -later)
        return finished.status, left.status

    told = beside(end, attempts.attempts)
    rows = attempts.rows(busy_service)
    again = beside(end, attempts.attempts)

    won = Counter(told)
    assert set(won) == {(SEE_OTHER, CONFLICT), (CONFLICT, SEE_OTHER)}
    assert min(won.values()) >= len(told) // 20  # a race that one side always wins shows nothing
    for (assessment_id, _), (finished, _left) in zip(attempts.attempts, told, strict=True):
        completed_at, abandoned_at, *_ = rows[assessment_id]
        assert (completed_at is None) is (finished == CONFLICT)
        assert (abandoned_at is None) is (finished == SEE_OTHER)
    assert {status for pair in again for status in pair} <= {SEE_OTHER, CONFLICT}
    assert attempts.rows(busy_service) == rows
