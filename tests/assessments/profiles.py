"""Students and catalogues as plain values, for what ranks and explains courses."""

from __future__ import annotations

import random
from collections.abc import Mapping
from pathlib import Path

from assessments.catalogue.courses_file import parse
from assessments.measurement.ability import Ability
from assessments.measurement.bank import Ranking, Weights
from assessments.measurement.courses import CourseRatings
from assessments.measurement.profile import Profile
from assessments.measurement.scales import (
    FACETS,
    INTERESTS,
    PREFERENCES,
    InterestProfile,
    ScaleScore,
)
from assessments.measurement.validity import Validity

WEIGHTS = Weights(0.65, 0.30, 0.05)
# What keeps a list from being five times the same, as design and bank 2026.2 have it.
RANKING = Ranking(diversity=0.2, per_department=2, department_lead=0.1, aptitude_cap=0.85)
DEMO_FILE = Path(__file__).resolve().parents[2] / "assessments" / "demo" / "courses.csv"
# Six courses, each about one interest and with as much of each of the others.
PURE = [
    CourseRatings(f"C{n}", f"Course {n}", n, tuple(3 if k == n else 0 for k in range(6)))  # type: ignore[arg-type]
    for n in range(6)
]
# The same, and some mixed ones beside them.
MIXED = [
    *PURE,
    CourseRatings("M1", "Mixed 1", 7, (3, 2, 0, 0, 0, 1)),
    CourseRatings("M2", "Mixed 2", 8, (0, 0, 1, 3, 2, 0)),
    CourseRatings("M3", "Mixed 3", 9, (1, 3, 2, 0, 0, 0)),
]


def student(
    z: tuple[float, ...],
    abilities: Mapping[str, float] | None = None,
    leans: Mapping[str, float] | None = None,
    *,
    se: float = 0.48,
    flags: tuple[str, ...] = (),
) -> Profile:
    """Return a student with these standardised interests, facets and preferences (in SDs).

    Mean answers are those under the first norms, 3 and 0.9.
    """
    scales = {
        interest: ScaleScore(round(3 + 0.9 * value, 4), value)
        for interest, value in zip(INTERESTS, z, strict=True)
    }
    return Profile(
        interests=InterestProfile(scales),
        aptitude={facet: Ability(theta, se) for facet, theta in (abilities or {}).items()},
        preferences={
            scale: ScaleScore(round(3 + 0.9 * value, 4), value)
            for scale, value in (leans or {}).items()
        },
        validity=Validity(1.0, 0.9, 0.5, 2, 0, 4.0, (), flags),
    )


def answering(means: tuple[float, ...], abilities: Mapping[str, float] | None = None) -> Profile:
    """Return a student by mean answers (1 to 5) on the six interests."""
    return student(tuple(round((mean - 3) / 0.9, 4) for mean in means), abilities)


def simulated(rng: random.Random, shared: float) -> Profile:
    """Draw a student; `shared` is the correlation of any two interests.

    Estimates of facets spread as posterior means do, .87 of the true SD, and correlate by a
    general ability; preferences are independent.
    """
    liking, general = rng.gauss(0, 1), rng.gauss(0, 1)

    def interest() -> float:
        value = shared**0.5 * liking + (1 - shared) ** 0.5 * rng.gauss(0, 1)
        return round(min(max(value, -2.2), 2.2), 4)

    return student(
        tuple(interest() for _ in INTERESTS),
        {facet: 0.87 * (0.8 * general + 0.6 * rng.gauss(0, 1)) for facet in FACETS},
        {scale: rng.gauss(0, 1) for scale in PREFERENCES},
    )


def demo_courses() -> list[CourseRatings]:
    """Return the demo's catalogue as ranking sees it."""
    return [
        CourseRatings(
            code=row["code"],
            name=row["name"],
            order=row["order"],
            ratings=tuple(row[interest] for interest in INTERESTS),
            levels=tuple(row[f"{facet}_level"] for facet in FACETS),
            importance=tuple(row[f"{facet}_importance"] for facet in FACETS),
            department=row["department"],
            delivery=tuple(row["delivery"]),
            entry_level=row["entry_level"],
            streams=tuple(row["streams"]),
            fields=tuple(row["fields"]),
            required_streams=tuple(row["required_streams"]),
        )
        for row in parse(DEMO_FILE.read_bytes())
    ]
