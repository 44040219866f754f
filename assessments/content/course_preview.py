"""Preview of a course for staff: its most similar courses, and the students it would reach."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from assessments.content.sample_fields import enjoying, likeness
from measurement import explanation
from measurement.ability import Ability
from measurement.bank import Bank
from measurement.courses import CourseData
from measurement.profile import OVERALL, Profile
from measurement.recommendation import suggest
from measurement.scales import (
    FACETS,
    INTERESTS,
    PREFERENCES,
    InterestProfile,
    ScaleScore,
)
from measurement.validity import CAREFUL

NEAREST = 4
NEUTRAL = ScaleScore(3.0, 0.0)
TYPICAL = Ability(0.0, 0.45)


@dataclass(frozen=True, slots=True)
class Neighbour:
    """Another course of the catalogue, and its correlation (-1 to 1) with the previewed one."""

    name: str
    correlation: float


@dataclass(frozen=True, slots=True)
class SampleRank:
    """The place of the course among all for one sample student, and the reasons to read."""

    who: str
    place: int
    reasons: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Preview:
    """The preview of a course in a catalogue of `courses`; students see `listed` of them.

    Of the sample students, one for each field, `samples` are those who would see the course.
    """

    courses: int
    listed: int
    nearest: tuple[Neighbour, ...]
    samples: tuple[SampleRank, ...]


def sample_student(bank: Bank, favourite: str) -> Profile:
    """Return a student with one favourite field, average puzzles and no clear preference."""
    return Profile(
        interests=InterestProfile(dict.fromkeys(INTERESTS, NEUTRAL)),
        aptitude=dict.fromkeys((OVERALL, *FACETS), TYPICAL),
        preferences=dict.fromkeys(PREFERENCES, NEUTRAL),
        validity=CAREFUL,
        fields=enjoying(bank, favourite),
    )


def preview(
    course: CourseData,
    others: Sequence[CourseData],
    bank: Bank,
    names: Mapping[str, str],
    listed: int,
) -> Preview:
    """Compare a course with the other active courses of its project, in English.

    `names` are the English names of the bank's fields, by code. Students see `listed` courses.
    Places refer to the whole ranked list, including diversity.
    """
    catalogue = [course, *others]
    samples = [_ranked(field, catalogue, bank, names) for field in bank.fields]
    nearest = sorted(
        (-round(likeness(bank, course, other), 2), other.order, other.code, other.name)
        for other in others
    )
    return Preview(
        courses=len(catalogue),
        listed=listed,
        nearest=tuple(
            Neighbour(name, -correlation) for correlation, _, _, name in nearest[:NEAREST]
        ),
        samples=tuple(each for each in samples if each.place <= listed),
    )


def _ranked(
    field: str,
    catalogue: Sequence[CourseData],
    bank: Bank,
    names: Mapping[str, str],
) -> SampleRank:
    """Return the place of the first course for a student with one favourite field."""
    student = sample_student(bank, field)
    ranked = suggest(bank, student, {}, catalogue, len(catalogue)).recommended
    place = next(n for n, each in enumerate(ranked) if each.code == catalogue[0].code)
    reasons = explanation.texts(ranked[place].to_json(), "en", names)["reasons"]
    return SampleRank(names[field].capitalize(), place + 1, tuple(reasons))
