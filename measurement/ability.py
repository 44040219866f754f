"""Estimate ability by the three-parameter logistic model; report it as bands and percentiles."""

from __future__ import annotations

import math
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import chain
from operator import mul

# The ability levels over which the posterior is summed.
GRID = tuple(-6 + step / 5 for step in range(61))
# The product of hundreds of responses would underflow, so smaller weights are scaled up. Only their
# proportions matter.
SCALE_UP_BELOW = 1e-100
FACET_CORRELATION_WITH_G = 0.8
# Of the approximation in `mean_discrimination`.
LOGIT_TO_PROBIT = 16 * math.sqrt(3) / (15 * math.pi)
# How many standard errors a reported range reaches to each side. It then holds four abilities in
# five even if each difficulty is off by an SD of 1.0 and the kinds of reasoning correlate only .64
# (`bench.measurement`).
RANGE_ERRORS = 1.5


@dataclass(frozen=True, slots=True)
class Ability:
    """An estimate in the reference population (mean 0, SD 1) and its standard error."""

    theta: float
    se: float


@dataclass(frozen=True, slots=True)
class Band:
    """A range of percentiles of the reference population, `high` excluded."""

    code: str
    low: int
    high: int


# A dozen items leave an error of about half an SD, which does not separate people near the middle.
# So the middle band is the widest. Single bands of five would be wrong for nearly half of all
# students, even with difficulties that are known exactly.
BANDS = (Band("lower", 0, 30), Band("middle", 30, 70), Band("higher", 70, 100))


def eap(responses: Iterable[Response], mean: float = 0.0, sd: float = 1.0) -> Ability:
    """Estimate ability from these responses: mean and SD of the posterior (expected a posteriori).

    The prior is normal(mean, sd); without responses it is also the posterior.
    Source: Bock, R. D. & Mislevy, R. J. (1982), Applied Psychological Measurement 6, 431-444.
    """
    weights = [math.exp(-0.5 * ((theta - mean) / sd) ** 2) for theta in GRID]
    for response in responses:
        item = response.item
        weights = list(map(mul, weights, likelihood(item.a, item.b, item.c, response.correct)))
        peak = max(weights)
        if peak < SCALE_UP_BELOW:
            weights = [weight / peak for weight in weights]
    total = math.fsum(weights)
    theta = math.fsum(map(mul, weights, GRID)) / total
    variance = math.fsum(w * (point - theta) ** 2 for w, point in zip(weights, GRID, strict=True))
    return Ability(theta, math.sqrt(variance / total))


# Ability is estimated from all answers again before each item is chosen.
@lru_cache(maxsize=8192)
def likelihood(a: float, b: float, c: float, correct: bool) -> tuple[float, ...]:
    """Return the probability of a right (or wrong) answer at each point of GRID."""
    if correct:
        return tuple(probability(theta, a, b, c) for theta in GRID)
    # Mirroring the logistic gives 1 - P without losing digits where P is close to 1.
    return tuple((1 - c) * probability(2 * b - theta, a, b, 0.0) for theta in GRID)


def facet_abilities(
    responses: Sequence[Response], facets: Mapping[str, Collection[str]]
) -> dict[str, Ability]:
    """Estimate each facet; `facets` maps a facet to its item families.

    A facet correlates r = FACET_CORRELATION_WITH_G with general ability g, which the other facets
    estimate. So its prior has mean r g and variance 1 - r^2 + r^2 SE(g)^2. Responses to a family
    that belongs to no facet are ignored.
    Source: the regression step of Wainer, H. et al. (2001), Augmented scores, in Thissen &
    Wainer, Test Scoring, chapter 9, with a fixed correlation.
    """
    by_facet = {
        facet: [response for response in responses if response.item.family in families]
        for facet, families in facets.items()
    }
    r = FACET_CORRELATION_WITH_G
    estimates = {}
    for facet, own in by_facet.items():
        g = eap(chain.from_iterable(by_facet[other] for other in facets if other != facet))
        estimates[facet] = eap(own, r * g.theta, math.sqrt(1 - r**2 + (r * g.se) ** 2))
    return estimates


def percentile(theta: float) -> float:
    """Return the percentage of the reference population that lies below theta."""
    return 50 * (1 + math.erf(theta / math.sqrt(2)))


def interval(ability: Ability) -> tuple[int, int]:
    """Return the percentiles (0-100) between which the ability is reported to lie."""
    reach = ability.se * RANGE_ERRORS
    low, high = ability.theta - reach, ability.theta + reach
    return math.floor(percentile(low)), math.ceil(percentile(high))


def reported_bands(ability: Ability) -> list[Band]:
    """Return the bands that `interval` touches, the lowest first."""
    low, high = interval(ability)
    return [each for each in BANDS if low < each.high and high > each.low]


@dataclass(frozen=True, slots=True)
class AptitudeItem:
    """An item with its discrimination `a`, difficulty `b` and guessing parameter `c`."""

    code: str
    family: str
    a: float
    b: float
    c: float
    clone: str = ""  # the same for items from one template with the same radicals


@dataclass(frozen=True, slots=True)
class Response:
    """An aptitude item and whether the answer was correct; "I don't know" is not."""

    item: AptitudeItem
    correct: bool


def probability(theta: float, a: float, b: float, c: float) -> float:
    """Return the probability of a correct answer at theta.

    P = c + (1 - c) / (1 + exp(-a (theta - b))), without the scaling constant 1.702 (D = 1).
    Source: Birnbaum, A. (1968), in Lord & Novick, Statistical Theories of Mental Test Scores.
    """
    return c + (1 - c) * _logistic(a * (theta - b))


def mean_discrimination(a: float, b_sd: float) -> float:
    """Return the discrimination of an item whose difficulty is known up to an SD.

    Averaged over the difficulties that it may have, the curve of its answers is flatter.
    Source: Zeger, S. L., Liang, K.-Y. & Albert, P. S. (1988), Biometrics 44, 1049-1060, for the
    mean of a logistic curve over a normal distribution.
    """
    return a / math.hypot(1, LOGIT_TO_PROBIT * a * b_sd)


def information(theta: float, a: float, b: float, c: float) -> float:
    """Return the Fisher information of the item about ability at theta.

    I = a^2 * ((P - c) / (1 - c))^2 * (1 - P) / P.
    Source: Lord, F. M. (1980), Applications of Item Response Theory, equation 4-43, with D = 1.
    """
    logistic = _logistic(a * (theta - b))
    # A product gives 1 - P without losing digits where P is close to 1.
    wrong = (1 - c) * _logistic(-a * (theta - b))
    return a * a * logistic * logistic * wrong / (c + (1 - c) * logistic)


def _logistic(x: float) -> float:
    # exp() overflows for large positive numbers.
    if x >= 0:
        return 1 / (1 + math.exp(-x))
    power = math.exp(x)
    return power / (1 + power)
