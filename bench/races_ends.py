"""The end of one attempt, twice at once: finished and left, or finished and finished."""

from __future__ import annotations

import collections
import random
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from bench.forms import Answer, race
from bench.races_ground import CONFLICT, SEE_OTHER, Prepared, Statuses, beside
from tests.support.figures import Figure, at_least, exactly

if TYPE_CHECKING:
    from tests.support.server import Service

LAST_PAGE = 0
# How much later than the last page the leaving is sent, in seconds. Chosen such that both win.
LATER = (-0.010, 0.030)
# A race that one side always wins shows nothing: each must win one in so many.
AT_LEAST_ONE_IN = 20

Won = tuple[bool, bool]


def end_races(service: Service, races: int) -> list[Figure]:
    """Finish and leave an attempt at once, for many attempts; then try both again."""
    prepared = Prepared.at(service, LAST_PAGE, races)

    def end(attempt: tuple[str, str]) -> tuple[Answer, Answer]:
        finish, leave = prepared.page(attempt, 1), prepared.leave(attempt)
        later = random.uniform(*LATER)
        if later >= 0:
            finished, left = race(service.port, (finish, leave), later)
        else:
            left, finished = race(service.port, (leave, finish), -later)
        return finished, left

    def try_again(attempt: tuple[str, str]) -> list[Answer]:
        return race(service.port, (prepared.page(attempt, 1), prepared.leave(attempt)))

    statuses = Statuses()
    told: dict[str, Won] = {}
    for (assessment_id, _), answers in zip(
        prepared.attempts, beside(end, prepared.attempts), strict=True
    ):
        statuses.note(answers)
        finished, left = answers
        told[assessment_id] = finished.status == SEE_OTHER, left.status == SEE_OTHER
    results = collections.Counter(told.values())
    before = ends(service, prepared)
    for again in beside(try_again, prepared.attempts):
        statuses.note(again)
    return [
        exactly("ends: attempts", len(before), races),
        at_least("ends: finished first", results[True, False], races // AT_LEAST_ONE_IN),
        at_least("ends: left first", results[False, True], races // AT_LEAST_ONE_IN),
        exactly("ends: both told that they won", results[True, True], 0),
        exactly("ends: none told that it won", results[False, False], 0),
        exactly("ends: rows that say what the student was told", agreeing(before, told), races),
        exactly("ends: rows changed by trying again", changed(before, ends(service, prepared)), 0),
        exactly("ends: answers of 5xx", statuses.crashes, 0),
        exactly("ends: other answers", statuses.other_than(SEE_OTHER, CONFLICT), 0),
    ]


def finish_races(service: Service, races: int) -> list[Figure]:
    """Press Finish twice at once, for many attempts."""
    prepared = Prepared.at(service, LAST_PAGE, races)

    def finish(attempt: tuple[str, str]) -> list[Answer]:
        return race(service.port, [prepared.page(attempt, 1)] * 2)

    statuses, shown = Statuses(), 0
    for answers in beside(finish, prepared.attempts):
        statuses.note(answers)
        shown += all(answer.location.endswith("/result") for answer in answers)
    completed = [row for row in ends(service, prepared) if row["completed_at"]]
    return [
        exactly("finished twice: attempts completed", len(completed), races),
        exactly("finished twice: both answers lead to the result", shown, races),
        exactly("finished twice: answers of 5xx", statuses.crashes, 0),
        exactly("finished twice: other answers", statuses.other_than(SEE_OTHER), 0),
    ]


def ends(service: Service, prepared: Prepared) -> list[dict[str, Any]]:
    """Return how each attempt ended."""
    return service.rows(
        "SELECT a.assessment_id, a.completed_at, a.abandoned_at, a.recommendations, a.profile"
        " FROM assessments_assessment a JOIN assessments_student s ON s.id = a.student_id"
        " JOIN partners_project p ON p.id = s.project_id WHERE p.project_id = %s ORDER BY a.id",
        (prepared.ground.project_id,),
    )


def agreeing(rows: Sequence[dict[str, Any]], told: dict[str, Won]) -> int:
    """Count the rows that say the same end as the two answers did."""
    return sum(
        (bool(row["completed_at"]), bool(row["abandoned_at"])) == told[row["assessment_id"]]
        for row in rows
    )


def changed(before: Sequence[Any], after: Sequence[Any]) -> int:
    return sum(old != new for old, new in zip(before, after, strict=True))
