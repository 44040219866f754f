"""Answer the question how a course fits that the student named before the result."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import islice

from measurement.bank import Bank
from measurement.field_fit import Fit
from measurement.profile import Profile
from measurement.reasons import Explainer, Reason

# A student may name this many courses.
MOST = 3
# In SDs of fit over students, without what the naming adds.
WELL_FROM, LITTLE_BELOW = 0.5, -0.5
WELL, PART, LITTLE, UNSURE, SUBJECTS = FITS = ("well", "part", "little", "unsure", "subjects")
DISLIKED, LESS = AGAINST = ("disliked_statement", "less_field")
DISLIKED_TO = 2  # an answer to a statement
POINTS = 2


@dataclass(frozen=True, slots=True)
class Considered:
    """A named course and what the result says of it.

    `fit` is one of FITS. `place` is its place among all courses that are open to the student, and
    `place_unnamed` the one that it would have if it had not been named; both are 0 if it needs
    other subjects, which are its `streams`.
    """

    code: str
    name: str
    fit: str
    place: int
    place_unnamed: int
    points: list[Reason]
    streams: list[str]


def consider(
    bank: Bank,
    answers: Mapping[str, int],
    profile: Profile,
    named: Sequence[str],
    fits: Sequence[Fit],
    unnamed: Sequence[Fit],
    others: Sequence[Fit],
) -> list[Considered]:
    """Return what the result says of the `named` courses, in their order.

    `fits` are the courses that are open to the student, the best first; `unnamed` are the same
    without what the naming adds; `others` need other subjects. A code in none of them is left out.
    """
    places = {fit.course.code: place for place, fit in enumerate(fits, 1)}
    before = {fit.course.code: (place, fit) for place, fit in enumerate(unnamed, 1)}
    closed = {fit.course.code: fit for fit in others}
    found = []
    for code in named:
        if code in closed:
            course = closed[code].course
            found.append(
                Considered(code, course.name, SUBJECTS, 0, 0, [], list(course.required_streams))
            )
        elif code in before:
            place, fit = before[code]
            level = how_well(fit, profile)
            points = list(islice(_points(bank, answers, profile, fit, level), POINTS))
            found.append(Considered(code, fit.course.name, level, places[code], place, points, []))
    return found


def how_well(fit: Fit, profile: Profile) -> str:
    """Return how well a course fits, one of FITS; UNSURE if the answers show no direction."""
    if profile.confidence == "low":
        return UNSURE
    if fit.score >= WELL_FROM:
        return WELL
    return LITTLE if fit.score < LITTLE_BELOW else PART


def _points(
    bank: Bank, answers: Mapping[str, int], profile: Profile, fit: Fit, level: str
) -> Iterator[Reason]:
    """Yield why: what speaks for the course unless it fits little, then what speaks against it."""
    if level == UNSURE:
        return
    reasons = Explainer(bank, answers, profile).explain(fit).reasons
    if level != LITTLE:
        yield from reasons if level == WELL else reasons[:1]
    if level != WELL:
        yield from _against(bank, answers, fit)


def _against(bank: Bank, answers: Mapping[str, int], fit: Fit) -> Iterator[Reason]:
    """Yield statements about the main field that the student disliked, then the field."""
    main = next((name for name in fit.course.fields if name in bank.fields), "")
    for code, statement in bank.statements.items():
        answer = answers.get(code, DISLIKED_TO + 1)
        if answer <= DISLIKED_TO and statement.fields and statement.fields[0] == main:
            yield Reason(DISLIKED, code, float(answer))
    if main:
        yield Reason(LESS, main)
