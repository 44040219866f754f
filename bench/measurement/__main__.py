"""Print every figure of docs/measurement.md beside its target; exit 1 if one is missed.

    python -m venv peers && peers/bin/pip install -r requirements-bench.txt
    peers/bin/python -m bench.measurement [--only 2 3] [--full]

Students are simulated with fixed seeds. Two independent tools, catsim and girth, serve for
comparison. --full takes three times as many students.
"""

from __future__ import annotations

import argparse
import sys
import time
from collections.abc import Callable, Iterator
from itertools import chain

from bench.measurement import people
from bench.measurement.claims import (
    adaptive,
    agreement,
    careless,
    choices,
    courses,
    facets,
    items,
    length,
    own_bank,
    pictures,
    ranges,
    retakes,
    speed,
)
from bench.measurement.claims.simulated import shipped_bank
from lab.figures import Figure


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--only", type=int, nargs="+", choices=range(1, 11), metavar="PART")
    parser.add_argument("--full", action="store_true", help="three times as many students")
    arguments = parser.parse_args()
    missed = 0
    for number, (title, figures) in parts(arguments.full).items():
        if arguments.only and number not in arguments.only:
            continue
        began = time.perf_counter()
        print(f"\n{number}. {title}", flush=True)
        for figure in figures():
            print(figure, flush=True)
            missed += not figure.met
        print(f"     {time.perf_counter() - began:.0f} s")
    print(f"\n{missed} missed" if missed else "\nall met")
    return 1 if missed else 0


def parts(full: bool) -> dict[int, tuple[str, Callable[[], Iterator[Figure]]]]:
    """Return title and figures of each part; the first six are what a bank must hold."""
    bank = shipped_bank()
    return {
        1: ("Courses for simulated students", lambda: choices.figures(bank, full)),
        2: ("People, answer by answer", lambda: people.figures(people.outcomes())),
        3: ("One field loved, one answer raised", lambda: courses.figures(bank, bank.matching)),
        4: ("Order of rows, careless answers", lambda: careless.figures(bank, full)),
        5: (
            "Precision and speed",
            lambda: chain(
                own_bank.figures(bank, full),
                facets.figures(bank, full),
                ranges.figures(bank, full),
                pictures.figures(bank, full),
                speed.figures(bank),
            ),
        ),
        6: ("Languages and length", length.figures),
        7: ("Agreement with established tools", lambda: agreement.figures(full)),
        8: ("Adaptive test on a simulated bank", lambda: adaptive.figures(full)),
        9: ("Guessers of puzzles", items.figures),
        10: ("Retakes", lambda: retakes.figures(bank, full)),
    }


if __name__ == "__main__":
    sys.exit(main())
