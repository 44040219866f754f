"""Say how well the courses fit that the student named before the result."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from measurement.bank import Bank
from measurement.courses import CourseData
from measurement.field_fit import Fit
from measurement.profile import Profile
from measurement.reasons import Explainer, Reason
from measurement.scales import NEITHER, Answers

# A student may name this many courses.
MAX_NAMED = 3
WELL, PART, LITTLE, UNSURE, SUBJECTS = FITS = ("well", "part", "little", "unsure", "subjects")
# The limits of WELL and LITTLE: SDs of fit over students, without what the naming adds.
WELL_FROM, LITTLE_BELOW = 0.5, -0.5
DISLIKED, LESS = "disliked_statement", "less_field"
DISLIKED_TO = 2  # the highest answer that is a dislike
MAX_POINTS = 2


@dataclass(frozen=True, slots=True)
class Considered:
    """What the result says of a named course."""

    code: str
    name: str
    fit: str  # one of FITS
    place: int = 0  # from 1 among all open courses; 0 if it needs other subjects
    place_unnamed: int = 0  # the place if it had not been named
    points: list[Reason] = field(default_factory=list)
    streams: list[str] = field(default_factory=list)  # the other subjects that it needs


def consider_courses(
    bank: Bank,
    answers: Answers,
    profile: Profile,
    named: Sequence[str],
    fits: Sequence[Fit],
    unnamed_fits: Sequence[Fit],
    closed: Sequence[CourseData],
) -> list[Considered]:
    """Return what the result says of the named courses, in their order.

    `fits` are the open courses, the best first, `unnamed_fits` the same without what the naming
    adds. `closed` are the courses that need other subjects. Other codes are left out.
    """
    places = {fit.course.code: place for place, fit in enumerate(fits, 1)}
    unnamed = {fit.course.code: (place, fit) for place, fit in enumerate(unnamed_fits, 1)}
    by_code = {course.code: course for course in closed}
    considered = []
    for code in named:
        if course := by_code.get(code):
            streams = list(course.required_streams)
            considered.append(Considered(code, course.name, SUBJECTS, streams=streams))
        elif code in unnamed:
            place, fit = unnamed[code]
            level = how_well(fit, profile)
            points = _points(bank, answers, profile, fit, level)[:MAX_POINTS]
            considered.append(Considered(code, fit.course.name, level, places[code], place, points))
    return considered


def how_well(fit: Fit, profile: Profile) -> str:
    """Return how well a course fits, one of FITS; UNSURE if the answers show no direction."""
    if profile.confidence == "low":
        return UNSURE
    if fit.score >= WELL_FROM:
        return WELL
    return LITTLE if fit.score < LITTLE_BELOW else PART


def _points(bank: Bank, answers: Answers, profile: Profile, fit: Fit, level: str) -> list[Reason]:
    """Return what speaks for a course unless it fits little, and against it unless it fits well."""
    if level == UNSURE:
        return []
    reasons = Explainer(bank, answers, profile).explain(fit).reasons
    if level == WELL:
        return reasons
    main = next((name for name in fit.course.fields if name in bank.fields), None)
    against = [
        Reason(DISLIKED, code, float(answers[code]))
        for code, statement in bank.statements.items()
        if main in statement.fields[:1] and answers.get(code, NEITHER) <= DISLIKED_TO
    ]
    if main:
        against.append(Reason(LESS, main))
    return against if level == LITTLE else [*reasons[:1], *against]
