"""What is usual among students: on the scales, and in time."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from statistics import fmean, median, stdev

from assessments.measurement.scales import DECIMALS, Norm

# With fewer attempts a mean is off by more than a tenth of an SD.
FEWEST_ATTEMPTS = 100
FEWEST_TIMES = 30
# Nearly equal answers of all would turn tiny differences into large scores.
SMALLEST_SD = 0.1


def scale_norms(means: Sequence[Mapping[str, float]]) -> dict[str, Norm]:
    """Return mean and SD (divisor n - 1) of every scale over attempts, by the scale's name.

    `means` holds an attempt's mean answers (1 to 5) by scale; all have the same scales. Raise
    ValueError with fewer than FEWEST_ATTEMPTS.
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
    """Return the median of the seconds spent on each thing, whole, at least 1.

    `times` are pairs of a name and seconds. What has fewer than FEWEST_TIMES is left out. Medians,
    as a student who goes to dinner leaves hours.
    """
    spent: dict[str, list[float]] = {}
    for name, seconds in times:
        spent.setdefault(name, []).append(seconds)
    return {
        name: max(1, round(median(values)))
        for name, values in spent.items()
        if len(values) >= FEWEST_TIMES
    }
