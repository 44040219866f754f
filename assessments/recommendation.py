"""Which courses to suggest to a student, in which order, and why.

Pure functions over a profile and a project's catalogue: nothing here reaches the database.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any, Self

from assessments.measurement.bank import Weights
from assessments.measurement.profile import Profile
from assessments.measurement.scales import INTERESTS, InterestProfile, standard_deviation
from assessments.measurement.wording import (
    AMOUNT_WORDS,
    INTEREST_WORDS,
    REASON_WORDS,
    known_language,
)

COUNT = 5
# With fewer courses their own means say little; these are of a broad college catalogue.
FEWEST_TO_STANDARDISE = 4
BUILT_IN_MEANS: tuple[float, ...] = (1.1, 1.7, 0.8, 1.1, 1.1, 1.3)
# What aptitude and preferences add where a course says nothing about levels or delivery.
APTITUDE_UNSTATED = 0.5
PREFERENCE_UNSTATED = 0.0
# An average answer above this is on the "like" side.
NEITHER_LIKED_NOR_DISLIKED = 3
# In SDs from a student's own average; less than this may come from rounding.
NOTICEABLE = 0.01
MUCH = 2
SCORE_DECIMALS = 4
FIT_DECIMALS = 6


@dataclass(frozen=True, slots=True)
class CourseRatings:
    """A course as ranking sees it; six ratings from 0 to 3 in the order of INTERESTS."""

    code: str
    name: str
    order: int
    ratings: tuple[int, int, int, int, int, int]


@dataclass(frozen=True, slots=True)
class Reason:
    """Why a course is suggested, as data: the kind of reason and the figures it rests on.

    `answer` is the student's mean answer (1 to 5) on the interest, `rating` the course's (0 to 3).
    """

    code: str
    interest: str
    answer: float
    rating: int

    def to_json(self) -> dict[str, Any]:
        """Return the reason in plain values."""
        return asdict(self)

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> Self:
        """Read what to_json returned."""
        return cls(data["code"], data["interest"], float(data["answer"]), data["rating"])


@dataclass(frozen=True, slots=True)
class Recommendation:
    """A suggested course with the figures that put it in its place."""

    code: str
    name: str
    score: float
    interest: float
    aptitude: float
    preference: float
    reason: Reason

    def to_json(self) -> dict[str, Any]:
        """Return the recommendation in plain values."""
        return asdict(self)


def recommend(
    profile: Profile, courses: Iterable[CourseRatings], weights: Weights, count: int = COUNT
) -> list[Recommendation]:
    """Return the best courses of a catalogue for this profile, the best first.

    Order: score to four decimals, interest fit, aptitude fit, staff order, code; the order in
    which the courses are handed over changes nothing. An empty catalogue gives an empty list.
    """
    catalogue = sorted(courses, key=lambda course: (course.order, course.code))
    student = profile.interests
    ranked = []
    for course, shape in zip(catalogue, standardise(catalogue), strict=True):
        interest = round(pearson(student.z, shape), FIT_DECIMALS)
        aptitude, preference = APTITUDE_UNSTATED, PREFERENCE_UNSTATED
        score = combined_score(interest, aptitude, preference, weights, flat=student.is_flat)
        ranked.append((round(score, SCORE_DECIMALS), interest, aptitude, preference, course, shape))
    # Sorting is stable: what ties here stays in staff order, then code.
    ranked.sort(key=lambda row: row[:3], reverse=True)
    return [
        Recommendation(
            course.code,
            course.name,
            score,
            interest,
            aptitude,
            preference,
            _reason(student, course, shape),
        )
        for score, interest, aptitude, preference, course, shape in ranked[:count]
    ]


def standardise(courses: Sequence[CourseRatings]) -> list[tuple[float, ...]]:
    """Return each course's ratings relative to the catalogue: per interest, mean 0 and SD 1.

    An interest on which all courses are rated alike is only centred. A catalogue of fewer than
    four courses is only centred too, on built-in means.
    """
    if len(courses) < FEWEST_TO_STANDARDISE:
        return [
            tuple(r - mean for r, mean in zip(course.ratings, BUILT_IN_MEANS, strict=True))
            for course in courses
        ]
    columns = list(zip(*(course.ratings for course in courses), strict=True))
    means = [sum(column) / len(column) for column in columns]
    spreads = [standard_deviation(column) or 1.0 for column in columns]
    return [
        tuple(
            (rating - mean) / spread
            for rating, mean, spread in zip(course.ratings, means, spreads, strict=True)
        )
        for course in courses
    ]


def pearson(xs: Sequence[float], ys: Sequence[float]) -> float:
    """Return the correlation of two profiles; 0 where one of them has no ups and downs."""
    dx, dy = centred(xs), centred(ys)
    size = math.sqrt(math.fsum(x * x for x in dx)) * math.sqrt(math.fsum(y * y for y in dy))
    # Standardised ratings that should all be equal may differ in their last bits.
    if size < 1e-9:
        return 0.0
    return math.fsum(x * y for x, y in zip(dx, dy, strict=True)) / size


def centred(values: Sequence[float]) -> list[float]:
    """Return the values less their mean."""
    mean = math.fsum(values) / len(values)
    return [value - mean for value in values]


def combined_score(
    interest: float, aptitude: float, preference: float, weights: Weights, *, flat: bool
) -> float:
    """Weigh interest fit (-1 to 1), aptitude fit (0 to 1) and preference fit (centred at 0).

    A flat profile halves the weight of interests. The freed half counts as neutral for every
    course alike, so that nothing else gains weight by it: aptitude must not steer a student
    because their interests show no direction.
    """
    liking = (interest + 1) / 2
    if flat:
        liking = (liking + 0.5) / 2
    return (
        weights.interests * liking + weights.aptitude * aptitude + weights.preferences * preference
    )


def reason_text(reason: Reason, language: str) -> str:
    """Say the reason to the student in one plain sentence or two.

    The same reason always gives the same words; a language without words gives English.
    """
    language = known_language(language)
    return REASON_WORDS[language][reason.code].format(
        activity=INTEREST_WORDS[language][reason.interest].activity,
        amount=AMOUNT_WORDS[language][reason.rating],
    )


def _reason(profile: InterestProfile, course: CourseRatings, shape: Sequence[float]) -> Reason:
    """Find what speaks most for the course, in words that are true of this student.

    That is the interest that adds most to the correlation, first among those which the student
    liked and the course has much of, then among those merely liked better than others, then
    among those disliked and hardly in the course. If there is none, or the profile is flat, the
    course is described by its highest rating.
    """
    student, offered = centred(profile.z), centred(shape)
    answers = [profile.scales[interest].mean for interest in INTERESTS]
    best_first = sorted(range(len(INTERESTS)), key=lambda i: (-student[i] * offered[i], i))

    def reason(code: str, i: int) -> Reason:
        return Reason(code, INTERESTS[i], answers[i], course.ratings[i])

    if profile.is_flat:
        return reason("open", course.ratings.index(max(course.ratings)))
    drawn = [i for i in best_first if student[i] > NOTICEABLE and course.ratings[i] >= MUCH]
    liked = [i for i in drawn if answers[i] > NEITHER_LIKED_NOR_DISLIKED]
    if liked:
        return reason("liked", liked[0])
    if drawn:
        return reason("preferred", drawn[0])
    disliked = [
        i
        for i in best_first
        if student[i] < 0 and answers[i] < NEITHER_LIKED_NOR_DISLIKED and course.ratings[i] < MUCH
    ]
    if disliked:
        return reason("spared", disliked[0])
    return reason("compare", course.ratings.index(max(course.ratings)))
