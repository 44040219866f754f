"""The commands of the lab; see lab/README.md."""

from __future__ import annotations

import argparse
import csv
import json
import sys
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import nullcontext
from itertools import chain
from pathlib import Path
from typing import Any

from lab.answers import Attempt, read_answers
from lab.generators.build import SHIPPED, build, to_text
from lab.item_tables import DIFFERENCES, STATISTICS, compare_languages, statistics_rows
from lab.outcomes import outcome_figures
from lab.recalibration import recalibrate, summary, table
from lab.refusal import Refusal
from lab.studies import people_figures, simulated_figures, statement_figures
from measurement.bank import Bank
from measurement.bank_validation import validate
from measurement.norms import with_norms_from
from measurement.successor import CALIBRATED, NORMED, make_successor

Data = Mapping[str, Any]


def main(arguments: Sequence[str] | None = None) -> str | None:
    """Run a command. Return an error message for `sys.exit`, or None."""
    options = _parser().parse_args(arguments)
    try:
        if options.command == "bank":
            _say(write_bank(options.output or SHIPPED, check=options.check))
        elif options.command == "studies":
            studies(options.people)
        else:
            bank = read_bank(options.bank)
            COMMANDS[options.command](bank, read_answers(options.answers, bank), options.output)
    except Refusal as refusal:
        return str(refusal)
    return None


def write_bank(path: Path, *, check: bool = False) -> str:
    """Write the bank that ships, or only compare it with the file. Return what was done.

    Raises Refusal if the bank is not valid, or if the file that is checked differs.
    """
    bank = build()
    if faults := validate(bank):
        raise Refusal("The generated bank is not valid:\n" + "\n".join(faults))
    text = to_text(bank).encode()
    if not check:
        path.write_bytes(text)
    elif not path.is_file() or path.read_bytes() != text:
        raise Refusal(f"{path} differs from a fresh build. Run python -m lab bank.")
    counts = Counter(item["section"] for item in bank["items"])
    listed = ", ".join(f"{count} {section}" for section, count in counts.items())
    verb = "is up to date" if check else "written"
    return f"Bank {bank['version']} {verb}: {listed} items."


def studies(people: Path | None) -> None:
    """Print how well courses are ranked, and how well by a simple ranking, beside targets."""
    bank = Bank.from_json(read_bank(SHIPPED))
    for figure in chain(
        simulated_figures(bank),
        statement_figures(bank),
        people_figures(bank, people) if people else (),
    ):
        print(figure, flush=True)


def norms(bank: Data, attempts: Sequence[Attempt], output: Path | None) -> None:
    """Write a bank with norms of scales and statements, and usual times of sections."""
    valid = [attempt.given for attempt in attempts if attempt.is_valid]
    try:
        content = with_norms_from(bank, valid)
    except ValueError as error:
        raise Refusal(str(error)) from error
    _write_bank(bank, content, NORMED, output)
    _say(f"Norms from {len(valid)} valid attempts of {len(attempts)}.")


def calibrate(bank: Data, attempts: Sequence[Attempt], output: Path | None) -> None:
    """Write a bank with new parameters of the puzzles, and their table to stderr."""
    valid = [attempt.given for attempt in attempts if attempt.is_valid]
    found = recalibrate(bank, valid)
    _write_bank(bank, found.content, CALIBRATED, output)
    _say("\n".join(table(found.items)))
    _say(f"{len(valid)} valid attempts of {len(attempts)}. {summary(found, len(valid))}")


def dif(bank: Data, attempts: Sequence[Attempt], output: Path | None) -> None:
    """Write a table of how far items differ between languages; say if answers are too few."""
    rows, compared = compare_languages(Bank.from_json(bank), attempts)
    _write_table(DIFFERENCES, rows, output)
    _say(compared)


def statements(bank: Data, attempts: Sequence[Attempt], output: Path | None) -> None:
    """Write a table of the statistics of all statements and puzzles, with findings."""
    _write_table(STATISTICS, statistics_rows(Bank.from_json(bank), attempts), output)


def outcomes(bank: Data, attempts: Sequence[Attempt], output: Path | None) -> None:
    """Write where the courses stood that students took in the end, with and without naming them."""
    lines = [f"{figure}\n" for figure in outcome_figures(Bank.from_json(bank), attempts)]
    if output:
        output.write_text("".join(lines), encoding="utf-8")
    else:
        sys.stdout.writelines(lines)


COMMANDS: dict[str, Callable[[Data, Sequence[Attempt], Path | None], None]] = {
    "norms": norms,
    "calibrate": calibrate,
    "dif": dif,
    "statements": statements,
    "outcomes": outcomes,
}


def read_bank(path: Path) -> dict[str, Any]:
    """Return the content of a valid bank file. Raises Refusal."""
    try:
        data = json.loads(path.read_bytes())
    except (OSError, ValueError) as error:
        raise Refusal(f"{path} can't be read: {error}") from error
    if faults := validate(data):
        raise Refusal("\n".join([f"{path} has {len(faults)} errors:", *faults]))
    return dict(data)


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m lab", description=__doc__)
    commands = parser.add_subparsers(dest="command", required=True)
    bank = commands.add_parser("bank", help="Write the bank file that ships with the service.")
    bank.add_argument(
        "--check",
        action="store_true",
        help="write nothing; fail if the file differs from what would be written",
    )
    bank.add_argument("-o", "--output", type=Path, help=f"default: {SHIPPED}")
    compared = commands.add_parser("studies", help=studies.__doc__)
    compared.add_argument(
        "--people", type=Path, metavar="FILE", help="answers and majors of real people, as csv.gz"
    )
    for name, command in COMMANDS.items():
        parsed = commands.add_parser(name, help=command.__doc__)
        parsed.add_argument("answers", type=Path, help="what manage.py export_answers printed")
        parsed.add_argument(
            "--bank", type=Path, default=SHIPPED, help="the bank file; default: %(default)s"
        )
        parsed.add_argument("-o", "--output", type=Path, help="default: stdout")
    return parser


def _write_bank(old: Data, content: Data, letter: str, output: Path | None) -> None:
    new = make_successor(content, letter, [old["version"]])
    if faults := validate(new):
        raise Refusal("\n".join(["The new bank is not valid:", *faults]))
    if output:
        output.write_text(to_text(new), encoding="utf-8")
    else:
        sys.stdout.write(to_text(new))
    _say(f"Bank {new['version']} succeeds {old['version']}. Publish it with manage.py load_items.")


def _write_table(header: Sequence[str], rows: Iterable[Sequence[Any]], output: Path | None) -> None:
    opened = output.open("w", encoding="utf-8", newline="") if output else nullcontext(sys.stdout)
    with opened as file:
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow(header)
        writer.writerows(rows)


def _say(text: str) -> None:
    sys.stderr.write(text + "\n")


if __name__ == "__main__":
    sys.exit(main())
