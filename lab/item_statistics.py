"""Figures of each item in use: shown, answered, correct, time and discrimination.

Counting takes a few bytes of memory per answer.
"""

from __future__ import annotations

import math
from array import array
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from operator import mul
from statistics import median

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


@dataclass(frozen=True, slots=True)
class ItemFigures:
    """Figures of an item in all languages together, and in each."""

    together: Figures
    by_language: Mapping[str, Figures]


@dataclass(slots=True)
class Moments:
    """Sums over pairs of numbers, for correlation and regression."""

    n: int = 0
    x: float = 0.0
    y: float = 0.0
    xx: float = 0.0
    yy: float = 0.0
    xy: float = 0.0

    def add(self, x: float, y: float) -> None:
        self.n += 1
        self.x += x
        self.y += y
        self.xx += x * x
        self.yy += y * y
        self.xy += x * y

    def within(self) -> tuple[float, float, float]:
        """Return the sums of squares of x and y, and of their products, about the means."""
        if not self.n:
            return 0.0, 0.0, 0.0
        return (
            self.xx - self.x * self.x / self.n,
            self.yy - self.y * self.y / self.n,
            self.xy - self.x * self.y / self.n,
        )

    def correlation(self) -> float | None:
        """Return the correlation; None with fewer than ENOUGH pairs, or if x or y is constant."""
        xx, yy, xy = self.within()
        if self.n < ENOUGH or min(xx, yy) < 1e-9:
            return None
        return max(-1.0, min(1.0, xy / math.sqrt(xx * yy)))


def pooled(parts: Iterable[Moments]) -> Moments:
    """Return the sums of several groups together."""
    total = Moments()
    for part in parts:
        for name in Moments.__slots__:
            setattr(total, name, getattr(total, name) + getattr(part, name))
    return total


@dataclass(slots=True)
class _Tally:
    """Counts of one item in one language. `with_rest` pairs the rest with the item."""

    shown: int = 0
    answered: int = 0
    correct: int = 0
    stopped: int = 0
    seconds: array[float] = field(default_factory=lambda: array("f"))
    with_rest: Moments = field(default_factory=Moments)
    thetas: array[float] = field(default_factory=lambda: array("f"))
    rights: bytearray = field(default_factory=bytearray)


