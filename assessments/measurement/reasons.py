"""Choose the reasons and the counterpoint of a recommended course, as codes and numbers.

`assessments.explanation` puts them into words.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from itertools import chain
from statistics import fmean
from typing import Any, Self

from assessments.measurement.ability import BANDS, Ability, band
from assessments.measurement.bank import Weights
from assessments.measurement.courses import (
    LEVEL_THETA,
    CourseRatings,
    centred,
    correlation_terms,
    level_chance,
    other_end,
)
from assessments.measurement.profile import Profile
from assessments.measurement.scales import INTERESTS, LIKED_FROM, NEITHER, PREFERENCES, leaning

# In this order: interests, the course itself, facets, delivery, the whole.
REASONS = (
    "liked",
    "preferred",
    "spared",
    "open",
    "compare",
    "well",
    "ready",
    "taught",
    "mix",
    "wider",
    # of courses that were ranked by fields
    "loved_statement",
    "liked_statement",
    "loved_in_part",
    "liked_in_part",
    "enjoyed_field",
    "well_overall",
    "ready_overall",
)
COUNTERPOINTS = (
    "disliked",
    "less_liked",
    "missing",
    "level",
    "taught_otherwise",
    "unmeasured",
    "level_overall",
)
# Of points about a facet: the same judged by all puzzles, where a facet has too few of its own.
OF_ALL_PUZZLES = {code: f"{code}_overall" for code in ("well", "ready", "level")}
# The first two are about the whole list, the others about one course.
NOTES = ("flagged", "flat", "modest", "close")
# The number of sentences for each code in every language. They alternate, so no sentence occurs
# twice among the first five courses.
FORMS = 5
# The least difference from a student's average, in SDs or answer steps; less may be rounding.
NOTICEABLE = 0.01
# The lowest rating that counts as much of an interest.
MUCH = 2
# A second interest comes before a facet if it adds this much to the correlation.
STRONG_SHARE = 0.15
# Interests that add at least this part of the largest share are equally good reasons.
ALIKE = 0.75
# A counterpoint that costs less of the score is not worth mentioning.
LEAST_COST = 0.01
MODEST_BELOW = 0.3
CLOSE_WITHIN = 0.01
MIDDLE = next(place for place, each in enumerate(BANDS) if each.code == "middle")


@dataclass(frozen=True, slots=True)
class Point:
    """A reason, counterpoint or description of a course, as data.

    `about` is an interest, a facet, an end of a preference scale, the code of a statement, or a
    field. `answer` is the student's mean answer (1 to 5) on an interest, or the answer to a
    statement, `band` the student's band on a facet. `rating` is the course's rating (0 to 3) of an
    interest, or its level (0 to 3) of a facet together with `importance`. `form` is the number of
    the sentence to use.
    """

    code: str
    about: str = ""
    answer: float | None = None
    rating: int | None = None
    band: str = ""
    importance: int | None = None
    form: int = 0

    def to_json(self) -> dict[str, Any]:
        return asdict(self)

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> Self:
        """Read the output of `to_json`, or an old reason from when each course had only one."""
        if "interest" in data:
            return cls(data["code"], data["interest"], float(data["answer"]), data["rating"])
        return cls(**data)


@dataclass(frozen=True, slots=True)
class Explanation:
    """Up to two reasons for a course, a counterpoint, and a note (one of NOTES, or "")."""

    reasons: tuple[Point, ...]
    counterpoint: Point
    note: str


def clear_preferences(profile: Profile) -> tuple[str, ...]:
    """List the ends of the preference scales that the student clearly prefers."""
    ends = (
        leaning(scale, profile.preferences[scale])
        for scale in PREFERENCES
        if scale in profile.preferences
    )
    return tuple(end for end in ends if end)


class Explainer:
    """Explains the courses of one result, in their order, and avoids repetition.

    An explanation depends only on the courses before it, so a shorter list equals the beginning of
    a longer one.
    """

    def __init__(self, profile: Profile, weights: Weights) -> None:
        self.profile = profile
        self.weights = weights
        self._student = centred(profile.interests.z)
        self._answers = [profile.interests.scales[interest].mean for interest in INTERESTS]
        self._average_answer = fmean(self._answers)
        self._clear = clear_preferences(profile)
        # Uses of each sentence about a subject, of each sentence, and of each subject.
        self._sentences: Counter[tuple[str, str, int]] = Counter()
        self._forms: Counter[tuple[str, int]] = Counter()
        self._subjects: Counter[str] = Counter()
        self._last_score: float | None = None

    def explain(
        self, course: CourseRatings, shape: Sequence[float], interest: float, score: float
    ) -> Explanation:
        """Explain the next course.

        `shape` are its standardised ratings, `interest` is its correlation with the student.
        """
        adds = correlation_terms(self.profile.interests.z, shape)
        first = self._say(self._first(course, shape, adds))
        second = self._say(self._second(course, shape, adds, interest, first))
        counterpoint = self._say(self._counterpoint(course, adds, {first.about, second.about}))
        note = self._note(interest, score)
        self._last_score = score
        return Explanation((first, second), counterpoint, note)

    def _say(self, point: Point) -> Point:
        """Return the point with the sentence used least for it so far, and count it."""
        code, about = point.code, point.about
        form = min(
            range(FORMS),
            key=lambda form: (self._sentences[code, about, form], self._forms[code, form]),
        )
        self._sentences[code, about, form] += 1
        self._forms[code, form] += 1
        self._subjects[about] += 1
        return replace(point, form=form)

    def _first(self, course: CourseRatings, shape: Sequence[float], adds: Sequence[float]) -> Point:
        """Return the strongest reason that is true of this student.

        It is the interest that adds most to the correlation: among those that the student likes
        and the course has much of, else among those liked better than others, else among those
        disliked and rare in the course. If there is none, or the profile is flat, describe the
        course by its highest rating.
        """
        if self.profile.is_flat:
            return self._described("open", course, shape)
        for points in self._interests(course, adds):
            if points:
                return self._freshest(points, adds)
        return self._compared(course, shape)

    def _compared(self, course: CourseRatings, shape: Sequence[float]) -> Point:
        """Describe a course without any preferred interest.

        A student may like an interest less than other students do, yet like it best of the six. In
        that case, do not describe the course as different from what they like most.
        """
        point = self._described("compare", course, shape)
        answer = self._answers[INTERESTS.index(point.about)]
        if answer < max(self._answers):
            return point
        if answer >= LIKED_FROM:
            return replace(point, code="liked")
        above_average = answer > self._average_answer + NOTICEABLE
        return replace(point, code="preferred" if above_average else "open")

    def _second(
        self,
        course: CourseRatings,
        shape: Sequence[float],
        adds: Sequence[float],
        interest: float,
        first: Point,
    ) -> Point:
        """Return another reason, such as a strong interest, a facet or a weaker interest."""
        flat = self.profile.is_flat
        kinds = [] if flat else list(self._interests(course, adds))
        others = [[point for point in points if point.about != first.about] for points in kinds]
        strong = [
            point
            for points in others[:1]
            for point in points
            if adds[INTERESTS.index(point.about)] >= STRONG_SHARE
        ]
        if strong:
            return self._freshest(strong, adds)
        rest = [self._freshest(points, adds) for points in others if points]
        if flat:
            other = self._described("open", course, shape, besides=first.about)
            rest = [other] if (other.rating or 0) >= MUCH else []
        suits = [Point("taught", end) for end in self._clear if end in course.delivery]
        general = Point("mix" if not flat and interest >= MODEST_BELOW else "wider")
        return next(chain(reached(self.profile.facets, course), rest, suits, [general]))

    def _interests(self, course: CourseRatings, adds: Sequence[float]) -> Iterator[list[Point]]:
        """Yield three lists: interests liked, preferred to others, and spared; largest first."""
        order = sorted(range(len(INTERESTS)), key=lambda i: (-adds[i], i))
        drawn = [i for i in order if self._student[i] > NOTICEABLE and course.ratings[i] >= MUCH]
        liked = [i for i in drawn if self._answers[i] >= LIKED_FROM]
        # Norms differ, so an interest above its norm may still be below the student's average.
        preferred = [
            i for i in drawn if self._average_answer + NOTICEABLE < self._answers[i] < LIKED_FROM
        ]
        spared = [
            i
            for i in order
            if self._student[i] < 0
            and self._answers[i] < NEITHER
            and course.ratings[i] < MUCH
            and adds[i] > 0
        ]
        yield [self._interest("liked", i, course) for i in liked]
        yield [self._interest("preferred", i, course) for i in preferred]
        yield [self._interest("spared", i, course) for i in spared]

    def _interest(self, code: str, i: int, course: CourseRatings) -> Point:
        return Point(code, INTERESTS[i], self._answers[i], course.ratings[i])

    def _freshest(self, points: Sequence[Point], adds: Sequence[float]) -> Point:
        """Return the point with the least used subject of those about as good as the first."""
        best = adds[INTERESTS.index(points[0].about)]
        # Empty if the best is below 0, when most other courses have more of the interest.
        alike = [p for p in points if adds[INTERESTS.index(p.about)] >= ALIKE * best]
        return min(alike or points[:1], key=lambda point: self._subjects[point.about])

    def _described(
        self, code: str, course: CourseRatings, shape: Sequence[float], besides: str = ""
    ) -> Point:
        """Describe the course by its highest rating; of equal ones, the most distinctive."""
        places = [i for i, interest in enumerate(INTERESTS) if interest != besides]
        best = max(places, key=lambda i: (course.ratings[i], shape[i], -i))
        return self._interest(code, best, course)

    def _counterpoint(self, course: CourseRatings, adds: Sequence[float], said: set[str]) -> Point:
        """Return the point that costs most of the score, or "unmeasured" if that is little.

        Subjects of the reasons, `said`, are left out.
        """
        costs = chain(self._unlike(course, adds), self._unreached(course), self._taught(course))
        new = [(cost, point) for cost, point in costs if point.about not in said]
        cost, point = max(new, key=lambda row: row[0], default=(0.0, Point("unmeasured")))
        return point if cost >= LEAST_COST else Point("unmeasured")

    def _unlike(
        self, course: CourseRatings, adds: Sequence[float]
    ) -> Iterator[tuple[float, Point]]:
        """Yield interests in which student and course differ, with the cost to the score."""
        if self.profile.is_flat:
            return
        for i, share in enumerate(adds):
            cost = -share * self.weights.interests / 2
            answer, less = self._answers[i], self._student[i] < -NOTICEABLE
            if less and course.ratings[i] >= MUCH:
                if answer < NEITHER:
                    yield cost, self._interest("disliked", i, course)
                elif answer < self._average_answer - NOTICEABLE:
                    yield cost, self._interest("less_liked", i, course)
            elif not less and answer >= LIKED_FROM and course.ratings[i] < MUCH:
                yield cost, self._interest("missing", i, course)

    def _unreached(self, course: CourseRatings) -> Iterator[tuple[float, Point]]:
        """Yield facets in a band below the course's level, with the cost to the score."""
        facets = self.profile.facets
        known = [demand for demand in course.demands if demand[0] in facets]
        total = sum(importance for _, _, importance in known)
        for facet, level, importance in known:
            if _band_place(facets[facet]) < _level_place(level):
                lacking = 0.5 - level_chance(facets[facet], level)
                point = _facet("level", facet, facets[facet], level, importance)
                yield self.weights.aptitude * importance / total * lacking, point

    def _taught(self, course: CourseRatings) -> Iterator[tuple[float, Point]]:
        """Yield preferences against which the course is delivered, with the cost to the score."""
        for end in self._clear:
            if other_end(end) in course.delivery and end not in course.delivery:
                cost = self.weights.preferences / (2 * len(course.delivery))
                yield cost, Point("taught_otherwise", end)

    def _note(self, interest: float, score: float) -> str:
        if self.profile.validity is not None and self.profile.validity.flags:
            return "flagged"
        if self.profile.is_flat:
            return "flat"
        if interest < MODEST_BELOW:
            return "modest"
        near = self._last_score is not None and abs(self._last_score - score) <= CLOSE_WITHIN
        return "close" if near else ""


