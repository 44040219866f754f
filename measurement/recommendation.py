"""Choose the courses to suggest to a student, their order, and the reasons."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from measurement.bank import Bank
from measurement.considered import Considered, consider_courses
from measurement.courses import CourseData, without_repeated_titles
from measurement.field_fit import choose_courses, rank_courses, suits_stream
from measurement.profile import Profile
from measurement.reasons import Explainer, Recommendation
from measurement.scales import Answers

MAX_OTHER_SUBJECTS = 20
MAX_UNNAMED = 10


@dataclass(frozen=True, slots=True)
class Suggestions:
    """Courses, the best first. The last two are empty if the student named none."""

    recommended: list[Recommendation]
    other_subjects: list[CourseData]  # courses that need other subjects than the student's
    considered: list[Considered]  # what the result says of the named courses, in their order
    unnamed: list[str]  # the codes of the first courses as they would be without the naming


def suggest(
    bank: Bank,
    profile: Profile,
    answers: Answers,
    courses: Sequence[CourseData],
    count: int,
    stream: str = "",
    named: Sequence[str] = (),
) -> Suggestions:
    """Choose up to `count` courses for this profile.

    Reasons quote the `answers`. `stream` is the answer to the stream question, or "", and `named`
    are the codes of the courses that the student named. The order of `courses` does not matter. A
    smaller `count` returns the beginning of the same list. `courses` are those that suit who takes
    the assessment: one of the other level is no alternative, so none is compared with it.
    """
    facts = (bank, profile.fields, profile.facets, profile.clear_preferences, courses)
    # Aptitude terms depend on the whole catalogue, so courses that need other subjects are ranked
    # too, and left out afterwards.
    ranked = rank_courses(*facts, named)
    fits = [fit for fit in ranked if suits_stream(fit.course, stream)]
    closed = [fit.course for fit in ranked if not suits_stream(fit.course, stream)]
    other_subjects = without_repeated_titles(closed, [fit.course for fit in fits])
    explainer = Explainer(bank, answers, profile)
    chosen = choose_courses(fits, count, bank.matching)
    considered, unnamed = [], []
    if named:
        before = [fit for fit in rank_courses(*facts) if suits_stream(fit.course, stream)]
        considered = consider_courses(bank, answers, profile, named, fits, before, closed)
        first = choose_courses(before, MAX_UNNAMED, bank.matching)
        unnamed = [fit.course.code for fit in first]
    return Suggestions(
        [explainer.explain(fit) for fit in chosen],
        other_subjects[:MAX_OTHER_SUBJECTS],
        considered,
        unnamed,
    )
