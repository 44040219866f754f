"""Score interest statements and study preferences."""

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
# The name of a scale has its two ends; agreeing with a statement keyed 1 counts for the second.
PREFERENCES: tuple[str, ...] = (
    "alone_group",
    "doing_reading",
    "planned_flexible",
    "online_classroom",
)
SCALES: dict[str, tuple[str, ...]] = {"interests": INTERESTS, "preferences": PREFERENCES}
# The scale of attention checks, which ask for a certain answer and are not scored.
INSTRUCTED = "instructed"
# The aptitude results reported beside the overall estimate.
FACETS: tuple[str, ...] = ("numerical", "abstract", "verbal")
LOWEST, HIGHEST = 1, 5
# The answer in the middle: neither like nor dislike, neither agree nor disagree.
NEITHER = 3
# The lowest mean answer that counts as a liking. One below NEITHER is a dislike.
LIKED_FROM = 3.5
# All numbers of a profile are rounded, so that a stored profile equals a rescored one.
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
        """Return the mean answer on a scale from 0 (all 1) to 100 (all 5)."""
        return round(100 * (self.mean - LOWEST) / (HIGHEST - LOWEST))


@dataclass(frozen=True)
class InterestProfile:
    """The scores of the six Holland types."""

    scales: Mapping[str, ScaleScore]

    @property
    def by_type(self) -> dict[str, float]:
        return {name: score.z for name, score in self.scales.items()}

    @property
    def z(self) -> tuple[float, ...]:
        """List the six standardised scores in the order of INTERESTS."""
        return tuple(self.scales[interest].z for interest in INTERESTS)

    @property
    def differentiation(self) -> float:
        """Return the standard deviation (divisor six) of the six scores."""
        return round(standard_deviation(self.z), DECIMALS)

    @property
    def is_flat(self) -> bool:
        """Tell whether the six scores are too similar to show a direction."""
        return self.differentiation < FLAT_BELOW


def interest_profile(
    answers: Iterable[tuple[str, int]], norms: Mapping[str, Norm]
) -> InterestProfile:
    """Score answers given as (interest, 1 to 5). Raises ValueError if an interest has none."""
    values = _by_scale(answers, INTERESTS)
    return InterestProfile({name: _score(values[name], norms[name]) for name in INTERESTS})


def preference_scales(
    answers: Iterable[tuple[str, int, int]], norms: Mapping[str, Norm]
) -> dict[str, ScaleScore]:
    """Score answers given as (scale, 1 to 5, keyed 1 or -1).

    Answers to statements keyed -1 are reversed. Raises ValueError if a scale has no answer.
    """
    keyed_answers = (
        (scale, value if keyed == 1 else LOWEST + HIGHEST - value)
        for scale, value, keyed in answers
    )
    values = _by_scale(keyed_answers, PREFERENCES)
    return {name: _score(values[name], norms[name]) for name in PREFERENCES}


def leaning(scale: str, score: ScaleScore) -> str:
    """Return the end of the scale that the student clearly prefers, or "".

    A clear preference is stronger than the norm, with answers on the same side of the middle.
    """
    left, right = scale.split("_")
    if score.z > CLEAR_BEYOND and score.mean > NEITHER:
        return right
    return left if score.z < -CLEAR_BEYOND and score.mean < NEITHER else ""


def standard_deviation(values: Sequence[float]) -> float:
    """Return the standard deviation with divisor n; exactly 0 for equal values."""
    if min(values) == max(values):
        return 0.0
    mean = math.fsum(values) / len(values)
    return math.sqrt(math.fsum((value - mean) ** 2 for value in values) / len(values))


def rounded(value: float) -> float:
    """Return a value rounded to DECIMALS, and 0.0 for -0.0, whose sign would be stored."""
    return round(value, DECIMALS) + 0.0


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
    return ScaleScore(rounded(mean), rounded((mean - norm.mean) / norm.sd))
