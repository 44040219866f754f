"""Choose the courses to suggest to a student by fields, and their explanations."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from assessments.measurement.bank import Bank
from assessments.measurement.courses import CourseRatings
from assessments.measurement.field_fit import choose, rank_by_fields
from assessments.measurement.field_reasons import FieldExplainer
from assessments.measurement.profile import Profile
from assessments.measurement.reasons import clear_preferences
from assessments.measurement.recommendation import Recommendation


def recommend_by_fields(
    bank: Bank,
    profile: Profile,
    answers: Mapping[str, int],
    courses: Sequence[CourseRatings],
    count: int,
) -> list[Recommendation]:
    """Return up to `count` courses for this profile, the best first.

    `answers` are the choices by item code, which reasons quote. The order of `courses` does not
    matter, and a smaller `count` returns the beginning of the same list. Raises ValueError if the
    bank does not rank by fields.
    """
    if bank.matching is None:
        raise ValueError("This bank does not rank by fields.")
    fits = rank_by_fields(bank, profile.fields, profile.facets, clear_preferences(profile), courses)
    explainer = FieldExplainer(bank, answers, profile)
    recommendations = []
    for fit in choose(fits, count, bank.matching):
        said = explainer.explain(fit)
        recommendations.append(
            Recommendation(
                code=fit.course.code,
                name=fit.course.name,
                score=fit.fit,
                interest=fit.interest,
                aptitude=fit.aptitude,
                preference=fit.preference,
                reasons=said.reasons,
                counterpoint=said.counterpoint,
                note=said.note,
                entry_level=fit.course.entry_level,
                streams=fit.course.streams,
            )
        )
    return recommendations
