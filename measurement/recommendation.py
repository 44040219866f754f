"""Choose the courses to suggest, and say how well those fit that the student named before."""

from collections.abc import Sequence
from dataclasses import dataclass, field

from measurement.bank import Bank
from measurement.courses import CourseData, without_repeated_titles
from measurement.field_fit import Fit, choose_courses, rank_courses, suits_stream
from measurement.profile import Profile
from measurement.reasons import Explainer, Reason, Recommendation
from measurement.scales import NEITHER, Answers

MAX_OTHER_SUBJECTS = 20
MAX_UNNAMED = 10
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