class ItemCounts:
    """Counts attempts one by one; call `figures` at the end."""

    def __init__(self, bank: Bank) -> None:
        self.bank = bank
        self._scales = tuple(_scales(bank))
        self._tallies: dict[str, dict[str, _Tally]] = {code: {} for code in bank.sections}

    def add(self, attempt: Attempt) -> None:
        """Count an attempt, completed or abandoned. Raises KeyError for an item not in the bank."""
        tallies = {each.code: self._tally(each.code, each.language) for each in attempt.shown}
        answered: dict[str, int] = {}
        for each in attempt.shown:
            tally = tallies[each.code]
            tally.shown += 1
            if each.choice is None:
                continue
            answered[each.code] = each.choice
            tally.answered += 1
            tally.correct += each.choice == self.bank.keys.get(each.code)
            if each.seconds is not None:
                tally.seconds.append(each.seconds)
        if not attempt.is_completed:
            waiting = (each.code for each in attempt.shown if each.choice is None)
            if first := next(waiting, None):
                tallies[first].stopped += 1
        self._add_statements(answered, tallies)
        self._add_puzzles(self.bank.responses(answered), tallies)

    def figures(self) -> dict[str, ItemFigures]:
        """Return the figures of every item of the bank, including those never shown."""
        return {code: self._figures(code, tallies) for code, tallies in self._tallies.items()}

    def _tally(self, code: str, language: str) -> _Tally:
        return self._tallies[code].setdefault(language, _Tally())

    def _add_statements(self, answered: Mapping[str, int], tallies: Mapping[str, _Tally]) -> None:
        for statements, compared in self._scales:
            scores = {
                each.code: choice if each.keyed > 0 else LOWEST + HIGHEST - choice
                for each in statements
                if (choice := answered.get(each.code)) is not None
            }
            others = len(scores) - 1
            if others < max(1, min(FEWEST_OF_SCALE, len(statements) - 1)):
                continue
            total = sum(scores.values())
            for code in scores.keys() & compared:
                tallies[code].with_rest.add((total - scores[code]) / others, scores[code])

    def _add_puzzles(self, responses: Sequence[Response], tallies: Mapping[str, _Tally]) -> None:
        """Pair each puzzle with the ability estimated from the other puzzles.

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
            tally = tallies[response.item.code]
            tally.with_rest.add(_mean(others), float(response.correct))
            tally.thetas.append(theta)
            tally.rights.append(response.correct)

    def _figures(self, code: str, tallies: Mapping[str, _Tally]) -> ItemFigures:
        is_puzzle = code in self.bank.keys
        languages = sorted(tallies)
        return ItemFigures(
            _summed(list(tallies.values()), is_puzzle, None),
            {
                language: _summed(
                    [tallies[language]], is_puzzle, self._difference(tallies, language, is_puzzle)
                )
                for language in languages
            },
        )

    def _difference(
        self, tallies: Mapping[str, _Tally], language: str, is_puzzle: bool
    ) -> Dif | None:
        """Compare a language with the others; of two, compare only the one with fewer answers."""
        ones = tallies[language]
        rest = [tally for name, tally in tallies.items() if name != language]
        if len(rest) == 1 and (ones.answered, language) > (
            rest[0].answered,
            next(name for name in tallies if name != language),
        ):
            return None
        if min(ones.with_rest.n, sum(tally.with_rest.n for tally in rest)) < ENOUGH:
            return None
        if not is_puzzle:
            return adjusted_difference(ones.with_rest, pooled(tally.with_rest for tally in rest))
        return differential(
            Compared(theta, bool(right), tally is ones)
            for tally in (ones, *rest)
            for theta, right in zip(tally.thetas, tally.rights, strict=True)
        )


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


PRIOR: tuple[float, ...] = tuple(math.exp(-0.5 * point * point) for point in GRID)


def _mean(weights: Sequence[float]) -> float:
    total: float = sum(map(mul, weights, GRID))
    return total / sum(weights)


def _summed(tallies: Sequence[_Tally], is_puzzle: bool, difference: Dif | None) -> Figures:
    seconds = [each for tally in tallies for each in tally.seconds]
    discrimination = pooled(tally.with_rest for tally in tallies).correlation()
    return Figures(
        shown=sum(tally.shown for tally in tallies),
        answered=sum(tally.answered for tally in tallies),
        correct=sum(tally.correct for tally in tallies) if is_puzzle else None,
        stopped_here=sum(tally.stopped for tally in tallies),
        median_seconds=round(median(seconds), 1) if seconds else None,
        discrimination=None if discrimination is None else round(discrimination, 3) + 0.0,
        difference=difference,
    )


def adjusted_difference(group: Moments, others: Moments) -> Dif | None:
    """Compare a statement between two groups, adjusted for the rest of its scale.

    It is the difference of the means, minus the difference predicted from the rest of the scale by
    the slope within groups, in SDs within groups. It is converted to the delta scale, so that
    puzzles and statements are graded alike. Returns None if there is no spread.
    """
    (xx, yy, xy), (oxx, oyy, oxy) = group.within(), others.within()
    freedom = group.n + others.n - 3
    if freedom < 1 or min(xx + oxx, yy + oyy) < 1e-9:
        return None
    slope = (xy + oxy) / (xx + oxx)
    apart = group.x / group.n - others.x / others.n
    difference = group.y / group.n - others.y / others.n - slope * apart
    unexplained = max(0.0, (yy + oyy) - slope * (xy + oxy)) / freedom
    variance = unexplained * (1 / group.n + 1 / others.n + apart * apart / (xx + oxx))
    sd = math.sqrt((yy + oyy) / (freedom + 1))
    per_sd = abs(DELTA_PER_LOG_ODDS) * LOG_ODDS_PER_SD / sd
    delta, se = difference * per_sd, math.sqrt(variance) * per_sd
    return Dif(delta, se, grade(delta, se))
