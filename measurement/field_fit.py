"""Rank courses by the fields of work that they belong to."""

import math
from collections import Counter
from collections.abc import Container, Iterable, Mapping, Sequence
from functools import lru_cache
from itertools import chain
from statistics import fmean
from typing import NamedTuple

from measurement.ability import Ability
from measurement.bank import Bank, Matching
from measurement.courses import (
    BOTH,
    DEGREE,
    GRADUATES,
    INCLUDED,
    OTHER_END,
    STREAMS,
    CourseData,
    Demands,
)
from measurement.scales import FACETS, rounded

# A department's number of courses is limited among the first TOP of a list.
TOP = 5
# A smaller SD is 0 but for rounding, and nothing can be expressed in it.
NEGLIGIBLE_SD = 1e-6
# How well a course fits, and the limits of WELL and LITTLE in SDs of fit.
WELL, PART, LITTLE = "well", "part", "little"
WELL_FROM, LITTLE_BELOW = 0.5, -0.5


class Fit(NamedTuple):  # as there is one for each course
    """How well a course fits a student, in SDs over students; 0 is the average student's fit."""

    course: CourseData
    score: float  # the sum of the others
    interest: float
    aptitude: float
    preference: float
    naming: float = 0.0  # what it gains if the student named it

    @property
    def level(self) -> str:
        """WELL, PART or LITTLE, which every page tells alike. That it was named is evidence too."""
        if self.score >= WELL_FROM:
            return WELL
        return LITTLE if self.score < LITTLE_BELOW else PART


def field_shares(fields: Sequence[str], matching: Matching) -> dict[str, float]:
    """Return the share of each of a course's fields, the main one first; they sum to 1."""
    weights = [matching.main_weight, *[matching.other_weight] * (len(fields) - 1)]
    return {name: weight / math.fsum(weights) for name, weight in zip(fields, weights, strict=True)}


def raw_fit(scores: Mapping[str, float], fields: Sequence[str], matching: Matching) -> float:
    """Return a course's mean field score, by share, less the mean of all fields."""
    shares = field_shares(fields, matching).items()
    return math.fsum(share * scores[name] for name, share in shares) - fmean(scores.values())


@lru_cache(maxsize=10_000)  # a catalogue has at most as many courses
def fit_sd(fields: tuple[str, ...], bank: Bank) -> float:
    """Return the SD over students of the raw fits of a course with these fields.

    It is the SD that true likings would give them, times `fit_spread`, the share that estimates
    usually reach. Where a student's answers say less than usual about these fields, the raw fit is
    smaller, so the course stays near the middle of the list.
    """
    shares = field_shares(fields, bank.matching)
    weights = [shares.get(name, 0.0) - 1 / len(bank.fields) for name in bank.fields]
    variance = math.fsum(
        weight * other * covariance
        for weight, row in zip(weights, bank.field_covariances, strict=True)
        for other, covariance in zip(weights, row, strict=True)
    )
    return max(NEGLIGIBLE_SD, bank.matching.fit_spread * math.sqrt(max(0.0, variance)))


def preference_fit(preferred: Sequence[str], delivery: Sequence[str]) -> float:
    """Return how well a course's delivery agrees with a student's clear preferences: -.5 to .5.

    It is the share of delivery tags that agree, less .5. A tag on a scale without a clear
    preference counts half. So two courses differ by at most 1.
    """
    if not delivery:
        return 0.0
    agree = sum(tag in preferred for tag in delivery)
    against = sum(OTHER_END.get(tag) in preferred for tag in delivery)
    return (agree - against) / (2 * len(delivery))


def aptitude_terms(
    demands: Iterable[Demands], facets: Mapping[str, Ability], matching: Matching
) -> dict[Demands, float]:
    """Return what a student's aptitude adds to a fit, for each of these demands of courses.

    It is the sum over facets of the student's estimate times the course's demand (level times
    importance) less the mean demand; courses without demands get 0 and don't count for the mean. It
    is scaled so that its SD over courses is `aptitude_sd` for a student one SD above the mean, and
    capped at `aptitude_cap`.
    """
    courses = Counter(demands)
    terms = dict.fromkeys(courses, 0.0)
    count = courses.total() - courses.pop((), 0)
    if not count:
        return terms
    demanded = {
        each: {facet: level * importance for facet, level, importance in each} for each in courses
    }
    means = {
        facet: math.fsum(n * demanded[each].get(facet, 0) for each, n in courses.items()) / count
        for facet in FACETS
    }
    relative = {
        each: {facet: demand.get(facet, 0) - means[facet] for facet in FACETS}
        for each, demand in demanded.items()
    }
    squares = (n * math.fsum(relative[each].values()) ** 2 for each, n in courses.items())
    spread = math.sqrt(math.fsum(squares) / count)
    if spread < NEGLIGIBLE_SD:
        return terms
    cap = matching.aptitude_cap
    for each, demand in relative.items():
        term = math.fsum(demand[facet] * ability.theta for facet, ability in facets.items())
        terms[each] = max(-cap, min(cap, term * (matching.aptitude_sd / spread)))
    return terms


