"""Choose the courses to suggest to a student, their order, and the reasons."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any, Self

from assessments.measurement.bank import Bank, Ranking, Weights
from assessments.measurement.course_fit import Fit
from assessments.measurement.courses import CourseRatings
from assessments.measurement.field_fit import choose, rank_by_fields
from assessments.measurement.field_reasons import FieldExplainer
from assessments.measurement.profile import Profile
from assessments.measurement.reasons import Explainer, Explanation, Point, clear_preferences
from assessments.measurement.type_fit import diversify, rank_by_types

COUNT = 5
# Without variety, as in the first banks.
AS_THEY_FIT = Ranking()


@dataclass(frozen=True, slots=True)
class Recommendation:
    """A suggested course, the scores that decided its place, and its explanation."""

    code: str
    name: str
    score: float
    interest: float
    aptitude: float
    preference: float
    reasons: tuple[Point, ...]
    counterpoint: Point
    note: str
    entry_level: str
    streams: tuple[str, ...]

    @classmethod
    def of(cls, fit: Fit, said: Explanation) -> Self:
        """Put the fit of a course and its explanation together."""
        return cls(
            code=fit.course.code,
            name=fit.course.name,
            score=fit.score,
            interest=fit.interest,
            aptitude=fit.aptitude,
            preference=fit.preference,
            reasons=said.reasons,
            counterpoint=said.counterpoint,
            note=said.note,
            entry_level=fit.course.entry_level,
            streams=fit.course.streams,
        )

    def to_json(self) -> dict[str, Any]:
        plain = asdict(self)
        return {**plain, "reasons": list(plain["reasons"]), "streams": list(self.streams)}


def recommend(
    bank: Bank,
    profile: Profile,
    answers: Mapping[str, int],
    courses: Sequence[CourseRatings],
    count: int,
) -> list[Recommendation]:
    """Return up to `count` courses for this profile, ranked as the bank says, the best first.

    `answers` are the choices by item code, which reasons by fields quote. The order of `courses`
    does not matter, and a smaller `count` returns the beginning of the same list. An empty
    catalogue returns an empty list.
    """
    if bank.matching is None:
        return recommend_by_types(profile, courses, bank.weights, bank.ranking, count)
    return recommend_by_fields(bank, profile, answers, courses, count)


def recommend_by_types(
    profile: Profile,
    courses: Iterable[CourseRatings],
    weights: Weights,
    ranking: Ranking = AS_THEY_FIT,
    count: int = COUNT,
) -> list[Recommendation]:
    """Return up to `count` courses by the six Holland types, like `recommend`."""
    explainer = Explainer(profile, weights)
    fits = rank_by_types(profile, courses, weights, ranking.aptitude_cap)
    return [
        Recommendation.of(fit, explainer.explain(fit.course, fit.shape, fit.interest, fit.score))
        for fit in diversify(fits, ranking, count)
    ]


def recommend_by_fields(
    bank: Bank,
    profile: Profile,
    answers: Mapping[str, int],
    courses: Sequence[CourseRatings],
    count: int,
) -> list[Recommendation]:
    """Return up to `count` courses by fields, like `recommend`.

    Raises ValueError if the bank does not rank by fields.
    """
    if bank.matching is None:
        raise ValueError("This bank does not rank by fields.")
    explainer = FieldExplainer(bank, answers, profile)
    fits = rank_by_fields(bank, profile.fields, profile.facets, clear_preferences(profile), courses)
    return [
        Recommendation.of(fit, explainer.explain(fit)) for fit in choose(fits, count, bank.matching)
    ]
