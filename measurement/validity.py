"""Find signs of careless answers.

Flags never change scores: they lower the confidence in a result and exclude the attempt from norms
and calibration.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace
from itertools import groupby
from operator import mul
from statistics import fmean, median

from measurement.bank import Bank
from measurement.scales import are_flat, rounded, scale_scores

FAST_APTITUDE = "fast_aptitude"
INCONSISTENT = "inconsistent"
STRAIGHT_LINE = "straight_line"
INSTRUCTED_MISSED = "instructed_missed"
FAST_INTERESTS = "fast_interests"
HURRIED_SECTION = "hurried_section"
# Statements with the same answers; a row of equal ones may go on from stage 1 to stage 2.
STATEMENTS = (("interests", "fields"), ("preferences",))
RUSHED_SHARE = 0.2
LONGEST_RUSH = 10.0  # seconds
# A smaller variance is that of statements that all go together alike.
NEGLIGIBLE = 1e-9


@dataclass(frozen=True, slots=True)
class Given:
    """An answered item: its code, the stored choice, and the seconds spent on it.

    The time of a page is divided equally among its statements.
    """

    code: str
    choice: int
    seconds: float


@dataclass(frozen=True, slots=True)
class Validity:
    """Signs of careless answers; a figure that cannot be computed is None.

    The functions `effort` and `consistency` compute the figures of these names.
    `longest_run` is the longest row of equal or repeating answers, `instructed_missed` the number
    of failed attention checks, `interest_seconds` the median time of an interest statement.
    `hurried_sections` has the codes of sections done much faster than expected, `flags` has the
    codes above, in that order.
    """

    effort: float | None = None
    consistency: float | None = None
    longest_run: int = 0
    instructed_missed: int = 0
    interest_seconds: float | None = None
    hurried_sections: list[str] = field(default_factory=list)
    flags: list[str] = field(default_factory=list)


# Of a made-up student whose answers show no carelessness.
CAREFUL = Validity()


def check(bank: Bank, given: Sequence[Given]) -> Validity:
    """Look for signs of carelessness in an attempt's answers, given in their order.

    Low consistency alone is not a sign: the answers of a careful student with a flat profile agree
    only by chance. Raises KeyError for an item that is not in the bank.
    """
    sections: dict[str, list[Given]] = {}
    for each in given:
        sections.setdefault(bank.sections[each.code], []).append(each)
    rows = [[each for name in names for each in sections.get(name, [])] for names in STATEMENTS]
    seconds = [each.seconds for each in rows[0]]
    limits = bank.careless
    found = Validity(
        effort=_rounded(effort(bank, given)),
        consistency=_rounded(consistency(bank, given)),
        longest_run=max(longest_run(bank, row) for row in rows),
        instructed_missed=sum(
            bank.instructed.get(each.code, each.choice) != each.choice for each in given
        ),
        interest_seconds=_rounded(median(seconds) if seconds else None),
        hurried_sections=[
            section
            for section, answers in sections.items()
            if math.fsum(each.seconds for each in answers)
            < limits.hurried_share * bank.section_seconds.get(section, 0)
        ],
    )
    signs = {
        FAST_APTITUDE: _is_below(found.effort, limits.least_effort),
        INCONSISTENT: _is_below(found.consistency, limits.least_consistency)
        and not _is_flat(bank, given),
        STRAIGHT_LINE: found.longest_run >= limits.straight_run,
        INSTRUCTED_MISSED: found.instructed_missed > 0,
        FAST_INTERESTS: _is_below(found.interest_seconds, limits.fastest_statement),
        HURRIED_SECTION: bool(found.hurried_sections),
    }
    return replace(found, flags=[flag for flag, is_set in signs.items() if is_set])


def _is_below(figure: float | None, limit: float) -> bool:
    return figure is not None and figure < limit


def _is_flat(bank: Bank, given: Iterable[Given]) -> bool:
    """Return whether the Holland types are too similar, or not all known, to show a direction."""
    answers = {each.code: each.choice for each in given}
    try:
        return are_flat(scale_scores(bank.interests.values(), answers, bank.norms))
    except ValueError:
        return True


def effort(bank: Bank, given: Iterable[Given]) -> float | None:
    """Return the share (0-1) of aptitude items that were not answered in a rush.

    A rush takes less than a fifth of the expected time, and less than ten seconds. Items without an
    expected time are left out; returns None if no others are left.
    Sources: response-time effort, Wise, S. L. & Kong, X. (2005), Applied Measurement in Education
    18, 163-183; the threshold, Wise, S. L. & Ma, L. (2012), NCME, there 10 % and ten seconds.
    """
    rushed = [
        each.seconds < min(RUSHED_SHARE * bank.seconds[each.code], LONGEST_RUSH)
        for each in given
        if each.code in bank.aptitude and each.code in bank.seconds
    ]
    return 1 - sum(rushed) / len(rushed) if rushed else None


def consistency(bank: Bank, given: Iterable[Given]) -> float | None:
    """Return how far answers agree where statements speak of the same, in SDs of chance.

    It is Moran's I over all pairs of interest statements: the products of the deviations of two
    answers from the person's mean, weighted by the covariance of what the statements speak of. Its
    mean and SD over answers without any liking are 0 and 1, whatever the person's level and spread.
    Returns None if the answers do not allow it, for example if all are equal.
    Sources: Moran, P. A. P. (1950), Biometrika 37, 17-23; mean and SD, under normality: Cliff,
    A. D. & Ord, J. K. (1973), Spatial Autocorrelation, chapter 1.
    """
    answers = {each.code: each.choice for each in given}
    codes = [code for code in bank.statements if code in answers]
    count = len(codes)
    weights = [
        [bank.statement_covariances[one][other] if one != other else 0.0 for other in codes]
        for one in codes
    ]
    rows = [math.fsum(row) for row in weights]
    total = math.fsum(rows)
    centre = fmean(answers[code] for code in codes) if codes else 0.0
    apart = [answers[code] - centre for code in codes]
    if not total or not any(apart):
        return None
    products = math.fsum(
        each * math.fsum(map(mul, row, apart)) for row, each in zip(weights, apart, strict=True)
    )
    found = count / total * products / math.fsum(each**2 for each in apart)
    expected = -1 / (count - 1)
    twice = 2 * math.fsum(weight**2 for row in weights for weight in row)
    margins = 4 * math.fsum(row**2 for row in rows)
    square = (count**2 * twice - count * margins) / total**2 + 3
    variance = square / (count**2 - 1) - expected**2
    return (found - expected) / math.sqrt(variance) if variance > NEGLIGIBLE else None


def longest_run(bank: Bank, given: Iterable[Given]) -> int:
    """Return the length of the longest row of equal answers to consecutive statements.

    A row that repeats a pattern of up to `longest_pattern` answers counts as well, as 2, 4, 2, 4.
    Attention checks are ignored, because passing one does not break a straight line.
    Source: Johnson, J. A. (2005), as above.
    """
    choices = [each.choice for each in given if each.code not in bank.instructed]
    equal = max((len(list(row)) for _, row in groupby(choices)), default=0)
    patterns = range(2, bank.careless.longest_pattern + 1)
    return max([equal, *(_longest_repetition(choices, length) for length in patterns)])


def _longest_repetition(choices: Sequence[int], length: int) -> int:
    """Return the length of the longest row that consists of a pattern, at least twice."""
    repeats = [one == other for one, other in zip(choices, choices[length:], strict=False)]
    longest = max((len(list(row)) for same, row in groupby(repeats) if same), default=0)
    return length + longest if longest >= length else 0


def _rounded(figure: float | None) -> float | None:
    return None if figure is None else rounded(figure)
