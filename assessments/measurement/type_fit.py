"""Rank courses by the six Holland types."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from assessments.measurement.bank import Ranking, Weights
from assessments.measurement.course_fit import TOP, Fit, preference_fit
from assessments.measurement.courses import (
    CourseRatings,
    level_chance,
    likeness,
    pearson,
    standardise,
)
from assessments.measurement.profile import Profile
from assessments.measurement.reasons import clear_preferences

# The aptitude fit of a course that needs no level, or of a profile without facets.
APTITUDE_UNSTATED = 0.5
SCORE_DECIMALS = 4
FIT_DECIMALS = 6


@dataclass(frozen=True, slots=True)
class TypeFit(Fit):
    """The fit of a course by types; `shape` are the course's standardised ratings."""

    shape: tuple[float, ...]


def rank_by_types(
    profile: Profile, courses: Iterable[CourseRatings], weights: Weights, aptitude_cap: float
) -> list[TypeFit]:
    """Return the fit of every course, the best first.

    Order: score to four decimals, interest fit, aptitude fit, staff order, code.
    """
    catalogue = sorted(courses, key=lambda course: (course.order, course.code))
    student = profile.interests
    preferred = clear_preferences(profile)
    fits = []
    for course, shape in zip(catalogue, standardise(catalogue), strict=True):
        interest = round(pearson(student.z, shape), FIT_DECIMALS)
        aptitude = round(aptitude_fit(profile, course, aptitude_cap), FIT_DECIMALS)
        preference = round(preference_fit(preferred, course.delivery), FIT_DECIMALS)
        score = combined_score(interest, aptitude, preference, weights, flat=student.is_flat)
        score = round(score, SCORE_DECIMALS)
        fits.append(TypeFit(course, score, interest, aptitude, preference, shape))
    # Sorting is stable: ties stay in staff order, then code.
    return sorted(fits, key=lambda fit: (fit.score, fit.interest, fit.aptitude), reverse=True)


def aptitude_fit(profile: Profile, course: CourseRatings, cap: float) -> float:
    """Return the probability that the student reaches the course's levels, from 0 to `cap`.

    It is the mean probability of reaching the level of each facet, weighted by importance. Facets
    that the profile lacks are ignored; without any, return APTITUDE_UNSTATED.
    """
    known = [demand for demand in course.demands if demand[0] in profile.facets]
    total = sum(importance for _, _, importance in known)
    if not total:
        return APTITUDE_UNSTATED
    reached = sum(
        importance * level_chance(profile.facets[facet], level)
        for facet, level, importance in known
    )
    return min(reached / total, cap)


def combined_score(
    interest: float, aptitude: float, preference: float, weights: Weights, *, flat: bool
) -> float:
    """Weigh interest fit (-1 to 1), aptitude fit (0 to 1) and preference fit (-.5 to .5).

    A flat profile halves the weight of interests. The other half is neutral for every course, so
    that aptitude does not gain weight when interests show no direction.
    """
    liking = (interest + 1) / 2
    if flat:
        liking = (liking + 0.5) / 2
    return (
        weights.interests * liking + weights.aptitude * aptitude + weights.preferences * preference
    )


def diversify(fits: Sequence[TypeFit], ranking: Ranking, count: int) -> list[TypeFit]:
    """Pick up to `count` courses of a ranked list, one by one, with some variety.

    A course loses `ranking.diversity` times its highest correlation (at least 0) with a course
    picked before. Among the first TOP, a department that has `per_department` courses gets another
    one only if it leads all others by `department_lead`, or no others are left. Ties keep the order
    of `fits`. Source of the penalty: Carbonell, J. & Goldstein, J. (1998), maximal marginal
    relevance, SIGIR 98, 335-336.
    """
    left = list(range(len(fits)))
    similarity = [0.0] * len(fits)
    departments: Counter[str] = Counter()
    picked: list[TypeFit] = []

    def worth(place: int) -> float:
        return round(fits[place].score - ranking.diversity * similarity[place], SCORE_DECIMALS)

    def best(places: Sequence[int]) -> int:
        return max(places, key=lambda place: (worth(place), -place))

    def is_full(place: int) -> bool:
        department = fits[place].course.department
        return (
            ranking.per_department is not None
            and department != ""
            and departments[department] >= ranking.per_department
        )

    while left and len(picked) < count:
        place = best(left)
        rivals = [other for other in left if not is_full(other)]
        if len(picked) < TOP and is_full(place) and rivals:
            rival = best(rivals)
            lead = round(worth(place) - worth(rival), SCORE_DECIMALS)
            if ranking.department_lead is None or lead < ranking.department_lead:
                place = rival
        left.remove(place)
        picked.append(fits[place])
        departments[fits[place].course.department] += 1
        for other in left:
            similarity[other] = max(
                similarity[other], likeness(fits[other].shape, fits[place].shape)
            )
    return picked
