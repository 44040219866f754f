"""Score interest statements and study preferences."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from statistics import pstdev

# Choices by item code; of statements, from 1 to 5.
Answers = Mapping[str, int]

# The Holland types.
INTERESTS = ("realistic", "investigative", "artistic", "social", "enterprising", "conventional")
# Each scale is named after its two ends. Agreeing with a statement keyed 1 counts for the second.
PREFERENCES = ("alone_group", "doing_reading", "planned_flexible", "online_classroom")
# The scored scales, by section.
SCALES: dict[str, tuple[str, ...]] = {"interests": INTERESTS, "preferences": PREFERENCES}
# The scale of attention checks, which name the answer to choose and are not scored.
INSTRUCTED = "instructed"
# The aptitude results reported beside the overall estimate.
FACETS = ("numerical", "abstract", "verbal")
# The answers to a statement; NEITHER means neither like nor dislike, neither agree nor disagree.
LOWEST, NEITHER, HIGHEST = 1, 3, 5
# The lowest mean answer that counts as a liking.
LIKED_FROM = 3.5
# All numbers of a profile are rounded, so that a stored profile equals a rescored one.
DECIMALS = 4
# In SDs: a smaller spread of the six interests is flat, a larger z is a clear preference.
FLAT_BELOW, CLEAR_BEYOND = 0.35, 0.5


@dataclass(frozen=True, slots=True)
class Norm:
    """Mean and SD of the answers (1 to 5) to a scale or statement in a population."""

    mean: float
    sd: float


@dataclass(frozen=True, slots=True)
class Statement:
    code: str
    scale: str
    keyed: int  # 1, or -1 if its answers are reversed on the scale
    fields: tuple[str, ...] = ()  # of an interest statement, the main one first


@dataclass(frozen=True, slots=True)
class ScaleScore:
    """The mean answer (1 to 5) on a scale and its distance from the norm in SDs."""

    mean: float
    z: float

    @property
    def percent(self) -> int:
        """The mean answer on a scale from 0 (all 1) to 100 (all 5)."""
        return round(100 * (self.mean - LOWEST) / (HIGHEST - LOWEST))


def answers_by_scale(statements: Iterable[Statement], answers: Answers) -> dict[str, list[int]]:
    """Return answers by scale, reversed if keyed -1. Raise ValueError for one not from 1 to 5."""
    by_scale: dict[str, list[int]] = {}
    for statement in statements:
        values = by_scale.setdefault(statement.scale, [])
        if statement.code in answers:
            value = answers[statement.code]
            if not LOWEST <= value <= HIGHEST:
                raise ValueError(f"The answer to {statement.code} is {value}.")
            values.append(value if statement.keyed == 1 else LOWEST + HIGHEST - value)
    return by_scale


def scale_scores(
    statements: Iterable[Statement], answers: Answers, norms: Mapping[str, Norm]
) -> dict[str, ScaleScore]:
    """Score the scales of these statements. Raises ValueError for a scale without answers."""
    scores = {}
    for scale, values in answers_by_scale(statements, answers).items():
        if not values:
            raise ValueError(f"Nothing was answered on {scale}.")
        mean, norm = sum(values) / len(values), norms[scale]
        scores[scale] = ScaleScore(rounded(mean), rounded((mean - norm.mean) / norm.sd))
    return scores


def differentiation(interests: Mapping[str, ScaleScore]) -> float:
    """Return the SD (divisor six) of the z scores of the Holland types."""
    return rounded(pstdev(score.z for score in interests.values()))


def are_flat(interests: Mapping[str, ScaleScore]) -> bool:
    """Return whether the Holland types score too much alike to show a direction."""
    return differentiation(interests) < FLAT_BELOW


def leaning(scale: str, score: ScaleScore) -> str:
    """Return the end that the student clearly prefers, beyond both the norm and NEITHER, or ""."""
    left, right = scale.split("_")
    if score.z > CLEAR_BEYOND and score.mean > NEITHER:
        return right
    return left if score.z < -CLEAR_BEYOND and score.mean < NEITHER else ""


def rounded(value: float) -> float:
    """Round to DECIMALS. Adding 0.0 turns -0.0, whose sign would be stored, into 0.0."""
    return round(value, DECIMALS) + 0.0
