"""Previews of a catalogue and of a course, for sample students, as their templates take them."""

from __future__ import annotations

import math
import random
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import asdict, replace
from functools import lru_cache
from statistics import fmean
from typing import Any

from measurement import explanation
from measurement.ability import Ability
from measurement.bank import Bank
from measurement.courses import CourseData
from measurement.profile import OVERALL, Profile
from measurement.recommendation import suggest
from measurement.scales import FACETS, INTERESTS, PREFERENCES, ScaleScore
from measurement.validity import CAREFUL

# The field scores of a sample student: the favourite, other fields of its types, all others.
FAVOURITE, RELATED, OTHER = 1.5, 0.3, -0.2
# What a liking of the types, and what chance, makes of a field score; its SD is then about .67, as
# in the norms that ship.
OF_TYPES, OF_CHANCE = 0.45, 0.5
STUDENTS = 200
# Limits the product of students and courses, so that large catalogues take about a second.
MOST_PAIRS, FEWEST_STUDENTS = 16_000, 60
SEED = 2026
# The correlation of two interests among students, and of general ability with a facet.
SHARED_LIKING, SHARED_ABILITY = 0.25, 0.8
# A course in more than this many of 100 lists crowds out others.
OFTEN = 40
NEUTRAL = ScaleScore(3.0, 0.0)
TYPICAL = Ability(0.0, 0.45)


def catalogue_preview(courses: Sequence[CourseData], bank: Bank, listed: int) -> dict[str, Any]:
    """Recommend these courses to sample students, `listed` courses each.

    `standings` has the name of each course and its share of 100 lists, those first that reach most
    students.
    """
    count = max(FEWEST_STUDENTS, min(STUDENTS, MOST_PAIRS // max(len(courses), 1)))
    reached: Counter[str] = Counter()
    for number, student in enumerate(made_up_students()[:count]):
        sample = _with_fields(bank, student, f"{SEED} {number}")
        recommended = suggest(bank, sample, {}, courses, listed).recommended
        reached.update(each.code for each in recommended)
    ordered = sorted(courses, key=lambda each: (-reached[each.code], each.order, each.code))
    standings = [(each.name, round(100 * reached[each.code] / count)) for each in ordered]
    return {
        "students": count,
        "listed": listed,
        "standings": standings,
        "never": [each.name for each in ordered if not reached[each.code]],
        "often": [name for name, percent in standings if percent > OFTEN],
    }


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
    aptitude = {facet: Ability(theta, 0.48) for facet, theta in thetas.items()}
    return Profile(
        interests=interests,
        aptitude={OVERALL: Ability(fmean(thetas.values()), 0.28), **aptitude},
        preferences={scale: scored(drawn(0.0, 0.0)) for scale in PREFERENCES},
        validity=CAREFUL,
        fields={},
    )


def _with_fields(bank: Bank, student: Profile, seed: str) -> Profile:
    """Return a simulated student with field scores that go with the six types."""
    draw = random.Random(seed)  # noqa: S311  made-up students, no secret
    likings = {name: score.z for name, score in student.interests.items()}
    scores = {}
    for name, types in bank.fields.items():
        liking = fmean(likings[each] for each in types) * math.sqrt(len(types))
        scores[name] = round(OF_TYPES * liking + OF_CHANCE * draw.gauss(0, 1), 4)
    return replace(student, fields=scores)


def preview(
    course: CourseData,
    others: Sequence[CourseData],
    bank: Bank,
    names: Mapping[str, str],
    listed: int,
) -> dict[str, Any]:
    """Compare a course with the other active courses of its project, in English.

    `names` are the English names of the bank's fields, by code. Students see `listed` courses.
    There is a sample student for each field; `samples` has those who would see the course, with
    its place among all courses and the reasons to read.
    """
    catalogue = [course, *others]
    samples = []
    for field in bank.fields:
        student = _student_who_enjoys(field, bank)
        ranked = suggest(bank, student, {}, catalogue, len(catalogue)).recommended
        place = next(n for n, each in enumerate(ranked, 1) if each.code == course.code)
        if place <= listed:
            texts = explanation.texts(asdict(ranked[place - 1]), "en", names)
            who = names[field].capitalize()
            samples.append({"who": who, "place": place, "reasons": texts["reasons"]})
    return {"courses": len(catalogue), "listed": listed, "samples": samples}


def _student_who_enjoys(favourite: str, bank: Bank) -> Profile:
    """Return a student with one favourite field, average puzzles and no clear preference."""
    types = set(bank.fields[favourite])
    scores = {
        name: RELATED if types & set(its_types) else OTHER
        for name, its_types in bank.fields.items()
    }
    return Profile(
        interests=dict.fromkeys(INTERESTS, NEUTRAL),
        aptitude=dict.fromkeys((OVERALL, *FACETS), TYPICAL),
        preferences=dict.fromkeys(PREFERENCES, NEUTRAL),
        validity=CAREFUL,
        fields={**scores, favourite: FAVOURITE},
    )
