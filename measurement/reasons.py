"""Choose the reasons and the counterpoint of a recommended course, as codes and numbers.

Reasons quote the student's own answers. `measurement.explanation` puts them into words.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Container, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from measurement.ability import band
from measurement.bank import Bank
from measurement.courses import IMPORTANCE_MAX, LEVEL_THETA, CourseData
from measurement.field_fit import Fit
from measurement.fields import is_enjoyed
from measurement.profile import OVERALL, Profile
from measurement.scales import HIGHEST, PREFERENCES, leaning

LOVED, LIKED, FIELD = "loved_statement", "liked_statement", "enjoyed_field"
# Of a statement by its answer: about what the course is mainly about, and about its other fields.
LIKED_FROM = 4
MAINLY = {HIGHEST: LOVED, LIKED_FROM: LIKED}
IN_PART = {HIGHEST: "loved_in_part", LIKED_FROM: "liked_in_part"}
OF_STATEMENTS = (*MAINLY.values(), *IN_PART.values())
# Of a facet by all puzzles, as it has too few of its own.
WELL, READY, LEVEL = "well_overall", "ready_overall", "level_overall"
# "mix" is the reason of a course whose other reasons may not be told.
REASONS = (*OF_STATEMENTS, FIELD, "taught", WELL, READY, "mix")
COUNTERPOINTS = (LEVEL, "unmeasured")
# The first two are about the whole list, the others about one course.
NOTES = ("flagged", "flat", "modest", "close")
# The number of sentences for each code in every language. They alternate, so no sentence occurs
# twice among the first five courses.
FORMS = 5
# In SDs of fit: less is "not close to your interests", or "about as good as the one above".
MODEST_BELOW = 0.0
CLOSE_WITHIN = 0.05
MIDDLE = band(0.0)


@dataclass(frozen=True, slots=True)
class Reason:
    """A reason, counterpoint or description of a course, as data.

    `about` is a facet, an end of a preference scale, the code of a statement, or a field. `answer`
    is the answer to a statement, `band` the student's band in all puzzles. `rating` is the course's
    level (0 to 3) of a facet, together with `importance`. `form` is the number of the sentence to
    use.
    """

    code: str
    about: str = ""
    answer: float | None = None
    rating: int | None = None
    band: str = ""
    importance: int | None = None
    form: int = 0


@dataclass(frozen=True, slots=True)
class Recommendation:
    """A suggested course, the scores that decided its place (`field_fit.Fit`), and why.

    It has up to two reasons, a counterpoint, and a note (one of NOTES, or "").
    """

    code: str
    name: str
    score: float
    interest: float
    aptitude: float
    preference: float
    naming: float
    reasons: list[Reason]
    counterpoint: Reason
    note: str
    entry_level: str
    streams: list[str]


def clear_preferences(profile: Profile) -> tuple[str, ...]:
    """List the ends of the preference scales that the student clearly prefers."""
    ends = (
        leaning(scale, profile.preferences[scale])
        for scale in PREFERENCES
        if scale in profile.preferences
    )
    return tuple(end for end in ends if end)


class Explainer:
    """Explains the courses of one list, in their order.

    No two courses get the same first reason. An explanation depends only on the courses before it,
    so a shorter list equals the beginning of a longer one.
    """

    def __init__(self, bank: Bank, answers: Mapping[str, int], profile: Profile) -> None:
        self._bank = bank
        self._answers = answers
        self._profile = profile
        self._preferred = clear_preferences(profile)
        self._band = band(profile.aptitude[OVERALL].theta)
        # Statements and fields of first reasons, and fields of any reason.
        self._used: set[str] = set()
        self._named: set[str] = set()
        self._forms: Counter[str] = Counter()
        self._last_score: float | None = None

    def explain(self, fit: Fit) -> Recommendation:
        """Explain the next course."""
        first = next(self._first(fit.course), None)
        counterpoint = next(self._against(fit.course), Reason("unmeasured"))
        note = self._note(fit)
        self._last_score = fit.score
        if first:
            self._used.add(first.about)
            self._named.add(first.about)
        second = next(self._second(fit.course, first), None)
        if second:
            self._named.add(second.about)
        return Recommendation(
            code=fit.course.code,
            name=fit.course.name,
            score=fit.score,
            interest=fit.interest,
            aptitude=fit.aptitude,
            preference=fit.preference,
            naming=fit.naming,
            reasons=[self._say(reason) for reason in (first, second) if reason],
            counterpoint=self._say(counterpoint),
            note=note,
            entry_level=fit.course.entry_level,
            streams=list(fit.course.streams),
        )

    def _say(self, point: Reason) -> Reason:
        """Return the point with the sentence that was used least so far.

        Sentences that quote end alike in pairs, "You'd love to" and "You like to", so they count
        together.
        """
        kind = LOVED if point.code in OF_STATEMENTS else point.code
        form = self._forms[kind] % FORMS
        self._forms[kind] += 1
        return replace(point, form=form)

    def _first(self, course: CourseData) -> Iterator[Reason]:
        """Yield what was not yet a first reason: statements answered 5 or 4, then enjoyed fields.

        Statements that are mainly about the course's main field come before others.
        """
        fields = [name for name in course.fields if name in self._bank.fields]
        for codes, is_main in ((MAINLY, True), (IN_PART, False)):
            for answer, code in codes.items():
                for statement in self._quotable_statements(fields, answer):
                    if (self._bank.statements[statement].fields[0] == fields[0]) is is_main:
                        yield Reason(code, statement, float(answer))
        yield from self._enjoyed_fields(fields, self._used)

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

    def _enjoyed_fields(self, fields: Sequence[str], excluded: Container[str]) -> Iterator[Reason]:
        for name in fields:
            score = self._profile.fields.get(name, 0)
            if name not in excluded and is_enjoyed(self._bank, name, score):
                yield Reason(FIELD, name)

    def _second(self, course: CourseData, first: Reason | None) -> Iterator[Reason]:
        """Yield the main field, how the course is taught, and the puzzles, where they suit."""
        yield from self._enjoyed_fields(course.fields[:1], self._named)
        yield from (Reason("taught", end) for end in self._preferred if end in course.delivery)
        yield from self._by_puzzles(course, is_only=first is None)

    def _by_puzzles(self, course: CourseData, *, is_only: bool) -> Iterator[Reason]:
        """Yield the facets that the course uses, if the puzzles reach all of its levels.

        All puzzles together say little about one course. They count only for work that the course
        uses a lot and a result above the middle, unless there is no other reason.
        """
        if self._band.low < MIDDLE.low or any(self._against(course)):
            return
        code = WELL if self._band.low > MIDDLE.low else READY
        for facet, level, importance in _by_importance(course):
            if is_only or (code == WELL and importance == IMPORTANCE_MAX):
                yield self._about_facet(code, facet, level, importance)

    def _against(self, course: CourseData) -> Iterator[Reason]:
        """Yield the facets whose level is in a higher band, the most important first."""
        for facet, level, importance in _by_importance(course):
            if self._band.low < band(LEVEL_THETA[level]).low:
                yield self._about_facet(LEVEL, facet, level, importance)

    def _about_facet(self, code: str, facet: str, level: int, importance: int) -> Reason:
        return Reason(code, facet, rating=level, band=self._band.code, importance=importance)

    def _note(self, fit: Fit) -> str:
        if self._profile.validity.flags:
            return "flagged"
        if self._profile.is_flat:
            return "flat"
        if fit.interest < MODEST_BELOW:
            return "modest"
        near = self._last_score is not None and abs(self._last_score - fit.score) <= CLOSE_WITHIN
        return "close" if near else ""


def _by_importance(course: CourseData) -> list[tuple[str, int, int]]:
    return sorted(course.demands, key=lambda demand: -demand[2])
