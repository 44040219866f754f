"""Rank courses by the fields of work that they belong to."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Container, Iterable, Mapping, Sequence
from dataclasses import dataclass
from statistics import fmean, pstdev

from measurement.ability import Ability
from measurement.bank import Bank, Matching
from measurement.courses import INCLUDED, OTHER_END, STREAMS, CourseData
from measurement.scales import FACETS, rounded

# The limit of courses per department applies to this many at the top of a list.
TOP = 5
# A fit can't be expressed in smaller SDs; only courses of all fields alike have one.
NEGLIGIBLE_SD = 1e-6


@dataclass(frozen=True, slots=True)
class Fit:
    """How well a course fits a student, regardless of which courses are chosen.

    `score` is the sum of the others, in SDs over students; 0 is the average student's. `naming` is
    what the course gains if the student named it.
    """

    course: CourseData
    score: float
    interest: float
    aptitude: float
    preference: float
    naming: float = 0.0


def field_shares(fields: Sequence[str], matching: Matching) -> dict[str, float]:
    """Return the share of each of a course's fields, the main one first; they sum to 1."""
    weights = [matching.main_weight, *[matching.other_weight] * (len(fields) - 1)]
    return {name: weight / math.fsum(weights) for name, weight in zip(fields, weights, strict=True)}


def raw_fit(scores: Mapping[str, float], fields: Sequence[str], matching: Matching) -> float:
    """Return a course's mean field score, by share, less the student's mean of all fields."""
    of_course = field_shares(fields, matching)
    return math.fsum(share * scores[name] for name, share in of_course.items()) - fmean(
        scores.values()
    )


def fit_sd(fields: Sequence[str], bank: Bank) -> float:
    """Return the unit of fit of a course with these fields: how raw fits like its own spread.

    It is the SD over students of what the raw fit estimates, times the share of it that estimates
    usually have. Where the answers say less than usual about these fields, raw fits spread less, so
    the course stays near the middle of a list.
    """
    of_course = field_shares(fields, bank.matching)
    weights = [of_course.get(name, 0.0) - 1 / len(bank.fields) for name in bank.fields]
    variance = math.fsum(
        one * other * covariance
        for one, row in zip(weights, bank.field_covariances, strict=True)
        for other, covariance in zip(weights, row, strict=True)
    )
    return max(NEGLIGIBLE_SD, bank.matching.fit_spread * math.sqrt(max(0.0, variance)))


def preference_fit(preferred: Sequence[str], delivery: Sequence[str]) -> float:
    """Return how well a course's delivery agrees with clear preferences: -.5 to .5.

    It is the share of tags that agree, minus .5; a tag on a scale without a clear preference counts
    half. Without tags, it is 0. Two courses therefore differ by at most 1, and preferences never
    move a course by more than their weight.
    """
    if not delivery:
        return 0.0
    agree = sum(tag in preferred for tag in delivery)
    against = sum(OTHER_END.get(tag) in preferred for tag in delivery)
    return (agree - against) / (2 * len(delivery))


def aptitude_terms(
    courses: Sequence[CourseData], facets: Mapping[str, Ability], matching: Matching
) -> dict[str, float]:
    """Return what a student's aptitude adds to the fit of each course, by code.

    It is the sum over facets of the course's demand (level times importance), less the mean demand
    of the courses that have one, times the student's estimate. It is scaled to an SD over these
    courses of `aptitude_sd` for a student one SD above the mean, and capped at `aptitude_cap`.
    """
    demands = {
        course.code: {facet: level * importance for facet, level, importance in course.demands}
        for course in courses
        if course.demands
    }
    terms = dict.fromkeys([course.code for course in courses], 0.0)
    if not demands:
        return terms
    means = {facet: fmean(each.get(facet, 0) for each in demands.values()) for facet in FACETS}
    relative = {
        code: {facet: demand.get(facet, 0) - means[facet] for facet in FACETS}
        for code, demand in demands.items()
    }
    spread = pstdev([math.fsum(each.values()) for each in relative.values()])
    if spread < NEGLIGIBLE_SD:
        return terms
    for code, each in relative.items():
        term = math.fsum(
            each[facet] * ability.theta for facet, ability in facets.items() if facet in FACETS
        )
        term *= matching.aptitude_sd / spread
        terms[code] = max(-matching.aptitude_cap, min(matching.aptitude_cap, term))
    return terms


def rank(
    bank: Bank,
    scores: Mapping[str, float],
    facets: Mapping[str, Ability],
    preferred: Sequence[str],
    courses: Iterable[CourseData],
    named: Container[str] = (),
) -> list[Fit]:
    """Return the fit of every course, the best first; ties by staff order, then code.

    `scores` are the student's field scores, `facets` the aptitude estimates, `preferred` the ends
    of preference scales that the student clearly prefers, `named` the codes of courses that the
    student named. A course without fields known to the bank has an average interest fit.
    """
    catalogue = sorted(courses, key=lambda course: (course.order, course.code))
    aptitude = aptitude_terms(catalogue, facets, bank.matching)
    fits = []
    for course in catalogue:
        fields = [name for name in course.fields if name in bank.fields]
        interest = 0.0
        if fields:
            interest = raw_fit(scores, fields, bank.matching) / fit_sd(fields, bank)
        naming = bank.matching.named if course.code in named else 0.0
        preference = bank.matching.preference_most * preference_fit(preferred, course.delivery)
        fits.append(
            Fit(
                course=course,
                score=rounded(interest + aptitude[course.code] + preference + naming),
                interest=rounded(interest),
                aptitude=rounded(aptitude[course.code]),
                preference=rounded(preference),
                naming=naming,
            )
        )
    return sorted(fits, key=lambda fit: -fit.score)


def choose(fits: Sequence[Fit], count: int, matching: Matching) -> list[Fit]:
    """Return up to `count` courses of a ranked list, with no more than a few of a department.

    Among the first TOP, a course whose department has `per_department` places already yields to
    the best one of another department, or of none, that is at most `department_lead` worse.
    """
    left = list(fits)
    chosen: list[Fit] = []
    departments: Counter[str] = Counter()
    while left and len(chosen) < count:
        best = left[0]
        if len(chosen) < TOP and _is_full(best, departments, matching):
            others = (fit for fit in left if not _is_full(fit, departments, matching))
            rival = next(others, best)
            if rounded(best.score - rival.score) <= matching.department_lead:
                best = rival
        left.remove(best)
        chosen.append(best)
        departments[best.course.department] += 1
    return chosen


def suits_stream(course: CourseData, stream: str) -> bool:
    """Return whether a course is open to a student who gave this answer to the stream question.

    Answers that name no stream, "" and OTHER_STREAM, leave no course out. Maths with biology opens
    what maths or biology opens, but not the other way round.
    """
    if stream not in STREAMS or not course.required_streams:
        return True
    return not {stream, *INCLUDED.get(stream, ())}.isdisjoint(course.required_streams)


def _is_full(fit: Fit, departments: Counter[str], matching: Matching) -> bool:
    department = fit.course.department
    return department != "" and departments[department] >= matching.per_department
