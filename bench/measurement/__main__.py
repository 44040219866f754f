"""Print the figures of docs/measurement.md beside their targets; exit 1 if one is missed.

    python -m venv peers && peers/bin/pip install -r requirements-bench.txt
    peers/bin/python -m bench.measurement [--only people careless]

Students are simulated with fixed seeds.
"""

import argparse
import sys

from bench.measurement import agreement, careless, claims, courses, people, precision
from lab.figures import exit_status

MODULES = (courses, claims, people, careless, precision, agreement)
PARTS = {module.__name__.rpartition(".")[2]: module.figures for module in MODULES}


def main():
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--only", nargs="+", choices=PARTS, default=PARTS, metavar="PART")
    missed = 0
    for part in parser.parse_args().only:
        print(f"\n{part}", flush=True)
        missed |= exit_status(PARTS[part]())
    print("\na target is missed" if missed else "\nall met")
    return missed


if __name__ == "__main__":
    sys.exit(main())
