"""One link, pressed at once by sixteen browsers, or twice by one."""

from __future__ import annotations

import collections
import random
from typing import TYPE_CHECKING

from bench.forms import Answer, Post, browsers, race
from bench.races_ground import GONE, SEE_OTHER, Statuses, beside, onboard, run_in
from tests.support.figures import Figure, exactly

if TYPE_CHECKING:
    from tests.support.server import Service

BROWSERS = {"postgresql": 16, "sqlite": 8}


def start_races(service: Service, races: int) -> list[Figure]:
    """Let many browsers press Start on one link at once, for many links."""
    ground = onboard(service)
    tokens = run_in(service, f"prepare.links({ground.project_id!r}, {races})")
    at_once = BROWSERS[service.database_name]
    held = browsers(service.port, f"{ground.path}?token={tokens[0]}", at_once)
    winners: collections.Counter[int] = collections.Counter()
    statuses = Statuses()
    for token in tokens:
        posts = [press(ground.path, token, csrf) for csrf in held]
        random.shuffle(posts)
        answers = race(service.port, posts)
        winners[sum(answer.status == SEE_OTHER for answer in answers)] += 1
        statuses.note(answers)
    counted = started(service, ground.project_id)
    return [
        exactly("starts: attempts", counted["attempts"], races),
        exactly("starts: students with an attempt", counted["students"], races),
        exactly("starts: links used", counted["links"], races),
        exactly("starts: links with one winner", winners[1], races),
        exactly("starts: refused with 410", statuses[GONE], races * (at_once - 1)),
        exactly("starts: answers of 5xx", statuses.crashes, 0),
        exactly("starts: other answers", statuses.other_than(SEE_OTHER, GONE), 0),
    ]


def double_races(service: Service, races: int) -> list[Figure]:
    """Press Start twice in one browser, for many links."""
    ground = onboard(service)
    tokens = run_in(service, f"prepare.links({ground.project_id!r}, {races})")
    [csrf] = browsers(service.port, f"{ground.path}?token={tokens[0]}", 1)

    def start(token: str) -> list[Answer]:
        return race(service.port, [press(ground.path, token, csrf)] * 2)

    statuses, same = Statuses(), 0
    for answers in beside(start, tokens):
        statuses.note(answers)
        same += len(set(answers)) == 1
    return [
        exactly("twice: attempts", started(service, ground.project_id)["attempts"], races),
        exactly("twice: links whose two answers are the same", same, races),
        exactly("twice: starts answered with 303", statuses[SEE_OTHER], 2 * races),
        exactly("twice: answers of 5xx", statuses.crashes, 0),
    ]


def press(path: str, token: str, csrf: str) -> Post:
    """Return the landing page's form, as a browser sends it that has this CSRF cookie."""
    return Post(path, {"token": token, "consent": "yes"}, {"csrftoken": csrf})


def started(service: Service, project_id: str) -> dict[str, int]:
    """Count a project's attempts, its students who have one, and its used links."""
    [counted] = service.rows(
        "SELECT count(DISTINCT a.id) AS attempts, count(DISTINCT a.student_id) AS students,"
        " count(DISTINCT l.id) AS links FROM assessments_student s"
        " JOIN partners_project p ON p.id = s.project_id"
        " LEFT JOIN assessments_assessment a ON a.student_id = s.id"
        " LEFT JOIN assessments_assessmentlink l ON l.student_id = s.id AND l.used_at IS NOT NULL"
        " WHERE p.project_id = %s",
        (project_id,),
    )
    return counted
