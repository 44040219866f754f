"""4. Careless answers are flagged, careful ones are not; the order of rows changes nothing.

Told are those whose result says that it is unsure: flagged ones and flat profiles.

The limits in the bank were chosen on the seed CHOSEN_ON. CONFIRMED_ON is another.
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import replace

from bench.measurement.claims.people import (
    MANNERS,
    attentive,
    broken_liner,
    careful,
    gives_up,
    narrow_clicker,
    pattern_clicker,
    random_clicker,
    straight_liner,
    without_liking,
)
from lab.figures import Figure, at_least, at_most, exactly, reported
from lab.truths import catalogue
from measurement.bank import Bank
from measurement.profile import score
from measurement.recommendation import COUNT, suggest
from measurement.validity import CAREFUL, Given, check

STUDENTS, REORDERED = 1000, 100
CHOSEN_ON, CONFIRMED_ON = "choose", "confirm"
LEAST_CAUGHT, LEAST_TOLD, MOST_ACCUSED = 0.95, 0.80, 0.10
CARELESS: dict[str, Callable[[Bank, str], list[Given]]] = {
    "straight-liners": straight_liner,
    "who clicks two to five answers over and over": pattern_clicker,
    "straight-liners from the 17th statement on": gives_up,
    "random clickers, at the usual pace": random_clicker,
}
# These pass both attention checks, so that only their other answers can tell.
LUCKY: dict[str, Callable[[Bank, str], list[Given]]] = {
    "random clickers": random_clicker,
    "random clickers from 2 to 4": narrow_clicker,
    "answers without any liking": without_liking,
    "broken straight lines": broken_liner,
}


def figures(bank: Bank, full: bool) -> Iterator[Figure]:
    yield from _reordered(bank)
    for seed in (CHOSEN_ON, CONFIRMED_ON):
        yield from _flagged(bank, seed, STUDENTS * (3 if full else 1))


def _reordered(bank: Bank) -> Iterator[Figure]:
    """Count lists that differ if answers and courses are read in another order."""
    draw, courses, different = random.Random("order of rows"), catalogue(), 0
    for number in range(REORDERED):
        given = careful(bank, f"order {number}", MANNERS["as most do"])
        choices = {each.code: each.choice for each in given}
        lists = [
            suggest(bank, replace(score(bank, rows), validity=CAREFUL), choices, these, COUNT)
            for rows, these in (
                (given, courses),
                (draw.sample(given, len(given)), draw.sample(courses, len(courses))),
            )
        ]
        different += lists[0] != lists[1]
    yield exactly(f"lists of {REORDERED} that another order of rows changes", different, 0)


def _flagged(bank: Bank, seed: str, count: int) -> Iterator[Figure]:
    for name, kind in CARELESS.items():
        rows = [kind(bank, f"{seed} {name} {number}") for number in range(count)]
        yield at_least(f"{seed}: {name}", _share(bank, rows), LEAST_CAUGHT)
    for name, kind in LUCKY.items():
        rows = [attentive(bank, kind(bank, f"{seed} {name} {number}")) for number in range(count)]
        told = sum(score(bank, each).confidence == "low" for each in rows) / count
        yield at_least(f"{seed}: told, checks passed: {name}", told, LEAST_TOLD)
        yield reported(f"{seed}: of these, flagged", _share(bank, rows))
    flags: Counter[str] = Counter()
    accused = 0
    for name, manner in MANNERS.items():
        people = [
            careful(bank, f"{seed} {name} {number}", manner)
            for number in range(round(manner.share * count))
        ]
        found = [check(bank, each).flags for each in people]
        accused += sum(map(bool, found))
        flags.update(flag for each in found for flag in each)
        yield reported(f"{seed}: careful, {name}", sum(map(bool, found)) / len(found))
        flat = sum(score(bank, each).is_flat for each in people)
        yield reported(f"{seed}: of these, with a flat profile", flat / len(people))
    yield at_most(f"{seed}: all careful students", accused / count, MOST_ACCUSED)
    for flag, times in sorted(flags.items()):
        yield reported(f"{seed}: all careful, {flag}", times / count)


def _share(bank: Bank, rows: list[list[Given]]) -> float:
    return sum(bool(check(bank, each).flags) for each in rows) / len(rows)
