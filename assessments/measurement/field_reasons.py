"""Choose reasons for courses that were ranked by fields: they quote the student's own answers."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import replace

from assessments.measurement.bank import Bank
from assessments.measurement.course_fit import Fit
from assessments.measurement.courses import CourseRatings
from assessments.measurement.profile import Profile
from assessments.measurement.reasons import (
    FORMS,
    Explanation,
    Point,
    clear_preferences,
    reached,
    unreached,
)
from assessments.measurement.scales import HIGHEST

LOVED, LIKED, FIELD = "loved_statement", "liked_statement", "enjoyed_field"
LIKED_FROM = 4
# In SDs of fit: less is "not close to your interests", or "about as good as the one above".
MODEST_BELOW = 0.0
CLOSE_WITHIN = 0.05


class FieldExplainer:
    """Explains the courses of one list, in their order.

    No two courses get the same first reason. An explanation depends only on the courses before it,
    so a shorter list equals the beginning of a longer one.
    """

    def __init__(self, bank: Bank, answers: Mapping[str, int], profile: Profile) -> None:
        self._bank = bank
        self._answers = answers
        self._profile = profile
        self._preferred = clear_preferences(profile)
        self._used: set[str] = set()
        self._forms: Counter[str] = Counter()
        self._last_score: float | None = None

    def explain(self, fit: Fit) -> Explanation:
        """Return up to two reasons for the next course, a counterpoint and a note."""
        first = next(self._first(fit.course), None)
        second = next(self._second(fit.course), None)
        counterpoint = next(unreached(self._profile, fit.course), Point("unmeasured"))
        note = self._note(fit)
        if first:
            self._used.add(first.about)
        self._last_score = fit.score
        reasons = tuple(self._say(reason) for reason in (first, second) if reason)
        return Explanation(reasons, self._say(counterpoint), note)

    def _say(self, point: Point) -> Point:
        """Return the point with the sentence of its code that was used least so far."""
        form = self._forms[point.code] % FORMS
        self._forms[point.code] += 1
        return replace(point, form=form)

    def _first(self, course: CourseRatings) -> Iterator[Point]:
        """Yield unused answers of 5 and then 4 about the course's fields, then enjoyed fields."""
        fields = [name for name in course.fields if name in self._bank.fields]
        for answer in (HIGHEST, LIKED_FROM):
            code = LOVED if answer == HIGHEST else LIKED
            for name in fields:
                for told, statement in self._bank.statements.items():
                    if told in self._used or name not in statement.fields:
                        continue
                    if self._answers.get(told) == answer:
                        yield Point(code, told, float(answer))
        for name in fields:
            if self._profile.fields.get(name, 0) > 0 and name not in self._used:
                yield Point(FIELD, name)

    def _second(self, course: CourseRatings) -> Iterator[Point]:
        yield from reached(self._profile, course)
        yield from (Point("taught", end) for end in self._preferred if end in course.delivery)

    def _note(self, fit: Fit) -> str:
        if self._profile.validity is not None and self._profile.validity.flags:
            return "flagged"
        if self._profile.interests.is_flat:
            return "flat"
        if fit.interest < MODEST_BELOW:
            return "modest"
        near = self._last_score is not None and abs(self._last_score - fit.score) <= CLOSE_WITHIN
        return "close" if near else ""
