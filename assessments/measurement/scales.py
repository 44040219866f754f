"""Scores of the interest statements and of the study preferences."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

INTERESTS: tuple[str, ...] = (
    "realistic",
    "investigative",
    "artistic",
    "social",
    "enterprising",
    "conventional",
)
# The name of a scale says its two ends: agreeing with a statement keyed 1 leads to the second.
PREFERENCES: tuple[str, ...] = (
    "alone_group",
    "doing_reading",
    "planned_flexible",
    "online_classroom",
)
# Where a statement asks for a certain answer, to see whether it is read; it is not scored.
INSTRUCTED = "instructed"
# What is reported of aptitude beside the overall estimate.
FACETS: tuple[str, ...] = ("numerical", "abstract", "verbal")
LOWEST, HIGHEST = 1, 5
# The answer in the middle: neither like nor dislike, neither agree nor disagree.
NEITHER = 3
# Every figure of a profile is rounded to this, so that a stored profile equals a rescored one.
DECIMALS = 4
FLAT_BELOW = 0.35
CLEAR_BEYOND = 0.5


@dataclass(frozen=True, slots=True)
class Norm:
    """Mean and SD of a scale in the population that a student is compared with."""

    mean: float
    sd: float


@dataclass(frozen=True, slots=True)
class ScaleScore:
    """The mean answer (1 to 5) on a scale and its distance from the norm in SDs."""

    mean: float
    z: float

    @property
    def percent(self) -> int:
        """Place the mean answer on a line from 0 (all 1) to 100 (all 5)."""
        return round(100 * (self.mean - LOWEST) / (HIGHEST - LOWEST))


@dataclass(frozen=True)
class InterestProfile:
    """A score for each of the six Holland types."""

    scales: Mapping[str, ScaleScore]

    @property
    def z(self) -> tuple[float, ...]:
        """List the six standardised scores in the order of INTERESTS."""
        return tuple(self.scales[interest].z for interest in INTERESTS)

    @property
    def differentiation(self) -> float:
        """Measure how far the six scores lie apart: their standard deviation (divisor six)."""
        return round(standard_deviation(self.z), DECIMALS)

    @property
    def is_flat(self) -> bool:
        """Tell whether the six are too alike to show a direction."""
        return self.differentiation < FLAT_BELOW


def interest_profile(
    answers: Iterable[tuple[str, int]], norms: Mapping[str, Norm]
) -> InterestProfile:
    """Score answers given as (interest, 1 to 5). Raise ValueError if an interest has none."""
    values = _by_scale(answers, INTERESTS)
    return InterestProfile({name: _score(values[name], norms[name]) for name in INTERESTS})


def preference_scales(
    answers: Iterable[tuple[str, int, int]], norms: Mapping[str, Norm]
) -> dict[str, ScaleScore]:
    """Score answers given as (scale, 1 to 5, keyed 1 or -1).

    A statement keyed -1 counts from the other end. Raise ValueError if a scale has no answer.
    """
    turned = ((scale, _turn(value, keyed)) for scale, value, keyed in answers)
    values = _by_scale(turned, PREFERENCES)
    return {name: _score(values[name], norms[name]) for name in PREFERENCES}


def leaning(scale: str, score: ScaleScore) -> str:
    """Return the end of the scale that the student clearly prefers, or "" for no strong one.

    Who prefers it more than others do, but answered on the other side of the middle, does not.
    """
    left, right = scale.split("_")
    if score.z > CLEAR_BEYOND and score.mean > NEITHER:
        return right
    return left if score.z < -CLEAR_BEYOND and score.mean < NEITHER else ""


def standard_deviation(values: Sequence[float]) -> float:
    """Return the standard deviation with divisor n; of equal values exactly 0."""
    if min(values) == max(values):
        return 0.0
    mean = math.fsum(values) / len(values)
    return math.sqrt(math.fsum((value - mean) ** 2 for value in values) / len(values))


def _turn(value: int, keyed: int) -> int:
    return value if keyed == 1 else LOWEST + HIGHEST - value


def _by_scale(answers: Iterable[tuple[str, int]], scales: Sequence[str]) -> dict[str, list[int]]:
    values: dict[str, list[int]] = {scale: [] for scale in scales}
    for scale, value in answers:
        if not LOWEST <= value <= HIGHEST:
            raise ValueError(f"An answer on {scale} is {value}, not {LOWEST} to {HIGHEST}.")
        values[scale].append(value)
    empty = [scale for scale, given in values.items() if not given]
    if empty:
        raise ValueError(f"Nothing was answered on: {', '.join(empty)}.")
    return values


def _score(values: Sequence[int], norm: Norm) -> ScaleScore:
    mean = sum(values) / len(values)
    z = round((mean - norm.mean) / norm.sd, DECIMALS)
    # A tiny negative figure rounds to -0.0, which would be stored with its sign.
    return ScaleScore(round(mean, DECIMALS), z + 0.0)
