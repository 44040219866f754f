"""The commands of the lab; see lab/README.md."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from pathlib import Path

from lab.generators.build import SHIPPED
from lab.refusal import Refusal
from lab.shipped_bank import write_bank


def main(arguments: Sequence[str] | None = None) -> str | None:
    """Run a command. Return an error message for `sys.exit`, or None."""
    parser = argparse.ArgumentParser(prog="python -m lab", description=__doc__)
    commands = parser.add_subparsers(dest="command", required=True)
    bank = commands.add_parser("bank", help="write the bank file that ships with the service")
    bank.add_argument("-o", "--output", type=Path, default=SHIPPED, help="default: %(default)s")
    bank.add_argument(
        "--check",
        action="store_true",
        help="write nothing; fail if the file differs from what would be written",
    )
    options = parser.parse_args(arguments)
    try:
        sys.stderr.write(write_bank(options.output, check=options.check) + "\n")
    except Refusal as refusal:
        return str(refusal)
    return None


if __name__ == "__main__":
    sys.exit(main())
