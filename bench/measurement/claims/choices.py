"""1. How often the truly favourite course is found for simulated students."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from lab.figures import Figure, at_most, exactly, reported
from lab.truths import Student, Truth, catalogue
from measurement.ability import Ability
from measurement.bank import Bank
from measurement.courses import CourseData
from measurement.fields import field_scores, fields_to_ask
from measurement.profile import OVERALL, Profile
from measurement.recommendation import COUNT, suggest
from measurement.scales import (
    FACETS,
    PREFERENCES,
    ScaleScore,
    interest_profile,
)
from measurement.validity import CAREFUL

STUDENTS = 1000
# Lists with a course of the lower half of the student's own order, at most this share of places.
MOST_IMPLAUSIBLE = {"basic_interests": 0.20, "knowledge": 0.24, "activities": 0.20}
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


def figures(bank: Bank, full: bool) -> Iterator[Figure]:
    courses = catalogue()
    for name, most in MOST_IMPLAUSIBLE.items():
        lists = _lists(Truth.read(name), bank, courses, full)
        for k in (1, 3, COUNT):
            yield reported(f"{name}: hit@{k}", lists.hit(k))
        yield at_most(f"{name}: implausible", lists.implausible / (COUNT * lists.students), most)
        shares = sorted(lists.listed[course.code] / lists.students for course in courses)
        yield exactly(f"{name}: courses in nobody's five", shares.count(0), 0)
        yield at_most(f"{name}: the most frequent course", shares[-1], MOST_OFTEN)


def _lists(truth: Truth, bank: Bank, courses: Sequence[CourseData], full: bool) -> Lists:
    lists = Lists()
    draw = random.Random(f"estimates {truth.name}")
    for number in range(STUDENTS * (3 if full else 1)):
        student = truth.student(f"student {number}")
        estimates = {facet: Ability(draw.gauss(0, SPREAD), ERROR) for facet in FACETS}
        lists.add(student.order(), recommended(bank, student, estimates, courses))
    return lists


def recommended(
    bank: Bank,
    student: Student,
    estimates: Mapping[str, Ability],
    courses: Sequence[CourseData],
) -> list[str]:
    """Return the codes that the bank recommends after both stages."""
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
        validity=CAREFUL,
        fields=field_scores(bank, answers),
    )
