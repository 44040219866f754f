"""Choose the courses to suggest to a student, their order, and the reasons."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from measurement.bank import Bank
from measurement.considered import Considered, consider
from measurement.courses import CourseData
from measurement.field_fit import choose, rank, suits_stream
from measurement.profile import Profile
from measurement.reasons import Explainer, Recommendation, clear_preferences

COUNT = 5
# Of the courses that need other subjects, the result keeps this many.
OTHER_SUBJECTS_AT_MOST = 20
UNNAMED_AT_MOST = 10


@dataclass(frozen=True, slots=True)
class Suggestions:
    """The recommended courses, and those that need other subjects, both the best first.

    `considered` is what the result says of the courses that the student named; `unnamed` are the
    codes of the first courses as they would be without the naming. Both are empty without it.
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
    stream question, or "", `named` the codes of courses that the student named. The order of
    `courses` does not matter, and a smaller `count` returns the beginning of the same list. An
    empty catalogue returns empty lists.

    All courses are ranked together, because the aptitude terms depend on the whole catalogue. Those
    that require other subjects are left out afterwards.
    """
    facts = (bank, profile.fields, profile.facets, clear_preferences(profile), courses)
    fits = rank(*facts, named)
    suitable = [fit for fit in fits if suits_stream(fit.course, stream)]
    others = [fit for fit in fits if not suits_stream(fit.course, stream)]
    explainer = Explainer(bank, answers, profile)
    chosen = choose(suitable, count, bank.matching)
    considered, unnamed = [], []
    if named:
        before = [fit for fit in rank(*facts) if suits_stream(fit.course, stream)]
        considered = consider(bank, answers, profile, named, suitable, before, others)
        unnamed = [fit.course.code for fit in choose(before, UNNAMED_AT_MOST, bank.matching)]
    return Suggestions(
        [explainer.explain(fit) for fit in chosen],
        [fit.course for fit in others[:OTHER_SUBJECTS_AT_MOST]],
        considered,
        unnamed,
    )
