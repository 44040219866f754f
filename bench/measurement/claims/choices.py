"""1. The truly favourite course, found by types and by fields, on the same simulated students."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from assessments.measurement.ability import Ability
from assessments.measurement.bank import Bank
from assessments.measurement.courses import CourseData
from assessments.measurement.fields import field_scores, fields_to_ask
from assessments.measurement.profile import OVERALL, Profile
from assessments.measurement.recommendation import COUNT, suggest
from assessments.measurement.scales import (
    FACETS,
    INTERESTS,
    PREFERENCES,
    ScaleScore,
    interest_profile,
)
from bench.measurement.claims.courses import catalogue
from bench.measurement.truths import Student, Truth
from tests.support.figures import Figure, at_least, at_most, exactly, reported

STUDENTS = 1000
# Lists with a course of the lower half of the student's own order, at most this share of places.
MOST_IMPLAUSIBLE = {"basic_interests": 0.20, "knowledge": 0.24}
LEAST_GAIN = 0.10
MOST_OFTEN = 0.40
# Puzzles have no part in what a student likes: their estimates are chance here.
SPREAD, ERROR = 0.7, 0.55
NO_LEANING = dict.fromkeys(PREFERENCES, ScaleScore(3.0, 0.0))


@dataclass
class Lists:
    """How a method did: hits among the first k, implausible places, and how often a course."""

    hits: Counter[int] = field(default_factory=Counter)
    implausible: int = 0
    listed: Counter[str] = field(default_factory=Counter)
    students: int = 0

    def add(self, order: Sequence[str], chosen: Sequence[str]) -> None:
        self.students += 1
        self.hits.update(k for k in (1, 3, COUNT) if order[0] in chosen[:k])
        self.implausible += len(set(order[len(order) // 2 :]) & set(chosen))
        self.listed.update(chosen)

    def hit(self, k: int) -> float:
        return self.hits[k] / self.students


def figures(by_types: Bank, by_fields: Bank, full: bool) -> Iterator[Figure]:
    courses = catalogue()
    for name, most in MOST_IMPLAUSIBLE.items():
        first, second = _both(Truth.read(name), by_types, by_fields, courses, full)
        for label, lists in (("types", first), ("fields", second)):
            for k in (1, 3, COUNT):
                yield reported(f"{name}, by {label}: hit@{k}", lists.hit(k))
        gain = second.hit(COUNT) - first.hit(COUNT)
        yield at_least(f"{name}: gain in hit@{COUNT}", gain, LEAST_GAIN)
        places = COUNT * second.students
        yield reported(f"{name}, by types: implausible", first.implausible / places)
        yield at_most(f"{name}, by fields: implausible", second.implausible / places, most)
        shares = sorted(second.listed[course.code] / second.students for course in courses)
        yield exactly(f"{name}: courses in nobody's five", shares.count(0), 0)
        yield at_most(f"{name}: the most frequent course", shares[-1], MOST_OFTEN)


def _both(
    truth: Truth, by_types: Bank, by_fields: Bank, courses: Sequence[CourseData], full: bool
) -> tuple[Lists, Lists]:
    """Let the same students answer both banks."""
    first, second = Lists(), Lists()
    draw = random.Random(f"estimates {truth.name}")
    for number in range(STUDENTS * (3 if full else 1)):
        student = truth.student(f"student {number}")
        estimates = {facet: Ability(draw.gauss(0, SPREAD), ERROR) for facet in FACETS}
        order = student.order()
        first.add(order, recommended(by_types, student, estimates, courses))
        second.add(order, recommended(by_fields, student, estimates, courses))
    return first, second


def recommended(
    bank: Bank,
    student: Student,
    estimates: Mapping[str, Ability],
    courses: Sequence[CourseData],
) -> list[str]:
    """Return the codes that the bank recommends, after stage 2 if the bank has one."""
    answers = {code: student.answer(code) for code in bank.interests}
    leading = fields_to_ask(bank, answers)
    answers |= {
        code: student.answer(code)
        for code, each in bank.follow_ups.items()
        if each.scale in leading
    }
    profile = _profile(bank, answers, estimates)
    return [each.code for each in suggest(bank, profile, answers, courses, COUNT).recommended]


def _profile(bank: Bank, answers: Mapping[str, int], estimates: Mapping[str, Ability]) -> Profile:
    interests = interest_profile(
        [(each.scale, answers[code]) for code, each in bank.interests.items()], bank.norms
    )
    return Profile(
        interests=interests,
        aptitude={OVERALL: Ability(0.0, ERROR), **estimates},
        preferences=NO_LEANING,
        fields=field_scores(bank, answers, dict(zip(INTERESTS, interests.z, strict=True))),
    )
