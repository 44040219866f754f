"""Print every figure of docs/measurement.md beside its target; exit 1 if one is missed.

    python -m venv peers && peers/bin/pip install -r requirements-bench.txt
    peers/bin/python -m bench.measurement [--only 2 3]

Students are simulated with fixed seeds. Two independent tools, catsim and girth, serve for
comparison.
"""

import argparse
import sys
import time

from bench.measurement import careless, courses, guessers, people, precision, tools
from bench.measurement.personas import personas
from lab.figures import exit_status


def twenty_six_people():
    found = personas()
    yield from people.figures(found, people.outcomes(found))


# The first six are what a bank must hold.
PARTS = {
    1: ("Courses for simulated students", courses.favourites),
    2: ("People, answer by answer", twenty_six_people),
    3: ("One field loved, one answer raised", courses.one_field),
    4: ("Order of rows, careless answers", careless.figures),
    5: ("Precision and speed", precision.precision),
    6: ("Languages and length", precision.length),
    7: ("Agreement with established tools", tools.agreement),
    8: ("Adaptive test on a simulated bank", tools.adaptive),
    9: ("Guessers of puzzles", guessers.figures),
    10: ("Retakes", courses.retakes),
}


def main():
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--only", type=int, nargs="+", choices=PARTS, default=PARTS, metavar="PART")
    missed = 0
    for number in parser.parse_args().only:
        title, figures = PARTS[number]
        began = time.perf_counter()
        print(f"\n{number}. {title}", flush=True)
        missed |= exit_status(figures())
        print(f"     {time.perf_counter() - began:.0f} s")
    print("\na target is missed" if missed else "\nall met")
    return missed


if __name__ == "__main__":
    sys.exit(main())
