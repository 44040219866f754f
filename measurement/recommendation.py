"""Choose the courses to suggest to a student, their order, and the reasons."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from measurement.bank import Bank
from measurement.considered import Considered, consider_courses
from measurement.courses import CourseData
from measurement.field_fit import choose_courses, rank_courses, suits_stream
from measurement.profile import Profile
from measurement.reasons import Explainer, Recommendation, clear_preferences

MOST_OTHER_SUBJECTS = 20
MOST_UNNAMED = 10


@dataclass(frozen=True, slots=True)
class Suggestions:
    """The recommended courses, and those that need other subjects, both the best first.

    If the student named courses, `considered` says how these fit, and `unnamed` has the codes of
    the first courses as they would be without the naming.
    """

    recommended: list[Recommendation]
    other_subjects: list[CourseData]
    considered: list[Considered]
    unnamed: list[str]


def suggest(
    bank: Bank,
    profile: Profile,
    answers: Mapping[str, int],
    courses: Sequence[CourseData],
    count: int,
    stream: str = "",
    named: Sequence[str] = (),
) -> Suggestions:
    """Choose up to `count` courses for this profile.

    `answers` are the choices by item code, which reasons quote. `stream` is the answer to the
    stream question, or "", and `named` are the codes of the courses that the student named. The
    order of `courses` does not matter. A smaller `count` returns the beginning of the same list.
    """
    facts = (bank, profile.fields, profile.facets, clear_preferences(profile), courses)
    # Aptitude terms depend on the whole catalogue, so courses that need other subjects are ranked
    # too, and left out afterwards.
    ranked = rank_courses(*facts, named)
    fits = [fit for fit in ranked if suits_stream(fit.course, stream)]
    closed = [fit.course for fit in ranked if not suits_stream(fit.course, stream)]
    explainer = Explainer(bank, answers, profile)
    chosen = choose_courses(fits, count, bank.matching)
    considered, unnamed = [], []
    if named:
        before = [fit for fit in rank_courses(*facts) if suits_stream(fit.course, stream)]
        considered = consider_courses(bank, answers, profile, named, fits, before, closed)
        first = choose_courses(before, MOST_UNNAMED, bank.matching)
        unnamed = [fit.course.code for fit in first]
    return Suggestions(
        [explainer.explain(fit) for fit in chosen],
        closed[:MOST_OTHER_SUBJECTS],
        considered,
        unnamed,
    )
