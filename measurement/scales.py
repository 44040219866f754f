"""Score interest statements and study preferences."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from statistics import pstdev

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
class Statement:
    """An interest or preference statement, its scale, and its key (1 or -1) on that scale."""

    code: str
    scale: str
    keyed: int
    fields: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class ScaleScore:
    """The mean answer (1 to 5) on a scale and its distance from the norm in SDs."""

    mean: float
    z: float

    @property
    def percent(self) -> int:
        """Return the mean answer on a scale from 0 (all 1) to 100 (all 5)."""
        return round(100 * (self.mean - LOWEST) / (HIGHEST - LOWEST))


def answers_by_scale(
    statements: Iterable[Statement], answers: Mapping[str, int]
) -> dict[str, list[int]]:
    """Return the answers (1 to 5) on each scale of these statements; those keyed -1 are reversed.

    `answers` are given by code. Raises ValueError for another answer.
    """
    found: dict[str, list[int]] = {}
    for statement in statements:
        given = found.setdefault(statement.scale, [])
        if statement.code in answers:
            value = answers[statement.code]
            if not LOWEST <= value <= HIGHEST:
                raise ValueError(f"The answer to {statement.code} is {value}.")
            given.append(value if statement.keyed == 1 else LOWEST + HIGHEST - value)
    return found


def scale_scores(
    statements: Iterable[Statement], answers: Mapping[str, int], norms: Mapping[str, Norm]
) -> dict[str, ScaleScore]:
    """Score the scales of these statements. Raises ValueError if one has no answer."""
    scores = {}
    for scale, values in answers_by_scale(statements, answers).items():
        if not values:
            raise ValueError(f"Nothing was answered on {scale}.")
        mean, norm = sum(values) / len(values), norms[scale]
        scores[scale] = ScaleScore(rounded(mean), rounded((mean - norm.mean) / norm.sd))
    return scores


def differentiation(interests: Mapping[str, ScaleScore]) -> float:
    """Return the standard deviation (divisor six) of the scores of the Holland types."""
    return round(pstdev(score.z for score in interests.values()), DECIMALS)


def are_flat(interests: Mapping[str, ScaleScore]) -> bool:
    """Tell whether the scores of the Holland types are too similar to show a direction."""
    return differentiation(interests) < FLAT_BELOW


def leaning(scale: str, score: ScaleScore) -> str:
    """Return the end of the scale that the student clearly prefers, or "".

    A clear preference is stronger than the norm, with answers on the same side of the middle.
    """
    left, right = scale.split("_")
    if score.z > CLEAR_BEYOND and score.mean > NEITHER:
        return right
    return left if score.z < -CLEAR_BEYOND and score.mean < NEITHER else ""


def rounded(value: float) -> float:
    """Return a value rounded to DECIMALS, and 0.0 for -0.0, whose sign would be stored."""
    return round(value, DECIMALS) + 0.0
