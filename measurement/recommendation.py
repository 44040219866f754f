"""Choose the courses to suggest, and say how well those fit that the student named before."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from statistics import fmean

from measurement.bank import Bank
from measurement.courses import CourseData, without_repeated_titles
from measurement.field_fit import (
    LITTLE,
    PART,
    TOP,
    WELL,
    Fit,
    choose_courses,
    rank_courses,
    suits_stream,
    without_naming,
)
from measurement.profile import Profile, enjoyed_fields
from measurement.reasons import Explainer, Reason, Recommendation
from measurement.scales import NEITHER, Answers
from measurement.validity import INTERESTS

MAX_OTHER_SUBJECTS = 20
MAX_UNNAMED = 10
# A student may name this many courses.
MAX_NAMED = 3
# A course that needs other subjects is told of if it would be among this many. A list has as many,
# if there are, whatever speaks for them.
FIRST = 3
UNSURE, SUBJECTS = "unsure", "subjects"
FITS = (WELL, PART, LITTLE, UNSURE, SUBJECTS)
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
    """Courses, the best first, and what the list can't say; empty where there is nothing."""

    recommended: list[Recommendation]
    other_subjects: list[CourseData]  # courses that need other subjects than the student's
    considered: list[Considered]  # what the result says of the named courses, in their order
    unnamed: list[str]  # the codes of the first courses as they would be without the naming
    best_closed: list[CourseData]  # of `other_subjects`, those that would be among the FIRST
    unserved: list[str]  # enjoyed fields that no course has


def suggest(
    bank: Bank,
    profile: Profile,
    answers: Answers,
    courses: Sequence[CourseData],
    count: int,
    stream: str = "",
    named: Sequence[str] = (),
    further: int = 0,
) -> Suggestions:
    """Choose up to `count` courses for this profile, and `further` ones.

    Reasons quote the `answers`. `stream` is the answer to the stream question, or "", and `named`
    are the codes of the courses that the student named. After FIRST courses, the list ends before
    those for which nothing speaks, unless `further` ones are asked for. The order of `courses` does
    not matter. A smaller `count` returns the beginning of the same list. `courses` are those that
    suit who takes the assessment: one of the other level is no alternative, so none is compared
    with it.
    """
    # Aptitude terms depend on the whole catalogue, so courses that need other subjects are ranked
    # too, and left out afterwards.
    ranked = rank_courses(
        bank, profile.fields, profile.facets, profile.clear_preferences, courses, named
    )
    fits, closed = [], []
    for fit in ranked:
        if suits_stream(fit.course, stream):
            fits.append(fit)
        else:
            closed.append(fit.course)
    other_subjects = list(without_repeated_titles(closed, [fit.course for fit in fits]))
    count += further
    explainer = Explainer(bank, answers, profile)
    chosen = choose_courses(fits, max(count, TOP), bank.matching)
    considered, unnamed = [], []
    if named:
        before = without_naming(fits)
        considered = consider_courses(bank, answers, profile, named, fits, before, closed)
        first = choose_courses(before, MAX_UNNAMED, bank.matching)
        unnamed = [fit.course.code for fit in first]
    explained = [explainer.explain(fit) for fit in chosen]
    # Of the first, those for which nothing speaks come last.
    explained[:TOP] = sorted(explained[:TOP], key=lambda each: not each.has_support)
    recommended = explained[:count]
    while not further and len(recommended) > FIRST and not recommended[-1].has_support:
        recommended.pop()
    return Suggestions(
        recommended,
        other_subjects[:MAX_OTHER_SUBJECTS],
        considered,
        unnamed,
        *_find_gaps(bank, profile, ranked, other_subjects),
    )


def _find_gaps(
    bank: Bank, profile: Profile, ranked: Sequence[Fit], other_subjects: Sequence[CourseData]
) -> tuple[list[CourseData], list[str]]:
    """Return `best_closed` and `unserved`; nothing if the interests are doubtful.

    `best_closed` fit well and are among the first of all, or alone serve a field that is enjoyed.
    """
    if INTERESTS in profile.doubts or not ranked:
        return [], []
    first = choose_courses(ranked, FIRST, bank.matching)
    closed = {course.code for course in other_subjects}
    served = {name for fit in ranked for name in fit.course.fields}
    open_courses = (fit.course for fit in ranked if fit.course.code not in closed)
    enjoyed = enjoyed_fields(bank, profile)
    alone = {*enjoyed} & served - {name for course in open_courses for name in course.fields}
    best_closed = [
        fit.course
        for fit in ranked
        if fit.level == WELL
        and fit.course.code in closed
        and (fit in first or alone.intersection(fit.course.fields))
    ]
    return best_closed[:FIRST], [name for name in enjoyed if name not in served]


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
    by_place = {fit.course.code: (place, fit) for place, fit in enumerate(fits, 1)}
    unnamed = {fit.course.code: place for place, fit in enumerate(unnamed_fits, 1)}
    by_code = {course.code: course for course in closed}
    considered = []
    for code in named:
        if course := by_code.get(code):
            streams = list(course.required_streams)
            considered.append(Considered(code, course.name, SUBJECTS, streams=streams))
        elif code in by_place:
            place, fit = by_place[code]
            level = UNSURE if INTERESTS in profile.doubts else fit.level
            points = _points(bank, answers, profile, fit, level)[:MAX_POINTS]
            considered.append(
                Considered(code, fit.course.name, level, place, unnamed[code], points)
            )
    return considered


def _points(bank: Bank, answers: Answers, profile: Profile, fit: Fit, level: str) -> list[Reason]:
    """Return what speaks for a course unless it fits little, and against it unless it fits well."""
    if level == UNSURE:
        return []
    reasons = Explainer(bank, answers, profile).explain(fit).reasons
    if level == WELL:
        return reasons
    fields = [name for name in fit.course.fields if name in bank.fields]
    against = [
        Reason(DISLIKED, code, fields[0], float(answers[code]))
        for code, statement in bank.statements.items()
        if statement.fields[0] in fields[:1] and answers.get(code, NEITHER) <= DISLIKED_TO
    ][:1]  # there is one sentence for all
    middle = fmean(profile.fields.values())
    against += [Reason(LESS, name) for name in fields if profile.fields[name] < middle]
    return against if level == LITTLE else [*reasons[:1], *against]
