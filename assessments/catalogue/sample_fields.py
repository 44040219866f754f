"""Sample students of previews, for banks that rank courses by fields."""

from __future__ import annotations

import math
import random
from collections.abc import Mapping
from dataclasses import replace
from statistics import fmean

from assessments.measurement.bank import Bank
from assessments.measurement.courses import CourseRatings
from assessments.measurement.field_fit import field_shares
from assessments.measurement.profile import Profile
from assessments.measurement.scales import INTERESTS

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
    types = dict(zip(INTERESTS, profile.interests.z, strict=True))
    scores = {
        name: round(
            OF_TYPES * fmean(types[each] for each in its_types) * math.sqrt(len(its_types))
            + OF_CHANCE * draw.gauss(0, 1),
            4,
        )
        for name, its_types in bank.fields.items()
    }
    return replace(profile, fields=scores)


def shape(bank: Bank, course: CourseRatings) -> tuple[float, ...]:
    """Return the shares of all fields in a course, for comparing courses; all 0 without fields."""
    known = [name for name in course.fields if name in bank.fields]
    of_course: Mapping[str, float] = (
        field_shares(known, bank.matching) if known and bank.matching is not None else {}
    )
    return tuple(of_course.get(name, 0.0) for name in bank.fields)
