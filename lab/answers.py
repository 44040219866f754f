"""Read the answers that `manage.py export_answers` writes."""

from __future__ import annotations

import csv
import sys
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from itertools import groupby
from pathlib import Path
from typing import Any, NamedTuple

from lab.refusal import Refusal
from measurement.successor import base_version
from measurement.validity import AnsweredItem

COLUMNS = frozenset(
    (
        *("attempt", "bank", "completed", "valid", "item", "choice", "seconds", "language"),
        *("replaced", "considered", "taken", "place", "place_unnamed"),
    )
)


class Shown(NamedTuple):
    """An item shown to a student; choice and seconds are None until it is answered."""

    code: str
    choice: int | None
    seconds: float | None
    language: str


@dataclass(frozen=True, slots=True)
class Attempt:
    """The items shown to a student, in order, without puzzles that another one replaced.

    An attempt that is not completed was abandoned. Only a completed one is valid, if it has no
    sign of careless answers. `considered` are the courses that the student named before the result,
    `taken` is the one that a partner reported, or "". `place` and `place_unnamed` are its places in
    the list of the result, and in that without the naming, 0 if it was not in it.
    """

    shown: tuple[Shown, ...]
    is_completed: bool
    is_valid: bool
    considered: tuple[str, ...] = ()
    taken: str = ""
    place: int = 0
    place_unnamed: int = 0

    @property
    def given(self) -> list[AnsweredItem]:
        """The answered items."""
        return [
            AnsweredItem(each.code, each.choice, each.seconds)
            for each in self.shown
            if each.choice is not None and each.seconds is not None
        ]


def read_answers(path: Path, bank: Mapping[str, Any]) -> list[Attempt]:
    """Return the attempts on a bank, given as the content of its file.

    Attempts count on every bank with the same questions: on 2026.2 and 2026.2-n1 for 2026.2-c2.
    Raises Refusal if the file can't be read, or has no such attempts.
    """
    codes = {item["code"] for item in bank["items"]}
    questions = base_version(bank["version"])
    try:
        with path.open(encoding="utf-8", newline="") as file:
            reader = csv.DictReader(file)
            if missing := COLUMNS - set(reader.fieldnames or ()):
                raise Refusal(f"{path} lacks columns: {', '.join(sorted(missing))}.")
            versions: Counter[str] = Counter()
            attempts = []
            for _, own in groupby(reader, key=lambda row: row["attempt"]):
                rows = list(own)
                versions[rows[0]["bank"]] += 1
                if base_version(rows[0]["bank"]) == questions:
                    attempts.append(_attempt(rows, codes))
    except OSError as error:
        raise Refusal(f"{path} can't be read: {error.strerror}.") from error
    except (ValueError, csv.Error) as error:
        raise Refusal(f"{path} is not an export of answers: {error}.") from error
    if not attempts:
        found = ", ".join(sorted(versions)) or "no bank"
        raise Refusal(f"{path} has no attempts on bank {bank['version']}, only on {found}.")
    return attempts


def _attempt(rows: list[dict[str, str]], codes: Iterable[str]) -> Attempt:
    return Attempt(
        shown=tuple(_shown(rows, codes)),
        is_completed=rows[0]["completed"] == "1",
        is_valid=rows[0]["valid"] == "1",
        considered=tuple(rows[0]["considered"].splitlines()),
        taken=rows[0]["taken"],
        place=int(rows[0]["place"] or 0),
        place_unnamed=int(rows[0]["place_unnamed"] or 0),
    )


def _shown(rows: Iterable[Mapping[str, str]], codes: Iterable[str]) -> Iterator[Shown]:
    for row in rows:
        if row["item"] not in codes:
            raise ValueError(f"item {row['item']} is not in the bank")
        if row["replaced"] == "1":
            continue
        choice, seconds = row["choice"], row["seconds"]
        yield Shown(
            sys.intern(row["item"]),
            int(choice) if choice else None,
            float(seconds) if seconds else None,
            sys.intern(row["language"]),
        )
