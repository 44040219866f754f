"""Report on the aptitude items of a bank: new estimates, fit, differences between groups."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from assessments.measurement.bank import Bank
from assessments.measurement.calibration import (
    Calibration,
    ItemEstimate,
    Prior,
    calibrate,
    marks_of,
)
from assessments.measurement.completed_attempt import CompletedAttempt
from assessments.measurement.dif import FEWEST_ANSWERS, Compared, Dif, differential
from assessments.measurement.item_fit import ItemFit, item_fit, review


@dataclass(frozen=True, slots=True)
class ItemRow:
    """An item: its parameters in the bank, the new ones, and reasons to review it."""

    code: str
    old_a: float
    old_b: float
    new: ItemEstimate
    fit: ItemFit
    review: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Comparison:
    """A group of students compared with all others; `by` names the attribute."""

    by: str
    group: str


@dataclass(frozen=True, slots=True)
class DifRow:
    """The comparison of an item between two groups."""

    comparison: Comparison
    code: str
    dif: Dif


@dataclass(frozen=True)
class ItemReport:
    """All items in the order of the bank, the groups that are large enough, the calibration."""

    items: tuple[ItemRow, ...]
    comparisons: tuple[Comparison, ...]
    dif: tuple[DifRow, ...]
    calibration: Calibration


def report(
    bank: Bank,
    rules: Mapping[str, float],
    attempts: Sequence[CompletedAttempt],
    progress: Callable[[int, float], None] | None = None,
) -> ItemReport:
    """Calibrate the aptitude items of a bank on attempts.

    `rules` maps the code of an item to the difficulty of its rule; `progress` as in `calibrate`.
    """
    items = list(bank.aptitude.values())
    guessing = [item.c for item in items]
    right = [attempt.marks(bank) for attempt in attempts]
    marks = marks_of(right, [item.code for item in items])
    priors = [Prior.of_rule(rules[item.code]) for item in items]
    calibration = calibrate(marks, guessing, priors, progress=progress)
    fits = item_fit(marks, guessing, calibration)
    comparisons = tuple(_comparisons(attempts))
    answers: dict[str, list[tuple[int, float, bool]]] = {item.code: [] for item in items}
    for student, (theta, marked) in enumerate(zip(calibration.abilities, right, strict=True)):
        for code, correct in marked.items():
            answers[code].append((student, theta, correct))
    return ItemReport(
        items=tuple(
            ItemRow(item.code, item.a, item.b, new, fit, review(new, item.c, fit))
            for item, new, fit in zip(items, calibration.items, fits, strict=True)
        ),
        comparisons=comparisons,
        dif=tuple(row for each in comparisons for row in _compare(each, attempts, answers)),
        calibration=calibration,
    )


def _comparisons(attempts: Sequence[CompletedAttempt]) -> Iterator[Comparison]:
    """Yield the groups with enough attempts both in the group and outside it.

    If there are only two groups, yield the smaller one.
    """
    for by in dict.fromkeys(name for attempt in attempts for name in attempt.groups):
        sizes = Counter(attempt.groups[by] for attempt in attempts if by in attempt.groups)
        smallest_first = sorted(sizes, key=lambda group: (sizes[group], group))
        for group in smallest_first[: 1 if len(sizes) == 2 else None]:
            if min(sizes[group], sizes.total() - sizes[group]) >= FEWEST_ANSWERS:
                yield Comparison(by, group)


def _compare(
    comparison: Comparison,
    attempts: Sequence[CompletedAttempt],
    answers: Mapping[str, Sequence[tuple[int, float, bool]]],
) -> Iterator[DifRow]:
    groups = [attempt.groups.get(comparison.by) for attempt in attempts]
    for code, given in answers.items():
        dif = differential(
            Compared(theta, correct, groups[student] == comparison.group)
            for student, theta, correct in given
            if groups[student] is not None
        )
        if dif is not None:
            yield DifRow(comparison, code, dif)
