"""5. Which courses are recommended, on the demo's catalogue."""

from __future__ import annotations

import csv
import random
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import replace

from assessments.measurement.bank import Bank, Weights
from assessments.measurement.courses import LEVELS, CourseRatings, pearson, standardise
from assessments.measurement.profile import Profile, score
from assessments.measurement.recommendation import COUNT, rank, recommend
from assessments.measurement.scales import FACETS, INTERESTS, InterestProfile, ScaleScore
from bench.measurement.claims.people import careful
from bench.measurement.claims.simulated import ROOT
from tests.support.figures import Figure, at_least, at_most, exactly, reported

STUDENTS, TRIALS = 1000, 10_000


def figures(bank: Bank, full: bool) -> Iterator[Figure]:
    courses = catalogue()
    yield exactly("raising an interest lowered its own course", _lowered(), 0)
    profiles = [
        score(bank, careful(bank, f"student of the courses {n}"))
        for n in range(STUDENTS * (3 if full else 1))
    ]
    not_first = _not_first(courses, profiles[0], bank.weights)
    yield exactly("students like a course who have another first", not_first, 0)
    lists = [_recommended(bank, each, courses) for each in profiles]
    shuffled = list(courses)
    random.Random("another order").shuffle(shuffled)
    differ = sum(
        _recommended(bank, each, shuffled) != codes
        for each, codes in zip(profiles, lists, strict=True)
    )
    yield exactly("lists that depend on the order of rows", differ, 0)
    yield from _flat(bank, profiles, courses)
    reached = Counter(code for codes in lists for code in codes)
    shares = sorted(reached[course.code] / len(lists) for course in courses)
    yield exactly("courses in the catalogue", len(courses), 24)
    yield exactly("courses that reach nobody's top five", shares.count(0), 0)
    yield at_most("the most frequent course, share of students", shares[-1], 0.40)
    yield reported("the least frequent course, share of students", shares[0])
    yield reported("the mean", sum(shares) / len(shares))
    departments = sum(_crowded(codes, courses) for codes in lists) / len(lists)
    yield reported("lists with three courses of a department", departments)


def catalogue() -> list[CourseRatings]:
    """Read the demo's courses, a file known to be sound."""
    with (ROOT / "assessments" / "demo" / "courses.csv").open(encoding="utf-8-sig") as file:
        return [
            CourseRatings(
                code=row["code"],
                name=row["name"],
                order=int(row["order"]),
                ratings=tuple(int(row[interest]) for interest in INTERESTS),
                levels=tuple(LEVELS.index(row[f"{facet}_level"]) for facet in FACETS),
                importance=tuple(int(row[f"{facet}_importance"]) for facet in FACETS),
                department=row["department"],
                delivery=tuple(row["delivery"].split(";")) if row["delivery"] else (),
            )
            for row in csv.DictReader(file)
        ]


def _recommended(bank: Bank, profile: Profile, courses: Sequence[CourseRatings]) -> list[str]:
    found = recommend(profile, courses, bank.weights, bank.ranking, COUNT)
    return [each.code for each in found]


def _lowered() -> int:
    """Count trials where more of one interest fits a course of only that interest less."""
    draw = random.Random("raised interests")
    lowered = 0
    for _ in range(TRIALS):
        z = [draw.gauss(0, 1) for _ in INTERESTS]
        place = draw.randrange(len(z))
        course = [5 / 6 if n == place else -1 / 6 for n in range(len(z))]
        raised = [each + (draw.expovariate(1) if n == place else 0) for n, each in enumerate(z)]
        lowered += pearson(raised, course) < pearson(z, course) - 1e-12
    return lowered


def _not_first(courses: Sequence[CourseRatings], profile: Profile, weights: Weights) -> int:
    """Count courses that are not first, by interest, for students who are just like them."""
    wrong = 0
    for course, shape in zip(courses, standardise(courses), strict=True):
        fits = rank(_with_interests(profile, shape), courses, weights, 1.0)
        best = max(fit.interest for fit in fits)
        own = next(fit.interest for fit in fits if fit.course.code == course.code)
        wrong += own < best or own < 1 - 1e-6
    return wrong


def _with_interests(profile: Profile, z: Sequence[float]) -> Profile:
    scores = {name: ScaleScore(3.0, each) for name, each in zip(INTERESTS, z, strict=True)}
    return replace(profile, interests=InterestProfile(scores))


def _flat(
    bank: Bank, profiles: Sequence[Profile], courses: Sequence[CourseRatings]
) -> Iterator[Figure]:
    draw = random.Random("flat students")
    flat = [
        _with_interests(profile, [level + draw.uniform(-0.3, 0.3) for _ in INTERESTS])
        for profile in profiles[:200]
        for level in [draw.gauss(0, 1)]
    ]
    wrong = 0
    for profile in [*flat, *profiles]:
        notes = {
            each.note for each in recommend(profile, courses, bank.weights, bank.ranking, COUNT)
        }
        # Unread answers are said first: they may be why the profile is flat.
        marked = notes <= {"flat", "flagged"} and profile.confidence == "low"
        wrong += not marked if profile.interests.is_flat else "flat" in notes
    yield at_least("flat profiles among those looked at", len(flat), 200)
    yield exactly("profiles wrongly marked flat, or not marked", wrong, 0)


def _crowded(codes: Sequence[str], courses: Sequence[CourseRatings]) -> bool:
    departments = {course.code: course.department for course in courses}
    counts = Counter(departments[code] for code in codes if departments[code])
    return max(counts.values(), default=0) > 2
