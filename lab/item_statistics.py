"""Figures of each item in use: shown, answered, correct, time and discrimination."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import chain
from operator import mul
from statistics import fmean, median
from typing import NamedTuple

from lab.answers import Attempt
from lab.dif import DELTA_PER_LOG_ODDS, Compared, Dif, differential, grade
from measurement.ability import GRID, Response, likelihood
from measurement.bank import Bank
from measurement.scales import HIGHEST, LOWEST, Statement

# Answers to an item (in each language) needed for a correlation or a difference. The standard error
# is then at most .035 for a share, .07 for a correlation, and about half a point of delta for a
# difference between two languages (.75 if nearly all are right). A large difference (1.5) is two or
# three standard errors; chance makes fewer than one of 360 items look that different.
ENOUGH = 200
# The other answers of a person that are needed to compare an item with them; all of a scale that
# has fewer.
FEWEST_OF_SCALE, FEWEST_PUZZLES = 3, 7
# A standardised difference of means, as the logarithm of odds. Source: Chinn, S. (2000), Statistics
# in Medicine 19, 3127-3131.
LOG_ODDS_PER_SD = math.pi / math.sqrt(3)
PRIOR: tuple[float, ...] = tuple(math.exp(-0.5 * point * point) for point in GRID)
ALL = "all"  # languages


@dataclass(frozen=True, slots=True)
class Figures:
    """Figures of an item in one language or in all. `correct` is None for statements.

    `discrimination` is the correlation of the item with the rest: of a statement with the mean of
    the other statements on its scale, in stage 2 with those about its field in both stages; of a
    puzzle (1 right, 0 wrong) with the ability estimated from the other puzzles of the attempt. It
    is None with fewer than ENOUGH answers. `difference` compares with the other languages on the
    delta scale: below 0 it is harder, or has less agreement, for otherwise similar students.
    """

    shown: int
    answered: int
    correct: int | None
    stopped_here: int
    median_seconds: float | None
    discrimination: float | None
    difference: Dif | None = None


class Mark(NamedTuple):
    """What a student's other answers say, the answer to the item, and the ability by all puzzles.

    The answer to a puzzle is 1 or 0; statements have no ability.
    """

    rest: float
    own: float
    theta: float = 0.0


@dataclass(slots=True)
class Counts:
    """What happened to an item in one language."""

    shown: int = 0
    answered: int = 0
    correct: int = 0
    stopped: int = 0
    seconds: list[float] = field(default_factory=list)
    marks: list[Mark] = field(default_factory=list)


def item_figures(bank: Bank, attempts: Iterable[Attempt]) -> dict[str, dict[str, Figures]]:
    """Return the figures of every item of the bank: in ALL languages together, and in each.

    Raises KeyError for an item not in the bank.
    """
    scales = tuple(_scales(bank))
    counts: dict[str, dict[str, Counts]] = {code: {} for code in bank.sections}
    for attempt in attempts:
        _count(attempt, bank, scales, counts)
    return {code: _figures(by_language, code in bank.keys) for code, by_language in counts.items()}


def is_below_chance(share: float, guessing: float, answers: int) -> bool:
    """Tell whether the share of right answers is two standard errors below guessing."""
    return share < guessing - 2 * math.sqrt(guessing * (1 - guessing) / answers)


Scales = Sequence[tuple[tuple[Statement, ...], frozenset[str]]]


def _scales(bank: Bank) -> Iterator[tuple[tuple[Statement, ...], frozenset[str]]]:
    """Yield the statements of each scale, with the codes of those to compare with the others.

    Statements of stage 2 are compared with all about their field, those of stage 1 by type alone.
    """
    scored = [*bank.interests.values(), *bank.preferences.values()]
    for scale in dict.fromkeys(each.scale for each in scored):
        own = tuple(each for each in scored if each.scale == scale)
        yield own, frozenset(each.code for each in own)
    for field_ in bank.fields:
        own = tuple(each for each in bank.statements.values() if field_ in each.fields)
        yield own, frozenset(each.code for each in own) & bank.follow_ups.keys()


def _count(
    attempt: Attempt, bank: Bank, scales: Scales, counts: Mapping[str, dict[str, Counts]]
) -> None:
    of_items = {
        each.code: counts[each.code].setdefault(each.language, Counts()) for each in attempt.shown
    }
    answered: dict[str, int] = {}
    for each in attempt.shown:
        item = of_items[each.code]
        item.shown += 1
        if each.choice is None:
            continue
        answered[each.code] = each.choice
        item.answered += 1
        item.correct += each.choice == bank.keys.get(each.code)
        if each.seconds is not None:
            item.seconds.append(each.seconds)
    if not attempt.is_completed:
        waiting = (each.code for each in attempt.shown if each.choice is None)
        if first := next(waiting, None):
            of_items[first].stopped += 1
    for code, mark in (
        *_of_statements(scales, answered),
        *_of_puzzles(bank.mark_puzzles(answered)),
    ):
        of_items[code].marks.append(mark)


def _of_statements(scales: Scales, answered: Mapping[str, int]) -> Iterator[tuple[str, Mark]]:
    for statements, compared in scales:
        scores = {
            each.code: choice if each.keyed > 0 else LOWEST + HIGHEST - choice
            for each in statements
            if (choice := answered.get(each.code)) is not None
        }
        others = len(scores) - 1
        if others >= max(1, min(FEWEST_OF_SCALE, len(statements) - 1)):
            total = sum(scores.values())
            for code in scores.keys() & compared:
                yield code, Mark((total - scores[code]) / others, scores[code])


def _of_puzzles(responses: Sequence[Response]) -> Iterator[tuple[str, Mark]]:
    """Yield the mark of each puzzle, with the ability estimated from the other puzzles.

    Including the item itself would make every item look good. Languages are compared among
    students whose answers as a whole show equal ability.
    """
    if len(responses) <= FEWEST_PUZZLES:
        return
    chances = [likelihood(r.item.a, r.item.b, r.item.c, r.correct) for r in responses]
    posterior: Sequence[float] = PRIOR
    for chance in chances:
        posterior = list(map(mul, posterior, chance))
    theta = _mean(posterior)
    for response, chance in zip(responses, chances, strict=True):
        others = [weight / likely for weight, likely in zip(posterior, chance, strict=True)]
        yield response.item.code, Mark(_mean(others), float(response.correct), theta)


def _mean(weights: Sequence[float]) -> float:
    total: float = sum(map(mul, weights, GRID))
    return total / sum(weights)


def _figures(by_language: Mapping[str, Counts], is_puzzle: bool) -> dict[str, Figures]:
    found = {ALL: _summed(list(by_language.values()), is_puzzle, None)}
    ascending = sorted(by_language, key=lambda name: (by_language[name].answered, name))
    for language, own in sorted(by_language.items()):
        difference = None
        # Of two languages, one comparison says it all.
        if len(by_language) != 2 or language == ascending[0]:
            others = [each.marks for name, each in by_language.items() if name != language]
            difference = _difference(own.marks, list(chain.from_iterable(others)), is_puzzle)
        found[language] = _summed([own], is_puzzle, difference)
    return found


def _summed(counts: Sequence[Counts], is_puzzle: bool, difference: Dif | None) -> Figures:
    seconds = list(chain.from_iterable(each.seconds for each in counts))
    found = correlation(list(chain.from_iterable(each.marks for each in counts)))
    return Figures(
        shown=sum(each.shown for each in counts),
        answered=sum(each.answered for each in counts),
        correct=sum(each.correct for each in counts) if is_puzzle else None,
        stopped_here=sum(each.stopped for each in counts),
        median_seconds=round(median(seconds), 1) if seconds else None,
        discrimination=None if found is None else round(found, 3) + 0.0,
        difference=difference,
    )


def _difference(own: Sequence[Mark], others: Sequence[Mark], is_puzzle: bool) -> Dif | None:
    if min(len(own), len(others)) < ENOUGH:
        return None
    if not is_puzzle:
        return adjusted_difference(own, others)
    return differential(
        Compared(mark.theta, mark.own == 1, is_own)
        for marks, is_own in ((own, True), (others, False))
        for mark in marks
    )


class Moments(NamedTuple):
    """Means of the rest (x) and of the answers (y), and sums of squares and products about them."""

    x: float
    y: float
    xx: float
    yy: float
    xy: float


def _moments(marks: Sequence[Mark]) -> Moments:
    x, y = fmean(mark.rest for mark in marks), fmean(mark.own for mark in marks)
    xs, ys = [mark.rest - x for mark in marks], [mark.own - y for mark in marks]
    return Moments(x, y, sum(map(mul, xs, xs)), sum(map(mul, ys, ys)), sum(map(mul, xs, ys)))


def correlation(marks: Sequence[Mark]) -> float | None:
    """Return the correlation with the rest; None with fewer than ENOUGH, or if one is constant."""
    if len(marks) < ENOUGH:
        return None
    _, _, xx, yy, xy = _moments(marks)
    return None if min(xx, yy) < 1e-9 else max(-1.0, min(1.0, xy / math.sqrt(xx * yy)))


def adjusted_difference(group: Sequence[Mark], others: Sequence[Mark]) -> Dif | None:
    """Compare a statement between two groups, adjusted for the rest of its scale.

    It is the difference of the means, minus the difference predicted from the rest of the scale by
    the slope within groups, in SDs within groups. It is converted to the delta scale, so that
    puzzles and statements are graded alike. Returns None if there is no spread.
    """
    one, other = _moments(group), _moments(others)
    freedom = len(group) + len(others) - 3
    xx, yy, xy = one.xx + other.xx, one.yy + other.yy, one.xy + other.xy
    if min(xx, yy) < 1e-9:
        return None
    slope, apart = xy / xx, one.x - other.x
    unexplained = max(0.0, yy - slope * xy) / freedom
    variance = unexplained * (1 / len(group) + 1 / len(others) + apart * apart / xx)
    sd = math.sqrt(yy / (freedom + 1))
    per_sd = abs(DELTA_PER_LOG_ODDS) * LOG_ODDS_PER_SD / sd
    delta, se = (one.y - other.y - slope * apart) * per_sd, math.sqrt(variance) * per_sd
    return Dif(delta, se, grade(delta, se))
