"""Choose reasons for courses that were ranked by fields: they quote the student's own answers."""

from __future__ import annotations

from collections import Counter
from collections.abc import Container, Iterator, Mapping, Sequence
from dataclasses import replace

from assessments.measurement.ability import Ability, stronger, weaker
from assessments.measurement.bank import Bank
from assessments.measurement.course_fit import Fit
from assessments.measurement.courses import IMPORTANCE_MAX, CourseRatings
from assessments.measurement.fields import is_enjoyed
from assessments.measurement.profile import OVERALL, Profile
from assessments.measurement.reasons import (
    FORMS,
    OF_ALL_PUZZLES,
    Explanation,
    Point,
    clear_preferences,
    reached,
    unreached,
)
from assessments.measurement.scales import HIGHEST

LOVED, LIKED, FIELD = "loved_statement", "liked_statement", "enjoyed_field"
LIKED_FROM = 4
# Of a statement by its answer: about what the course is mainly about, and about its other fields.
MAINLY = {HIGHEST: LOVED, LIKED_FROM: LIKED}
IN_PART = {HIGHEST: "loved_in_part", LIKED_FROM: "liked_in_part"}
OF_STATEMENTS = (*MAINLY.values(), *IN_PART.values())
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
        self._own_facets = reportable_facets(bank, profile)
        self._abilities: dict[str, Ability] = {
            facet: own if facet in self._own_facets else profile.aptitude[OVERALL]
            for facet, own in profile.facets.items()
        }
        # Statements and fields of first reasons, and fields of any reason.
        self._used: set[str] = set()
        self._named: set[str] = set()
        self._forms: Counter[str] = Counter()
        self._last_score: float | None = None

    def explain(self, fit: Fit) -> Explanation:
        """Return up to two reasons for the next course, a counterpoint and a note."""
        first = next(self._first(fit.course), None)
        counterpoint = next(self._against(fit.course), Point("unmeasured"))
        note = self._note(fit)
        self._last_score = fit.score
        if first:
            self._used.add(first.about)
            self._named.add(first.about)
        second = next(self._second(fit.course, first), None)
        if second:
            self._named.add(second.about)
        reasons = tuple(self._say(reason) for reason in (first, second) if reason)
        return Explanation(reasons, self._say(counterpoint), note)

    def _say(self, point: Point) -> Point:
        """Return the point with the sentence that was used least so far.

        Sentences that quote end alike in pairs, "You'd love to" and "You like to", so they count
        together.
        """
        kind = LOVED if point.code in OF_STATEMENTS else point.code
        form = self._forms[kind] % FORMS
        self._forms[kind] += 1
        return replace(point, form=form)

    def _first(self, course: CourseRatings) -> Iterator[Point]:
        """Yield what was not yet a first reason: statements answered 5 or 4, then enjoyed fields.

        Statements that are mainly about the course's main field come before others.
        """
        fields = [name for name in course.fields if name in self._bank.fields]
        for codes, is_main in ((MAINLY, True), (IN_PART, False)):
            for answer, code in codes.items():
                for statement in self._quotable_statements(fields, answer):
                    if (self._bank.statements[statement].fields[0] == fields[0]) is is_main:
                        yield Point(code, statement, float(answer))
        yield from self._enjoyed(fields, self._used)

    def _quotable_statements(self, fields: Sequence[str], answer: int) -> Iterator[str]:
        """Yield the unused statements about these fields with this answer, field by field.

        The shared field must be the main one of either: a new screen for a phone says little about
        statistics, though both have to do with computers.
        """
        for name in fields:
            for code, statement in self._bank.statements.items():
                is_new = code not in self._used and self._answers.get(code) == answer
                if is_new and name in statement.fields and name in (fields[0], statement.fields[0]):
                    yield code

    def _enjoyed(self, fields: Sequence[str], besides: Container[str]) -> Iterator[Point]:
        for name in fields:
            score = self._profile.fields.get(name, 0)
            if name not in besides and is_enjoyed(self._bank, name, score):
                yield Point(FIELD, name)

    def _second(self, course: CourseRatings, first: Point | None) -> Iterator[Point]:
        """Yield the main field, how the course is taught, and the puzzles, where they suit."""
        yield from self._enjoyed(course.fields[:1], self._named)
        yield from (Point("taught", end) for end in self._preferred if end in course.delivery)
        yield from self._by_puzzles(course, is_only=first is None)

    def _by_puzzles(self, course: CourseRatings, *, is_only: bool) -> Iterator[Point]:
        """Yield the facets that the course uses and the student is good enough at.

        All puzzles together say little about one course. They count if they reach all of its
        levels, and then only for work that the course uses a lot and a result above the middle,
        unless there is no other reason.
        """
        falls_short = any(self._against(course))
        for point in reached(self._abilities, course):
            tells = point.code == "well" and point.importance == IMPORTANCE_MAX
            if point.about in self._own_facets or (not falls_short and (is_only or tells)):
                yield self._of_all_puzzles(point)

    def _against(self, course: CourseRatings) -> Iterator[Point]:
        yield from map(self._of_all_puzzles, unreached(self._abilities, course))

    def _of_all_puzzles(self, point: Point) -> Point:
        """Return the point with its source, all puzzles, unless the facet is reported."""
        if point.about in self._own_facets:
            return point
        return replace(point, code=OF_ALL_PUZZLES[point.code])

    def _note(self, fit: Fit) -> str:
        if self._profile.validity is not None and self._profile.validity.flags:
            return "flagged"
        if self._profile.is_flat:
            return "flat"
        if fit.interest < MODEST_BELOW:
            return "modest"
        near = self._last_score is not None and abs(self._last_score - fit.score) <= CLOSE_WITHIN
        return "close" if near else ""


def reportable_facets(bank: Bank, profile: Profile) -> tuple[str, ...]:
    """Return the facets that a result reports to the student.

    These are all facets if the bank asks enough puzzles of each, else those that are clearly
    higher or lower than the others.
    """
    if bank.reports_facets:
        return tuple(profile.facets)
    apart = {stronger(profile.facets), weaker(profile.facets)}
    return tuple(facet for facet in profile.facets if facet in apart)
