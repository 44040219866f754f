"""Norms of the scales and usual times, from completed attempts."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from statistics import fmean, median, stdev

from assessments.measurement.scales import DECIMALS, Norm

# With fewer attempts the standard error of a mean exceeds a tenth of an SD.
FEWEST_ATTEMPTS = 100
FEWEST_TIMES = 30
# A smaller SD would turn tiny differences into large scores.
SMALLEST_SD = 0.1


def scale_norms(means: Sequence[Mapping[str, float]]) -> dict[str, Norm]:
    """Return mean and SD (divisor n - 1) of every scale, by name.

    `means` has the mean answers (1 to 5) of each attempt by scale; all have the same scales.
    Raises ValueError with fewer than FEWEST_ATTEMPTS attempts.
    """
    if len(means) < FEWEST_ATTEMPTS:
        raise ValueError(f"Norms need {FEWEST_ATTEMPTS} attempts, and there are {len(means)}.")
    norms = {}
    for scale in means[0]:
        values = [each[scale] for each in means]
        sd = max(SMALLEST_SD, stdev(values))
        norms[scale] = Norm(round(fmean(values), DECIMALS), round(sd, DECIMALS))
    return norms


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
