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

from bench.measurement.claims import (
    adaptive,
    agreement,
    careless,
    choices,
    courses,
    facets,
    items,
    own_bank,
    retakes,
    speed,
)
from bench.measurement.claims.simulated import earlier_bank, shipped_bank
from tests.support.figures import Figure


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--only", type=int, nargs="+", choices=range(1, 11), metavar="PART")
    parser.add_argument("--full", action="store_true", help="three times as many students")
    arguments = parser.parse_args()
    bank, full = shipped_bank(), arguments.full
    parts: dict[int, tuple[str, Callable[[], Iterator[Figure]]]] = {
        1: ("Agreement with established tools", lambda: agreement.figures(full)),
        2: ("Adaptive test on a simulated bank", lambda: adaptive.figures(full)),
        3: ("The product's own bank", lambda: own_bank.figures(bank, full)),
        4: ("Facets", lambda: facets.figures(bank, full)),
        5: ("Courses", lambda: courses.figures(bank, full)),
        6: ("Careless answers", lambda: careless.figures(bank, full)),
        7: ("Items", items.figures),
        8: ("Speed", lambda: speed.figures(bank)),
        9: ("By types and by fields", lambda: choices.figures(earlier_bank(), bank, full)),
        10: ("Retakes", lambda: retakes.figures(bank, full)),
    }
    missed = 0
    for number in arguments.only or parts:
        title, figures = parts[number]
        began = time.perf_counter()
        print(f"\n{number}. {title}", flush=True)
        for figure in figures():
            print(figure, flush=True)
            missed += not figure.met
        print(f"     {time.perf_counter() - began:.0f} s")
    print(f"\n{missed} missed" if missed else "\nall met")
    return 1 if missed else 0


if __name__ == "__main__":
    sys.exit(main())
