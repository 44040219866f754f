"""Choose the courses to suggest to a student, their order, and the reasons."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass
from typing import Any

from assessments.measurement.bank import Ranking, Weights
from assessments.measurement.courses import (
    CourseRatings,
    level_chance,
    likeness,
    other_end,
    pearson,
    standardise,
)
from assessments.measurement.profile import Profile
from assessments.measurement.reasons import Explainer, Point, clear_preferences

COUNT = 5
# Without variety, as in the first banks.
AS_THEY_FIT = Ranking()
# The limit of courses per department applies to this many at the top of a list.
TOP = 5
# The aptitude fit of a course that needs no level, or of a profile without facets.
APTITUDE_UNSTATED = 0.5
SCORE_DECIMALS = 4
FIT_DECIMALS = 6


@dataclass(frozen=True, slots=True)
class Recommendation:
    """A suggested course, the scores that decided its place, and its explanation."""

    code: str
    name: str
    score: float
    interest: float
    aptitude: float
    preference: float
    reasons: tuple[Point, ...]
    counterpoint: Point
    note: str
    entry_level: str
    streams: tuple[str, ...]

    def to_json(self) -> dict[str, Any]:
        plain = asdict(self)
        return {**plain, "reasons": list(plain["reasons"]), "streams": list(self.streams)}


@dataclass(frozen=True, slots=True)
class Fit:
    """How well a course fits a student, regardless of which courses are chosen."""

    course: CourseRatings
    shape: tuple[float, ...]
    score: float
    interest: float
    aptitude: float
    preference: float


def recommend(
    profile: Profile,
    courses: Iterable[CourseRatings],
    weights: Weights,
    ranking: Ranking = AS_THEY_FIT,
    count: int = COUNT,
) -> list[Recommendation]:
    """Return the best courses of a catalogue for this profile, the best first.

    The order of `courses` does not matter, and a smaller `count` returns the beginning of the same
    list. An empty catalogue returns an empty list.
    """
    explainer = Explainer(profile, weights)
    recommendations = []
    for fit in diversify(rank(profile, courses, weights, ranking.aptitude_cap), ranking, count):
        said = explainer.explain(fit.course, fit.shape, fit.interest, fit.score)
        recommendations.append(
            Recommendation(
                code=fit.course.code,
                name=fit.course.name,
                score=fit.score,
                interest=fit.interest,
                aptitude=fit.aptitude,
                preference=fit.preference,
                reasons=said.reasons,
                counterpoint=said.counterpoint,
                note=said.note,
                entry_level=fit.course.entry_level,
                streams=fit.course.streams,
            )
        )
    return recommendations


def rank(
    profile: Profile, courses: Iterable[CourseRatings], weights: Weights, aptitude_cap: float
) -> list[Fit]:
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
        fits.append(
            Fit(course, shape, round(score, SCORE_DECIMALS), interest, aptitude, preference)
        )
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


def preference_fit(preferred: Sequence[str], delivery: Sequence[str]) -> float:
    """Return how well a course's delivery agrees with clear preferences: -.5 to .5.

    It is the share of tags that agree, minus .5; a tag on a scale without a clear preference counts
    half. Without tags, it is 0. Two courses therefore differ by at most 1, and preferences never
    move a course by more than their weight.
    """
    if not delivery:
        return 0.0
    agree = sum(tag in preferred for tag in delivery)
    against = sum(other_end(tag) in preferred for tag in delivery)
    return (agree - against) / (2 * len(delivery))


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


def diversify(fits: Sequence[Fit], ranking: Ranking, count: int) -> list[Fit]:
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
    picked: list[Fit] = []

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
