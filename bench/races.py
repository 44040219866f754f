"""Race students against each other on a real gunicorn of several workers, and count the winners.

    python bench/races.py [--tenth] [--database-url URL] [--redis-url URL] [--sqlite]

1,000 links are started by 16 browsers at once (8 on SQLite): each link must give one attempt.
1,000 links are started twice by one browser, and 1,000 attempts finished twice: each time it must
look like once.
1,000 attempts are finished and left at once: each must come to one end, and stay there.
The service gets a database of its own on the PostgreSQL server that the address names, else on one
that is started here; Redis likewise. Exit status 1 if a target is missed.
"""

from __future__ import annotations

import argparse
import collections
import contextlib
import json
import os
import random
import secrets
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))  # for a start by the file's name

from bench.figures import Figure, at_least, exactly
from bench.forms import Post, browsers, race

if TYPE_CHECKING:
    from tests.server import Service

RACES = 1000
WORKERS = 4  # of four threads each: sixteen requests run at once
BROWSERS = {"postgresql": 16, "sqlite": 8}
# How much later than the last page the leaving is sent, in seconds. Chosen such that both win.
LATER = (-0.010, 0.030)

SEE_OTHER, CONFLICT, GONE = 303, 409, 410


def run_in(service: Service, call: str) -> Any:
    """Call a function of bench.prepare in the service's environment."""
    program = f"import json; from bench import prepare; print(json.dumps(prepare.{call}))"
    return json.loads(service.manage("shell", "--no-imports", "-c", program))


def onboard(service: Service) -> str:
    """Return the projectId of a new project with the demo's catalogue."""
    courses = str(ROOT / "assessments" / "demo" / "courses.csv")
    name = f"Races {secrets.token_hex(4)}"
    arguments = ("Bench", "--project", name, "--courses", courses, "--json")
    project_id: str = json.loads(service.manage("onboard_partner", *arguments))["projectId"]
    return project_id


def start_races(service: Service, races: int) -> list[Figure]:
    """Let many browsers press Start on one link at once, for many links."""
    project_id = onboard(service)
    tokens = run_in(service, f"links({project_id!r}, {races})")
    path = f"/{project_id}/assessment"
    at_once = BROWSERS[service.database_name]
    held = browsers(service.port, f"{path}?token={tokens[0]}", at_once)
    winners: collections.Counter[int] = collections.Counter()
    statuses: collections.Counter[int] = collections.Counter()
    for token in tokens:
        posts = [
            Post(path, {"token": token, "consent": "yes"}, {"csrftoken": csrf}) for csrf in held
        ]
        random.shuffle(posts)
        answers = [answer.status for answer in race(service.port, posts)]
        winners[answers.count(SEE_OTHER)] += 1
        statuses.update(answers)
    counted = started(service, project_id)
    return [
        exactly("starts: attempts", counted["attempts"], races),
        exactly("starts: students with an attempt", counted["students"], races),
        exactly("starts: links used", counted["links"], races),
        exactly("starts: links with one winner", winners[1], races),
        exactly("starts: refused with 410", statuses[GONE], races * (at_once - 1)),
        exactly("starts: answers of 5xx", crashes(statuses), 0),
        exactly("starts: other answers", others(statuses, SEE_OTHER, GONE), 0),
    ]


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


def double_races(service: Service, races: int) -> list[Figure]:
    """Press Start twice in one browser, for many links; press Finish twice, for many attempts."""
    project_id = onboard(service)
    tokens = run_in(service, f"links({project_id!r}, {races})")
    path = f"/{project_id}/assessment"
    [csrf] = browsers(service.port, f"{path}?token={tokens[0]}", 1)
    starts: collections.Counter[int] = collections.Counter()
    same = 0
    for token in tokens:
        post = Post(path, {"token": token, "consent": "yes"}, {"csrftoken": csrf})
        answers = race(service.port, (post, post))
        starts.update(answer.status for answer in answers)
        same += len({(answer.status, answer.location, answer.cookie) for answer in answers}) == 1
    attempts = started(service, project_id)["attempts"]
    prepared = run_in(service, f"attempts_at_the_last_page({project_id!r}, {races})")
    finishes: collections.Counter[int] = collections.Counter()
    shown = 0
    for finish, _ in last_pages(path, prepared):
        answers = race(service.port, (finish, finish))
        finishes.update(answer.status for answer in answers)
        shown += all(answer.location.endswith("/result") for answer in answers)
    completed = [row for row in ends(service, project_id) if row["completed_at"]]
    return [
        exactly("twice: attempts", attempts, races),
        exactly("twice: links whose two answers are the same", same, races),
        exactly("twice: starts answered with 303", starts[SEE_OTHER], 2 * races),
        exactly("twice: attempts completed", len(completed), races),
        exactly("twice: attempts whose two answers lead to the result", shown, races),
        exactly("twice: answers of 5xx", crashes(starts) + crashes(finishes), 0),
        exactly("twice: other answers", others(finishes, SEE_OTHER), 0),
    ]


