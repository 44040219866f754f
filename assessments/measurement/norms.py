"""Norms of the scales and usual times, from completed attempts."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from statistics import fmean, median, stdev

from assessments.measurement.bank import Bank
from assessments.measurement.scales import DECIMALS, HIGHEST, LOWEST, Norm

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
