"""Let made-up students do anything in any order, and hold every row against a model.

    python bench/model.py [--runs N] [--quick] [--processes N] [--seed N]

Hypothesis makes up runs of 50 steps: links are asked for, opened, started, continued, started
again in two browsers of two tabs each; pages are answered, sent again, gone back to, left; tokens
are revoked and rotated, days go by. After each step the answer of the service and all rows must be
what a model in plain Python says (tests/assessments/student_model.py), and the invariants of
tests/support/invariants.py hold. It runs through the views on its own PostgreSQL, without a port.
A run that fails is made as short as it can be and printed. 300 runs take some minutes on two
cores, `--runs 2000` ten to thirty; --quick is 20. Exit status 1 if a target is missed.
"""

from __future__ import annotations

import argparse
import json
import logging
import os
import random
import subprocess
import sys
import tempfile
import time
from collections import Counter
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))  # for a start by the file's name

from tests.support.cluster import Cluster
from tests.support.figures import Figure, at_least, exactly, told

RUNS, QUICK_RUNS, STEPS = 300, 20, 50
PROCESSES = 2
# Each of these has to happen for the runs to show anything: what was done, and its status.
MUST_BE_MET = (
    "issue 200",
    "issue 401",
    "results 200",
    "results 401",
    "revoke 200",
    "rotate 200",
    "open 200",
    "open 303",
    "open 410",
    "start 303",
    "start 400",
    "start 410",
    "start again 303",
    "start continue 303",
    "section 303",
    "section 409",
    "question 303",
    "question 400",
    "question 403",
    "question 409",
    "leave 303",
    "leave 409",
    "visit /result 200",
)


def play(runs: int, seed: int) -> Counter[str]:
    """Make the runs in this process, on the database that DATABASE_URL names; return what was met.

    Hypothesis raises what a run found.
    """
    import django

    django.setup()
    # The service warns of each refusal, which here are thousands.
    logging.disable(logging.WARNING)

    import hypothesis
    from django.core.management import call_command
    from hypothesis.stateful import run_state_machine_as_test

    from assessments.models import ItemBank
    from tests.assessments.student_machine import StudentMachine, questionnaire
    from tests.assessments.student_partner import COMMAND
    from tests.support.server import SMALL_BANK

    call_command("migrate", verbosity=0)
    small = json.loads(SMALL_BANK.read_bytes())
    bank, _ = ItemBank.objects.publish(questionnaire(small), shipped=True, actor=COMMAND)
    bank.make_current(actor=COMMAND)
    settings = hypothesis.settings(
        # Hypothesis makes some runs shorter than it may: up to an eighth of them were.
        max_examples=runs + runs // 5 + 5,
        stateful_step_count=STEPS + 2,
        deadline=None,
        database=None,
        suppress_health_check=list(hypothesis.HealthCheck),
    )
    run_state_machine_as_test(hypothesis.seed(seed)(StudentMachine), settings=settings)
    whole = sum(n for steps, n in StudentMachine.lengths.items() if steps >= STEPS)
    return StudentMachine.seen + Counter(runs=whole)


def start(cluster: Cluster, number: int, runs: int, seed: int) -> subprocess.Popen[str]:
    """Start a process that plays so many runs on a database of its own."""
    cluster.execute(f"CREATE DATABASE model_{number}")
    environment = {
        **os.environ,
        "MODE": "test",
        "DJANGO_SETTINGS_MODULE": "config.settings",
        "DATABASE_URL": f"{cluster.url.rpartition('/')[0]}/model_{number}",
    }
    command = [sys.executable, __file__, "--play", str(runs), "--seed", str(seed + number)]
    return subprocess.Popen(command, env=environment, stdout=subprocess.PIPE, text=True, cwd=ROOT)


def figures_of(met: Counter[str], runs: int, failed: int) -> list[Figure]:
    whole = met.pop("runs", 0)
    must = MUST_BE_MET if runs >= RUNS else ()
    return [
        exactly("model: processes that found a deviation", failed, 0),
        at_least(f"model: runs of {STEPS} steps", whole, runs),
        *(at_least(f"model: {what}", met[what], 1) for what in must),
        *(told(f"model: {what}", met[what]) for what in sorted(met) if what not in must),
    ]


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--runs", type=int, default=RUNS)
    parser.add_argument("--quick", action="store_true", help=f"{QUICK_RUNS} runs")
    parser.add_argument("--processes", type=int, default=PROCESSES)
    parser.add_argument("--seed", type=int, default=random.randrange(10**6), help="of a run again")
    parser.add_argument("--play", type=int, help=argparse.SUPPRESS)
    arguments = parser.parse_args()
    if arguments.play:
        print(json.dumps(play(arguments.play, arguments.seed)))
        return 0
    share = (QUICK_RUNS if arguments.quick else arguments.runs) // arguments.processes
    runs = share * arguments.processes
    print(
        f"{runs} runs of {STEPS} steps, seed {arguments.seed}, {os.cpu_count()} cores\n", flush=True
    )
    begun = time.monotonic()
    with tempfile.TemporaryDirectory(prefix="bench-") as folder:
        cluster = Cluster(Path(folder) / "postgresql")
        cluster.create()
        try:
            cluster.start()
            players = [
                start(cluster, number, share, arguments.seed)
                for number in range(arguments.processes)
            ]
            met: Counter[str] = Counter()
            for player in players:
                said, _ = player.communicate()
                met.update(json.loads(said) if player.returncode == 0 else {})
        finally:
            cluster.close()
    figures = figures_of(met, runs, sum(player.returncode != 0 for player in players))
    for figure in figures:
        print(figure)
    print(f"     {time.monotonic() - begun:.0f} s")
    return 0 if all(figure.met for figure in figures) else 1


if __name__ == "__main__":
    sys.exit(main())
