"""Norms of the scales and statements, and usual times, from completed attempts."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from math import hypot
from statistics import StatisticsError, fmean, linear_regression, median, stdev

from measurement.bank import Bank
from measurement.scales import DECIMALS, HIGHEST, LOWEST, Norm, standard_deviation

# Starting norms are further from the truth than the means of so few answers.
FEWEST_ATTEMPTS = 30
FEWEST_TIMES = 30
# A smaller SD would turn tiny differences into large scores.
SMALLEST_SD = 0.5
# Of answers from 1 to 5; a sample's SD and a predicted one can exceed it.
LARGEST_SD = 2.0


def norm(mean: float, sd: float) -> Norm:
    """Return a rounded norm within the limits of a bank file."""
    return Norm(
        round(min(float(HIGHEST), max(float(LOWEST), mean)), DECIMALS),
        round(min(LARGEST_SD, max(SMALLEST_SD, sd)), DECIMALS),
    )


def scale_norms(bank: Bank, means: Sequence[Mapping[str, float]]) -> dict[str, Norm]:
    """Return mean and SD (divisor n - 1) of the scales with enough attempts, by name.

    `means` has the mean answers (1 to 5) of each attempt by scale. Raises ValueError with fewer
    than FEWEST_ATTEMPTS.
    """
    if len(means) < FEWEST_ATTEMPTS:
        raise ValueError(f"Norms need {FEWEST_ATTEMPTS} attempts, and there are {len(means)}.")
    values = {scale: [each[scale] for each in means if scale in each] for scale in bank.norms}
    return {
        scale: norm(fmean(found), stdev(found))
        for scale, found in values.items()
        if len(found) >= FEWEST_ATTEMPTS
    }


def usual_seconds(times: Iterable[tuple[str, float]]) -> dict[str, int]:
    """Return the median seconds of each name, whole and at least 1.

    `times` are pairs of a name and seconds. Names with fewer than FEWEST_TIMES are left out. A
    median is not distorted by a student who takes a long break.
    """
    spent: dict[str, list[float]] = {}
    for name, seconds in times:
        spent.setdefault(name, []).append(seconds)
    return {
        name: max(1, round(median(values)))
        for name, values in spent.items()
        if len(values) >= FEWEST_TIMES
    }


# A regression needs more than a mean: those who are asked in stage 2 are much alike.
FEWEST_FOLLOW_UPS = 100

Answers = Mapping[str, int]


def statement_norms(bank: Bank, attempts: Sequence[Answers]) -> dict[str, Norm]:
    """Return mean and SD of every interest statement over all students.

    `attempts` have the choices (1 to 5) of valid attempts by item code. Statements of stage 2 are
    answered mostly by students who like their field, so their norm is predicted for all students
    by regression on the mean answer to the field's statements of stage 1, from FEWEST_FOLLOW_UPS
    answers on. Until then it is the mean and SD of these statements. Raises ValueError with fewer
    than FEWEST_ATTEMPTS attempts.
    """
    if len(attempts) < FEWEST_ATTEMPTS:
        raise ValueError(f"Norms need {FEWEST_ATTEMPTS} attempts, and there are {len(attempts)}.")
    return {
        code: _norm_of([code], bank.statement_norms[code], attempts) for code in bank.interests
    } | {
        code: _follow_up(bank, code, statement.scale, attempts)
        for code, statement in bank.follow_ups.items()
    }


def _norm_of(codes: Sequence[str], old: Norm, attempts: Sequence[Answers]) -> Norm:
    """Return the norm of all answers to these statements, the old one if there are too few."""
    values = [answers[code] for answers in attempts for code in codes if code in answers]
    return norm(fmean(values), stdev(values)) if len(values) >= FEWEST_ATTEMPTS else old


def _follow_up(bank: Bank, code: str, field: str, attempts: Sequence[Answers]) -> Norm:
    """Return the norm of a statement of stage 2 as if everybody had answered it."""
    first = [each for each, statement in bank.interests.items() if field in statement.fields]
    liked = [
        (fmean(answers[each] for each in first), answers.get(code))
        for answers in attempts
        if all(each in answers for each in first)
    ]
    likings = [liking for liking, _ in liked]
    pairs = [(liking, answer) for liking, answer in liked if answer is not None]
    if len(pairs) >= FEWEST_FOLLOW_UPS:
        x, y = zip(*pairs, strict=True)
        try:
            slope, intercept = linear_regression(x, y)
        except StatisticsError:  # all answered stage 1 alike
            slope, intercept = 0.0, fmean(y)
        residuals = [answer - intercept - slope * liking for liking, answer in pairs]
        spread = hypot(slope * standard_deviation(likings), standard_deviation(residuals))
        return norm(intercept + slope * fmean(likings), spread)
    return _norm_of(first, bank.statement_norms[code], attempts)