def end_races(service: Service, races: int) -> list[Figure]:
    """Finish and leave an attempt at once, for many attempts; then try both again."""
    project_id = onboard(service)
    prepared = run_in(service, f"attempts_at_the_last_page({project_id!r}, {races})")
    pairs = list(last_pages(f"/{project_id}/assessment", prepared))
    results: collections.Counter[tuple[bool, bool]] = collections.Counter()
    statuses: collections.Counter[int] = collections.Counter()
    told = {}
    for finish, leave in pairs:
        later = random.uniform(*LATER)
        if later >= 0:
            finished, left = race(service.port, (finish, leave), later)
        else:
            left, finished = race(service.port, (leave, finish), -later)
        statuses.update((finished.status, left.status))
        won = finished.status == SEE_OTHER, left.status == SEE_OTHER
        results[won] += 1
        told[finish.fields["assessment"]] = won
    after = ends(service, project_id)
    for pair in pairs:
        statuses.update(answer.status for answer in race(service.port, pair))
    stored = {
        row["assessment_id"]: (bool(row["completed_at"]), bool(row["abandoned_at"]))
        for row in after
    }
    return [
        exactly("ends: attempts", len(after), races),
        at_least("ends: finished first", results[True, False], 1),
        at_least("ends: left first", results[False, True], 1),
        exactly("ends: both told that they won", results[True, True], 0),
        exactly("ends: none told that it won", results[False, False], 0),
        exactly("ends: rows that say what the student was told", agree(stored, told), races),
        exactly("ends: rows changed by trying again", changed(after, ends(service, project_id)), 0),
        exactly("ends: answers of 5xx", crashes(statuses), 0),
        exactly("ends: other answers", others(statuses, SEE_OTHER, CONFLICT), 0),
    ]


def last_pages(path: str, prepared: dict[str, Any]) -> Iterator[tuple[Post, Post]]:
    """Return two forms of each prepared attempt: the last page, answered, and leaving."""
    positions, csrf = prepared["positions"], secrets.token_hex(16)
    answers = {f"answer-{position}": "1" for position in positions}
    for assessment_id, browser_token in prepared["attempts"]:
        cookies = {"csrftoken": csrf, "attempt": browser_token}
        fields = {"assessment": assessment_id}
        yield (
            Post(f"{path}/{positions[0]}", fields | answers, cookies),
            Post(f"{path}/leave", fields | {"leave": "yes"}, cookies),
        )


def ends(service: Service, project_id: str) -> list[dict[str, Any]]:
    """Return how each attempt of a project ended."""
    return service.rows(
        "SELECT a.assessment_id, a.completed_at, a.abandoned_at, a.recommendations, a.profile"
        " FROM assessments_assessment a JOIN assessments_student s ON s.id = a.student_id"
        " JOIN partners_project p ON p.id = s.project_id WHERE p.project_id = %s ORDER BY a.id",
        (project_id,),
    )


def agree(stored: dict[str, Any], told: dict[str, Any]) -> int:
    return sum(stored[assessment_id] == won for assessment_id, won in told.items())


def changed(before: Sequence[Any], after: Sequence[Any]) -> int:
    return sum(old != new for old, new in zip(before, after, strict=True))


def crashes(statuses: collections.Counter[int]) -> int:
    return sum(count for status, count in statuses.items() if status >= 500)


def others(statuses: collections.Counter[int], *expected: int) -> int:
    return sum(c for status, c in statuses.items() if status not in expected and status < 500)


@contextlib.contextmanager
def own_redis(folder: Path) -> Iterator[str]:
    """Start a Redis and return its address."""
    from tests.databases import free_port, wait_for_redis

    port = free_port()
    command = ["redis-server", "--port", str(port), "--bind", "127.0.0.1", "--dir", str(folder)]
    with (folder / "redis.log").open("wb") as log:
        process = subprocess.Popen([*command, "--save", ""], stdout=log, stderr=log)
    try:
        wait_for_redis(f"redis://127.0.0.1:{port}/0")
        yield f"redis://127.0.0.1:{port}/0"
    finally:
        process.terminate()
        process.wait(10)


def measure(part: Callable[[Service, int], list[Figure]], service: Service, races: int) -> bool:
    """Run a part, print its figures, and return whether all targets are met."""
    begun = time.monotonic()
    figures = part(service, races)
    for figure in figures:
        print(figure)
    print(f"     {time.monotonic() - begun:.0f} s\n")
    return all(figure.met for figure in figures)


PARTS = (start_races, double_races, end_races)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--tenth", action="store_true", help="a tenth of the races")
    parser.add_argument("--sqlite", action="store_true", help="on SQLite instead of PostgreSQL")
    parser.add_argument("--database-url", help="a PostgreSQL server; one is started here if absent")
    parser.add_argument("--redis-url", help="a Redis; one is started here if absent")
    arguments = parser.parse_args()
    races = RACES // 10 if arguments.tenth else RACES
    from tests.databases import own_postgresql

    with contextlib.ExitStack() as stack:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory()))
        unused = f"sqlite:///{folder}/unused.sqlite3"
        server = unused if arguments.sqlite else arguments.database_url or own_postgresql()
        os.environ |= {
            "MODE": "test",
            "DJANGO_SETTINGS_MODULE": "config.settings",
            "DATABASE_URL": server,
            "TESTS_STATIC_ROOT": str(folder / "static"),
        }
        from tests.server import Service  # it needs these

        redis_url = arguments.redis_url or stack.enter_context(own_redis(folder))
        database = "sqlite" if arguments.sqlite else "postgresql"
        service = Service(database, folder, REDIS_URL=redis_url, WEB_CONCURRENCY=str(WORKERS))
        stack.callback(service.close)
        service.prepare()
        service.start()
        print(f"{races} races each, {WORKERS} workers, {database}, {os.cpu_count()} cores\n")
        met = [measure(part, service, races) for part in PARTS]
    return 0 if all(met) else 1


if __name__ == "__main__":
    sys.exit(main())
