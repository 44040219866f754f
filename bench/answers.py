"""Measure what a student's answer costs in CPU: of the service, PostgreSQL and Redis, each apart.

    python bench/answers.py [--quick] [--students N]

Students walk through the shipped item bank on a gunicorn in production mode, from the link to the
result, on connections that are kept: all ask for their page, then all send their answers, and so
on. The CPU of each such step is counted and added up by what was asked for; so a page (GET) and an
answer (POST) are told apart, and none of the cost of the students themselves is in the figures.
Before it, others have walked the same way, so that the service is warm and knows how often each
item was given. A piece of Python that is always the same is timed between the steps: where it
takes longer than on a quiet machine, so does all else. The run takes some two minutes, with --quick
less than half a minute. Exit status 1 if a target is missed.
"""

from __future__ import annotations

import argparse
import itertools
import json
import sys
import time
from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from statistics import fmean
from typing import TYPE_CHECKING

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))  # for a start by the file's name

from bench.walkers import Crowd, Walker
from tests.support import cpu
from tests.support.figures import Figure, at_most, exactly, told
from tests.support.stack import Stack

if TYPE_CHECKING:
    from tests.support.server import Service

STUDENTS, QUICK_STUDENTS = 150, 12
WARMING, QUICK_WARMING = 20, 6
# As many as the service looks back on, to know how often each item was given; and the fewest.
EARLIER, QUICK_EARLIER = 500, 50
# In CPU milliseconds of all three.
TARGETS = {
    "GET aptitude": 2.0,
    "GET interests": 2.0,
    "GET preferences": 2.0,
    "POST aptitude": 3.0,
    "POST interests": 3.0,
    "POST preferences": 3.0,
}


@dataclass
class Cost:
    """What the requests of one kind have cost so far, in CPU seconds by program."""

    requests: int = 0
    seconds: dict[str, float] = field(default_factory=lambda: defaultdict(float))

    def add(self, requests: int, seconds: Mapping[str, float]) -> None:
        self.requests += requests
        for program, more in seconds.items():
            self.seconds[program] += more

    @property
    def each(self) -> dict[str, float]:
        """CPU milliseconds a request, which is seconds a thousand of them, by program."""
        return {name: 1000 * spent / self.requests for name, spent in self.seconds.items()}


def onboard(service: Service) -> str:
    """Return the projectId of a new project with the demo's catalogue."""
    courses = str(ROOT / "assessments" / "demo" / "courses.csv")
    arguments = ("Bench", "--project", "Answers", "--courses", courses, "--json")
    project_id: str = json.loads(service.manage("onboard_partner", *arguments))["projectId"]
    return project_id


def prepare(service: Service, project_id: str, earlier: int, students: int) -> list[str]:
    """Make attempts that others have nearly finished; return the link tokens of the students."""
    program = (
        "import json; from tests.support import prepare;"
        f"prepare.attempts_at_the_last_page({project_id!r}, {earlier});"
        f"print(json.dumps(prepare.links({project_id!r}, {students})))"
    )
    tokens: list[str] = json.loads(service.manage("shell", "--no-imports", "-c", program))
    return tokens


@dataclass
class Walk:
    """What a walk cost: by kind of request, and what the same piece of Python took meanwhile."""

    costs: dict[str, Cost] = field(default_factory=lambda: defaultdict(Cost))
    yardsticks: list[float] = field(default_factory=list)


def yardstick() -> float:
    """Return the CPU milliseconds of a piece of Python that is always the same."""
    before = time.thread_time()
    sum(number * number for number in range(20_000))
    return 1000 * (time.thread_time() - before)


def walk(walkers: Sequence[Walker], crowd: Crowd, roots: Mapping[str, int]) -> Walk:
    """Let all walk from the link to the result, in step."""
    done = Walk()
    walking = list(walkers)
    steps = itertools.cycle([Walker.ask, Walker.send])
    while walking:
        before = {name: cpu.seconds(pid) for name, pid in roots.items()}
        kinds = set(crowd.each(next(steps), walking))
        spent = {name: cpu.seconds(pid) - before[name] for name, pid in roots.items()}
        if len(kinds) != 1:
            raise AssertionError(f"out of step: {kinds}")
        done.costs[kinds.pop()].add(len(walking), spent)
        done.yardsticks.append(yardstick())
        walking = [walker for walker in walking if not walker.has_arrived]
    return done


def figures(walk: Walk) -> list[Figure]:
    """Return what each kind of request costs in all, beside its target."""
    found = []
    for kind, cost in walk.costs.items():
        name, total = f"{kind}, CPU ms a request", sum(cost.each.values())
        target = TARGETS.get(kind)
        found.append(at_most(name, total, target) if target else told(name, total))
    missing = sum(kind not in walk.costs for kind in TARGETS)
    return [
        *found,
        exactly("kinds of request that were not measured", missing, 0),
        told("the piece of Python between the steps, CPU ms", fmean(walk.yardsticks)),
    ]


def table(costs: Mapping[str, Cost]) -> str:
    """Return requests and CPU milliseconds by kind and program."""
    programs = list(next(iter(costs.values())).seconds)
    heads = "".join(f"{name:>12}" for name in ("requests", *programs, "in all"))
    lines = [f"{'CPU ms a request':<24}{heads}"]
    for kind, cost in costs.items():
        each = cost.each
        values = "".join(f"{value:>12.2f}" for value in (*each.values(), sum(each.values())))
        lines.append(f"{kind:<24}{cost.requests:>12}{values}")
    return "\n".join(lines)


def measure(students: int, warming: int, earlier: int) -> Walk:
    with Stack() as stack:
        service = stack.service()
        service.manage("load_items", "--make-current")
        project_id = onboard(service)
        tokens = prepare(service, project_id, earlier, students + warming)
        service.start()
        roots = {"service": service.pid, "PostgreSQL": stack.cluster.pid, "Redis": stack.redis.pid}
        walkers = [
            Walker(f"/{project_id}/assessment", token, number)
            for number, token in enumerate(tokens)
        ]
        with Crowd(service.port) as crowd:
            walk(walkers[students:], crowd, roots)
            return walk(walkers[:students], crowd, roots)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--quick", action="store_true", help="few students; rough figures")
    parser.add_argument("--students", type=int, help="how many walk")
    arguments = parser.parse_args()
    if arguments.quick:
        done = measure(arguments.students or QUICK_STUDENTS, QUICK_WARMING, QUICK_EARLIER)
    else:
        done = measure(arguments.students or STUDENTS, WARMING, EARLIER)
    print(table(done.costs), end="\n\n")
    found = figures(done)
    print(*found, sep="\n")
    return 0 if all(figure.met for figure in found) else 1


if __name__ == "__main__":
    sys.exit(main())
