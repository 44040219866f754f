"""Tables of the items of a bank: their statistics with findings, and differences of languages."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from lab.answers import Attempt
from lab.item_statistics import ALL, ENOUGH, Figures, is_below_chance, item_figures
from measurement.bank import Bank

STATISTICS = (
    *("item", "section", "language", "shown", "answered", "correct", "stopped_here"),
    *("median_seconds", "discrimination", "findings"),
)
DIFFERENCES = ("item", "section", "language", "answered", "delta", "se", "grade")
# A good statement correlates .3 to .5 with its scale. A good puzzle correlates only about .3 with
# ability, because adaptive selection gives it to students of similar ability.
WEAK_PUZZLE, WEAK_STATEMENT = 0.10, 0.20
MANY = 0.10

Row = list[Any]


def statistics_rows(bank: Bank, attempts: Iterable[Attempt]) -> Iterator[Row]:
    """Yield the statistics of each item in all languages, with its findings, and in each.

    Every attempt counts, also a careless or an abandoned one.
    """
    for code, figures in item_figures(bank, attempts).items():
        guessing = bank.aptitude[code].c if code in bank.aptitude else None
        for language, each in figures.items():
            found = findings(figures, guessing) if language == ALL else []
            yield [
                *(code, bank.sections[code], language, each.shown, each.answered, each.correct),
                *(each.stopped_here, each.median_seconds, each.discrimination, " ".join(found)),
            ]


def compare_languages(bank: Bank, attempts: Iterable[Attempt]) -> tuple[list[Row], str]:
    """Return the rows of `difference_rows`, and how many items have too few answers for one.

    Only valid attempts count.
    """
    valid = (attempt for attempt in attempts if attempt.is_valid)
    found = item_figures(bank, valid)
    rows = list(difference_rows(bank, found))
    compared = len({code for code, *_ in rows})
    unanswered = sum(not figures[ALL].answered for figures in found.values())
    few = (
        f" {len(found) - compared} have fewer than {ENOUGH} answers in one language or in the "
        f"others, {unanswered} of them none. Wait for more."
    )
    return rows, f"{compared} of {len(found)} items compared.{few if compared < len(found) else ''}"


def difference_rows(bank: Bank, found: Mapping[str, Mapping[str, Figures]]) -> Iterator[Row]:
    """Yield each item that was compared between a language and the others.

    A delta below 0 means that the item is harder in this language, or has less agreement, for
    students who are otherwise alike; grade C is a large difference.
    """
    for code, figures in found.items():
        for language, each in figures.items():
            if dif := each.difference:
                delta, se = round(dif.delta, 2), round(dif.se, 2)
                section = bank.sections[code]
                yield [code, section, language, each.answered, delta, se, dif.grade]


def findings(figures: Mapping[str, Figures], guessing: float | None = None) -> list[str]:
    """Return what to look at an item for; lab/README.md explains the codes.

    `guessing` is the chance of guessing the answer to a puzzle, None for a statement. Items with
    fewer than ENOUGH answers, or attempts, have no findings.
    """
    together = figures[ALL]
    r, answered, correct = together.discrimination, together.answered, together.correct
    # One good item in forty exceeds two standard errors by chance.
    is_reversed = r is not None and answered > 0 and r < -2 / math.sqrt(answered)
    found = {
        "below_chance": guessing is not None
        and correct is not None
        and answered >= ENOUGH
        and is_below_chance(correct / answered, guessing, answered),
        "turned_round": is_reversed,
        # A reversed item is also weak, but one finding is enough.
        "weak": r is not None
        and not is_reversed
        and r < (WEAK_STATEMENT if guessing is None else WEAK_PUZZLE),
        "many_stop": together.shown >= ENOUGH and together.stopped_here > MANY * together.shown,
        "languages_differ": any(
            each.difference is not None and each.difference.grade == "C"
            for each in figures.values()
        ),
    }
    return [code for code, holds in found.items() if holds]