def rank_courses(
    bank: Bank,
    scores: Mapping[str, float],
    facets: Mapping[str, Ability],
    preferred: Sequence[str],
    courses: Sequence[CourseData],
    named: Container[str] = (),
) -> list[Fit]:
    """Return the fit of every course, the best first; ties by staff order, then code.

    `scores` are the student's field scores, `facets` the aptitude estimates, `preferred` the ends
    of preference scales that the student clearly prefers, and `named` the codes of the courses that
    the student named. A course without a field that the bank knows has an interest fit of 0.
    """
    # Each part of a fit is computed once for all courses that it is the same for.
    interests = {}
    for fields in {course.fields for course in courses}:
        known = tuple(name for name in fields if name in bank.fields)
        raw = raw_fit(scores, known, bank.matching) if known else 0.0
        interests[fields] = rounded(raw / fit_sd(known, bank)) if known else 0.0
    demands = [course.demands for course in courses]
    aptitude = aptitude_terms(demands, facets, bank.matching)
    terms = {each: rounded(term) for each, term in aptitude.items()}
    preferences = {
        delivery: rounded(bank.matching.preference_most * preference_fit(preferred, delivery))
        for delivery in {course.delivery for course in courses}
    }
    fits = []
    for course, demanded in zip(courses, demands, strict=True):
        parts = interests[course.fields], terms[demanded], preferences[course.delivery]
        naming = bank.matching.named if course.code in named else 0.0
        fits.append(Fit(course, rounded(sum(parts) + naming), *parts, naming))
    return sorted(fits, key=_place)


def without_naming(fits: Iterable[Fit]) -> list[Fit]:
    """Return the fits as `rank_courses` does if no course was named."""
    unnamed = (
        fit._replace(score=rounded(fit.score - fit.naming), naming=0.0) if fit.naming else fit
        for fit in fits
    )
    return sorted(unnamed, key=_place)


def _place(fit: Fit) -> tuple[float, int, str]:
    return -fit.score, fit.course.order, fit.course.code


def choose_courses(fits: Sequence[Fit], count: int, matching: Matching) -> list[Fit]:
    """Return up to `count` courses of a ranked list, one of each title, and few of a department.

    Among the first TOP, a course whose department has `per_department` places already yields to the
    next one of another department, or of none, if this is at most `department_lead` worse.
    """
    chosen: list[Fit] = []
    titles: set[str] = set()
    departments: Counter[str] = Counter()
    while len(chosen) < count:
        left = (fit for fit in fits if fit.course.title not in titles)
        best = next(left, None)
        if best is None:
            break
        if len(chosen) < TOP:
            full = {d for d, n in departments.items() if d and n >= matching.per_department}
            others = (fit for fit in chain([best], left) if fit.course.department not in full)
            rival = next(others, best)
            if rounded(best.score - rival.score) <= matching.department_lead:
                best = rival
        titles.add(best.course.title)
        chosen.append(best)
        departments[best.course.department] += 1
    return chosen


def suits_stream(course: CourseData, stream: str) -> bool:
    """Return whether a course is open to a student with this answer to the stream question.

    Every course is with "" or OTHER_STREAM. Maths with biology opens what either of them opens.
    """
    if stream not in STREAMS or not course.required_streams:
        return True
    return not {stream, *INCLUDED.get(stream, ())}.isdisjoint(course.required_streams)


def suits_takers(course: CourseData, takers: str) -> bool:
    """Return whether a course is for those who take the assessment, one of TAKERS.

    Graduates are offered the courses that ask for a degree, school leavers all others. A course
    without an entry level asks for none that we know of.
    """
    return takers == BOTH or (course.entry_level == DEGREE) == (takers == GRADUATES)
