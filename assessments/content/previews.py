"""Previews of a catalogue and of a course, for sample students."""

from __future__ import annotations

import math
import random
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from statistics import fmean

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

# The field scores of a sample student: the favourite, other fields of its types, all others.
FAVOURITE, RELATED, OTHER = 1.5, 0.3, -0.2
# What a liking of the types, and what chance, makes of a field score; its SD is then about .67, as
# in the norms that ship.
OF_TYPES, OF_CHANCE = 0.45, 0.5


def enjoying(bank: Bank, favourite: str) -> dict[str, float]:
    """Return the field scores of a sample student with one favourite field."""
    types = set(bank.fields[favourite])
    scores = {
        name: RELATED if types & set(its_types) else OTHER
        for name, its_types in bank.fields.items()
    }
    return {**scores, favourite: FAVOURITE}


def with_fields(bank: Bank, profile: Profile, seed: str) -> Profile:
    """Return a simulated student with field scores that go with the six types."""
    draw = random.Random(seed)  # noqa: S311 - simulated students, no secret
    types = profile.interests.by_type
    scores = {
        name: round(
            OF_TYPES * fmean(types[each] for each in its_types) * math.sqrt(len(its_types))
            + OF_CHANCE * draw.gauss(0, 1),
            4,
        )
        for name, its_types in bank.fields.items()
    }
    return replace(profile, fields=scores)


STUDENTS = 200
# Limits the product of students and courses, so that large catalogues take about a second.
MOST_PAIRS, FEWEST_STUDENTS = 16_000, 60
SEED = 2026
# The correlation of two interests among students, and of general ability with a facet.
SHARED_LIKING, SHARED_ABILITY = 0.25, 0.8
# A course in more than this many of 100 lists crowds out others.
OFTEN = 40


@dataclass(frozen=True, slots=True)
class Standing:
    """A course and its share of 100 lists, as edited and as saved (None if it was not)."""

    code: str
    name: str
    percent: int
    before: int | None


@dataclass(frozen=True, slots=True)
class CataloguePreview:
    """The recommendations of a number of simulated students, `listed` courses each."""

    students: int
    listed: int
    standings: tuple[Standing, ...]
    never: tuple[str, ...]
    often: tuple[str, ...]


def catalogue_preview(
    edited: Sequence[CourseData],
    saved: Sequence[CourseData],
    bank: Bank,
    listed: int,
) -> CataloguePreview:
    """Compare the reach of the active courses as edited and as saved, for the same students.

    Courses that reach most students come first.
    """
    largest = max(len(edited), len(saved), 1)
    count = max(FEWEST_STUDENTS, min(STUDENTS, MOST_PAIRS // largest))
    students = made_up_students()[:count]
    now = reached(edited, students, bank, listed)
    before = now if list(edited) == list(saved) else None
    if before is None:
        before = reached(saved, students, bank, listed)
    known = {course.code for course in saved}
    standings = [
        Standing(
            course.code,
            course.name,
            round(100 * now[course.code] / count),
            round(100 * before[course.code] / count) if course.code in known else None,
        )
        for course in sorted(edited, key=lambda each: (-now[each.code], each.order, each.code))
    ]
    return CataloguePreview(
        students=count,
        listed=listed,
        standings=tuple(standings),
        never=tuple(each.name for each in standings if not now[each.code]),
        often=tuple(each.name for each in standings if each.percent > OFTEN),
    )


def reached(
    courses: Sequence[CourseData],
    students: Sequence[Profile],
    bank: Bank,
    listed: int,
) -> Counter[str]:
    """Return the number of students who are recommended each course, by code."""
    counts: Counter[str] = Counter()
    for number, student in enumerate(students):
        sample = with_fields(bank, student, f"{SEED} {number}")
        suggestions = suggest(bank, sample, {}, courses, listed)
        counts.update(each.code for each in suggestions.recommended)
    return counts


@lru_cache(maxsize=1)
def made_up_students() -> tuple[Profile, ...]:
    """Return STUDENTS simulated students, always the same, with realistic correlations."""
    rng = random.Random(SEED)  # noqa: S311  made-up students, no secret
    return tuple(_student(rng) for _ in range(STUDENTS))


def _student(rng: random.Random) -> Profile:
    liking, general = rng.gauss(0, 1), rng.gauss(0, 1)

    def drawn(common: float, correlation: float) -> float:
        own = math.sqrt(1 - correlation) * rng.gauss(0, 1)
        return max(-2.2, min(2.2, math.sqrt(correlation) * common + own))

    def scored(z: float) -> ScaleScore:
        return ScaleScore(round(3.0 + 0.9 * z, 2), round(z, 4))

    interests = {each: scored(drawn(liking, SHARED_LIKING)) for each in INTERESTS}
    # Estimates vary less than the true abilities.
    thetas = {facet: 0.87 * drawn(general, SHARED_ABILITY**2) for facet in FACETS}
    return Profile(
        interests=InterestProfile(interests),
        aptitude={
            OVERALL: Ability(fmean(thetas.values()), 0.28),
            **{facet: Ability(theta, 0.48) for facet, theta in thetas.items()},
        },
        preferences={scale: scored(drawn(0.0, 0.0)) for scale in PREFERENCES},
        validity=CAREFUL,
        fields={},
    )


NEUTRAL = ScaleScore(3.0, 0.0)
TYPICAL = Ability(0.0, 0.45)


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
    return Preview(
        courses=len(catalogue),
        listed=listed,
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
