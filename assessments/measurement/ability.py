"""What a person's answers say about their ability, and how it is reported."""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass

from assessments.measurement.response_model import Response, probability

GRID: tuple[float, ...] = tuple(-6 + step / 5 for step in range(61))


@dataclass(frozen=True, slots=True)
class Ability:
    """An estimate on the scale of the reference population (mean 0, SD 1) and its error."""

    theta: float
    se: float


@dataclass(frozen=True, slots=True)
class Band:
    """A stretch of the reference population: percentiles from `low` up to `high`."""

    code: str
    low: int
    high: int


# The middle is the widest band: a dozen items leave an error of about half an SD, and narrower
# bands there would tell apart people whom the answers do not tell apart.
BANDS: tuple[Band, ...] = (
    Band("lowest", 0, 10),
    Band("lower", 10, 30),
    Band("middle", 30, 70),
    Band("higher", 70, 90),
    Band("highest", 90, 100),
)


def eap(responses: Iterable[Response], mean: float = 0.0, sd: float = 1.0) -> Ability:
    """Return the mean and the SD of ability after these responses (expected a posteriori).

    Before any response ability is normal(mean, sd). The posterior is summed over 61 equal points
    on [-6, 6]; with no response the prior comes back.
    Source: Bock, R. D. & Mislevy, R. J. (1982), Applied Psychological Measurement 6, 431-444.
    """
    weights = [math.exp(-0.5 * ((theta - mean) / sd) ** 2) for theta in GRID]
    for response in responses:
        item = response.item
        for point, theta in enumerate(GRID):
            p = probability(theta, item.a, item.b, item.c)
            weights[point] *= p if response.correct else 1 - p
        # Several hundred responses would underflow; only the proportions matter.
        peak = max(weights)
        weights = [weight / peak for weight in weights]
    total = math.fsum(weights)
    theta = math.fsum(w * point for w, point in zip(weights, GRID, strict=True)) / total
    variance = math.fsum(w * (point - theta) ** 2 for w, point in zip(weights, GRID, strict=True))
    return Ability(theta, math.sqrt(variance / total))


def percentile(theta: float) -> float:
    """Return the percentage of the reference population N(0, 1) that lies below theta."""
    return 50 * (1 + math.erf(theta / math.sqrt(2)))


def band(ability: Ability) -> Band:
    """Return the band that the estimate falls into; an estimate on a border is in the upper."""
    reached = percentile(ability.theta)
    return next(each for each in reversed(BANDS) if reached >= each.low)


def interval(ability: Ability) -> tuple[int, int]:
    """Return the percentiles (0-100) one standard error below and above the estimate.

    About two in three people of this estimate have their true ability in between.
    """
    low, high = ability.theta - ability.se, ability.theta + ability.se
    return math.floor(percentile(low)), math.ceil(percentile(high))
