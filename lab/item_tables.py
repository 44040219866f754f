"""Tables of the items of a bank: their statistics, and differences between languages."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

from lab.answers import Attempt
from lab.item_findings import findings
from lab.item_statistics import Figures, ItemCounts, ItemFigures
from measurement.bank import Bank

ALL = "all"
STATISTICS = (
    *("item", "section", "language", "shown", "answered", "correct", "stopped_here"),
    *("median_seconds", "discrimination", "findings"),
)
DIFFERENCES = ("item", "section", "language", "answered", "delta", "se", "grade")

Row = list[Any]


def statistics_rows(bank: Bank, attempts: Iterable[Attempt]) -> Iterator[Row]:
    """Yield the statistics of each item in all languages, with its findings, and in each.

    Every attempt counts, also a careless or an abandoned one.
    """
    for code, figures in _counted(bank, attempts).items():
        guessing = bank.aptitude[code].c if code in bank.aptitude else None
        found = findings(figures.together, figures.by_language.values(), guessing)
        yield [*_statistics(bank, code, ALL, figures.together), " ".join(found)]
        for language, each in figures.by_language.items():
            yield [*_statistics(bank, code, language, each), ""]


def difference_rows(bank: Bank, attempts: Iterable[Attempt]) -> Iterator[Row]:
    """Yield each item that was compared between a language and the others.

    Only valid attempts count. A delta below 0 means that the item is harder in this language, or
    has less agreement, for students who are otherwise alike; grade C is a large difference.
    """
    valid = (attempt for attempt in attempts if attempt.is_valid)
    for code, figures in _counted(bank, valid).items():
        for language, each in figures.by_language.items():
            if each.difference:
                delta, se = round(each.difference.delta, 2), round(each.difference.se, 2)
                section, grade = bank.sections[code], each.difference.grade
                yield [code, section, language, each.answered, delta, se, grade]


def _counted(bank: Bank, attempts: Iterable[Attempt]) -> dict[str, ItemFigures]:
    counts = ItemCounts(bank)
    for attempt in attempts:
        counts.add(attempt)
    return counts.figures()


def _statistics(bank: Bank, code: str, language: str, figures: Figures) -> Row:
    return [
        *(code, bank.sections[code], language, figures.shown, figures.answered, figures.correct),
        *(figures.stopped_here, figures.median_seconds, figures.discrimination),
    ]
