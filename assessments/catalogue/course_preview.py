"""Preview of a course for staff: its most similar courses, and the students it would reach."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from assessments import explanation
from assessments.catalogue.sample_fields import enjoying, shape
from assessments.measurement.ability import Ability
from assessments.measurement.bank import Bank
from assessments.measurement.courses import CourseRatings, likeness, standardise
from assessments.measurement.profile import OVERALL, Profile
from assessments.measurement.recommendation import suggest
from assessments.measurement.scales import (
    FACETS,
    INTERESTS,
    PREFERENCES,
    InterestProfile,
    ScaleScore,
)
from assessments.measurement.wording import INTEREST_WORDS

NEAREST = 4
# Mean answers of a sample student, and their standardised scores, by an interest's distance from
# the favourite one. INTERESTS form a circle in which neighbours are similar.
MEANS = (4.6, 3.4, 2.6, 2.2)
SCORES = (1.8, 0.4, -0.4, -0.9)
TYPICAL = Ability(0.0, 0.45)


@dataclass(frozen=True, slots=True)
class Neighbour:
    """Another course of the catalogue, and its correlation (-1 to 1) with the previewed one."""

    name: str
    correlation: float


@dataclass(frozen=True, slots=True)
class SampleRank:
    """The place of the course among all for one sample student.

    `reasons` are the student's texts, empty if the course would not be recommended.
    """

    who: str
    place: int
    reasons: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Preview:
    """The preview of a course in a catalogue of `courses`; students see `listed` of them.

    `by_fields` tells whether the samples have a favourite field, not a favourite interest; then
    only those are among `samples` who would see the course.
    """

    courses: int
    listed: int
    nearest: tuple[Neighbour, ...]
    samples: tuple[SampleRank, ...]
    by_fields: bool


def sample_student(favourite: str) -> Profile:
    """Return a student with one favourite interest, average puzzles and no clear preference."""
    peak = INTERESTS.index(favourite)
    scales = {}
    for place, interest in enumerate(INTERESTS):
        apart = abs(place - peak)
        steps = min(apart, len(INTERESTS) - apart)
        scales[interest] = ScaleScore(MEANS[steps], SCORES[steps])
    return Profile(
        interests=InterestProfile(scales),
        aptitude=dict.fromkeys((OVERALL, *FACETS), TYPICAL),
        preferences=dict.fromkeys(PREFERENCES, ScaleScore(3.0, 0.0)),
    )


def preview(
    course: CourseRatings,
    others: Sequence[CourseRatings],
    bank: Bank,
    names: Mapping[str, str],
    listed: int,
) -> Preview:
    """Compare a course with the other active courses of its project, in English.

    `names` are the English names of the bank's fields, by code. Students see `listed` courses.
    Places refer to the whole ranked list, including diversity.
    """
    catalogue = [course, *others]
    if bank.matching is None:
        shapes = standardise(catalogue)
        samples = [_by_type(interest, catalogue, bank, listed) for interest in INTERESTS]
    else:
        shapes = [shape(bank, each) for each in catalogue]
        samples = [_by_field(field, catalogue, bank, names, listed) for field in bank.fields]
        # Of twenty-two sample students, those who would see the course say most.
        samples = [each for each in samples if each.place <= listed]
    nearest = sorted(
        (-round(likeness(shapes[0], other_shape), 2), other.order, other.code, other.name)
        for other, other_shape in zip(others, shapes[1:], strict=True)
    )
    return Preview(
        courses=len(catalogue),
        listed=listed,
        nearest=tuple(
            Neighbour(name, -correlation) for correlation, _, _, name in nearest[:NEAREST]
        ),
        samples=tuple(samples),
        by_fields=bank.matching is not None,
    )


def _by_type(
    interest: str, catalogue: Sequence[CourseRatings], bank: Bank, listed: int
) -> SampleRank:
    """Return the place of the first course for a student with one favourite interest."""
    who = INTEREST_WORDS["en"][interest].label
    return _ranked(who, sample_student(interest), catalogue, bank, {}, listed)


def _by_field(
    field: str,
    catalogue: Sequence[CourseRatings],
    bank: Bank,
    names: Mapping[str, str],
    listed: int,
) -> SampleRank:
    """Return the place of the first course for a student with one favourite field."""
    student = replace(sample_student(INTERESTS[0]), fields=enjoying(bank, field))
    return _ranked(names[field].capitalize(), student, catalogue, bank, names, listed)


def _ranked(
    who: str,
    student: Profile,
    catalogue: Sequence[CourseRatings],
    bank: Bank,
    names: Mapping[str, str],
    listed: int,
) -> SampleRank:
    """Return the place of the first course for a sample student, who is called `who`."""
    ranked = suggest(bank, student, {}, catalogue, len(catalogue)).recommended
    place = next(n for n, each in enumerate(ranked) if each.code == catalogue[0].code)
    reasons = explanation.texts(ranked[place].to_json(), "en", names)["reasons"]
    return SampleRank(who=who, place=place + 1, reasons=tuple(reasons) if place < listed else ())