def reached(facets: Mapping[str, Ability], course: CourseRatings) -> Iterator[Point]:
    """Yield the facets in which the student reaches the course's level, the best first."""
    found = []
    for facet, level, importance in course.demands:
        if facet in facets:
            place = _band_place(facets[facet])
            if place >= max(MIDDLE, _level_place(level)):
                code = "well" if place > MIDDLE else "ready"
                point = _facet(code, facet, facets[facet], level, importance)
                found.append((place > MIDDLE, importance, facets[facet].theta, point))
    for *_, point in sorted(found, key=lambda row: row[:3], reverse=True):
        yield point


def unreached(facets: Mapping[str, Ability], course: CourseRatings) -> Iterator[Point]:
    """Yield the facets in a band below the course's level, the most important first."""
    for facet, level, importance in sorted(course.demands, key=lambda demand: -demand[2]):
        if facet in facets and _band_place(facets[facet]) < _level_place(level):
            yield _facet("level", facet, facets[facet], level, importance)


def _facet(code: str, facet: str, ability: Ability, level: int, importance: int) -> Point:
    return Point(code, facet, rating=level, band=band(ability).code, importance=importance)


def _band_place(ability: Ability) -> int:
    return BANDS.index(band(ability))


def _level_place(level: int) -> int:
    return BANDS.index(band(Ability(LEVEL_THETA[level], 0.0)))
