"""Sample students of previews, and how much two courses are alike."""

from __future__ import annotations

import math
import random
from dataclasses import replace
from statistics import correlation, fmean

from measurement.bank import Bank
from measurement.courses import CourseData
from measurement.field_fit import field_shares
from measurement.profile import Profile

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


def likeness(bank: Bank, one: CourseData, other: CourseData) -> float:
    """Return the correlation of two courses over all fields; 0 if one has none."""
    shares = [_shares(bank, course) for course in (one, other)]
    return correlation(*shares) if all(map(any, shares)) else 0.0


def _shares(bank: Bank, course: CourseData) -> list[float]:
    known = [name for name in course.fields if name in bank.fields]
    of_course = field_shares(known, bank.matching) if known else {}
    return [of_course.get(name, 0.0) for name in bank.fields]
