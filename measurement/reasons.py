"""Choose the reasons and the counterpoint of a course, as codes for `measurement.explanation`."""

from collections import Counter
from collections.abc import Container, Iterator, Sequence
from dataclasses import dataclass, replace

from measurement.ability import band
from measurement.bank import Bank
from measurement.courses import IMPORTANCE_MAX, LEVEL_THETA, CourseData
from measurement.field_fit import Fit
from measurement.fields import is_enjoyed
from measurement.profile import OVERALL, Profile
from measurement.scales import Answers

# The codes that quote a statement, by its answer: one that is mainly about the course's main field,
# or another.
MAINLY = {5: "loved_statement", 4: "liked_statement"}
IN_PART = {5: "loved_in_part", 4: "liked_in_part"}
QUOTING = (*MAINLY.values(), *IN_PART.values())
ENJOYED_FIELD, UNMEASURED = "enjoyed_field", "unmeasured"
# About a facet, but judged by all puzzles, as a facet has too few of its own.
WELL_OVERALL, READY_OVERALL, LEVEL_OVERALL = "well_overall", "ready_overall", "level_overall"
# "mix" is the reason of a course whose other reasons may not be told.
REASONS = (*QUOTING, ENJOYED_FIELD, "taught", WELL_OVERALL, READY_OVERALL, "mix")
COUNTERPOINTS = (LEVEL_OVERALL, UNMEASURED)
# The number of sentences for each code in every language. They alternate, so no sentence occurs
# twice among the first five courses.
FORMS = 5
# In SDs of fit: a lower interest is "modest", a score as near to the one above is "close".
MODEST_BELOW, CLOSE_WITHIN = 0.0, 0.05
MIDDLE = band(0.0)


@dataclass(frozen=True, slots=True)
class Reason:
    """A reason for a course, a counterpoint, or a point about a course that the student named."""

    code: str
    about: str = ""  # a facet, an end of a preference scale, a statement, or a field
    answer: float | None = None  # to the statement
    rating: int | None = None  # the course's level (0 to 3) of the facet
    band: str = ""  # the student's, in all puzzles
    importance: int | None = None  # of the facet
    form: int = 0  # the number of the sentence to use


@dataclass(frozen=True, slots=True)
class Recommendation:
    """A suggested course, the figures of its `Fit`, and up to two reasons."""

    code: str
    name: str
    score: float
    interest: float
    aptitude: float
    preference: float
    naming: float
    reasons: list[Reason]
    counterpoint: Reason
    note: str  # "flagged" or "flat" about the list; "modest", "close" or "" about the course
    entry_level: str
    streams: list[str]


class Explainer:
    """Explains the courses of one list, in their order.

    No two courses get the same first reason. An explanation depends only on the courses before it,
    so a shorter list equals the beginning of a longer one.
    """

    def __init__(self, bank: Bank, answers: Answers, profile: Profile) -> None:
        self._bank = bank
        self._answers = answers
        self._profile = profile
        self._band = band(profile.aptitude[OVERALL].theta)
        # What the first reasons so far, and all reasons so far, are about.
        self._used_first: set[str] = set()
        self._used: set[str] = set()
        self._forms: Counter[str] = Counter()
        self._last_score: float | None = None

    def explain(self, fit: Fit) -> Recommendation:
        course = fit.course
        reasons = []
        if first := next(self._first_reasons(course), None):
            self._used_first.add(first.about)
            self._used.add(first.about)
            reasons.append(first)
        if second := next(self._second_reasons(course, is_only=not first), None):
            self._used.add(second.about)
            reasons.append(second)
        counterpoint = next(self._counterpoints(course), Reason(UNMEASURED))
        note = self._note(fit)
        self._last_score = fit.score
        return Recommendation(
            code=course.code,
            name=course.name,
            score=fit.score,
            interest=fit.interest,
            aptitude=fit.aptitude,
            preference=fit.preference,
            naming=fit.naming,
            reasons=[self._with_form(reason) for reason in reasons],
            counterpoint=self._with_form(counterpoint),
            note=note,
            entry_level=course.entry_level,
            streams=list(course.streams),
        )

    def _with_form(self, reason: Reason) -> Reason:
        """Return the reason with the sentence that was used least so far."""
        # All quotes count together: "You'd love to" and "You like to" go on alike.
        kind = "quote" if reason.code in QUOTING else reason.code
        form = self._forms[kind] % FORMS
        self._forms[kind] += 1
        return replace(reason, form=form)

    def _first_reasons(self, course: CourseData) -> Iterator[Reason]:
        """Yield new statements answered 5 or 4, the main field's first, then new enjoyed fields."""
        fields = [name for name in course.fields if name in self._bank.fields]
        for codes, is_mainly in ((MAINLY, True), (IN_PART, False)):
            for answer, code in codes.items():
                for statement in self._quotable_statements(fields, answer):
                    if (self._bank.statements[statement].fields[0] == fields[0]) is is_mainly:
                        yield Reason(code, statement, float(answer))
        yield from self._enjoyed_fields(fields, self._used_first)

    def _quotable_statements(self, fields: Sequence[str], answer: int) -> Iterator[str]:
        """Yield the unused statements about these fields with this answer, field by field.

        The field must be the main one of the course or of the statement: a new screen for a phone
        says little about statistics, though both have to do with computers.
        """
        for name in fields:
            for code, statement in self._bank.statements.items():
                is_new = code not in self._used_first and self._answers.get(code) == answer
                if is_new and name in statement.fields and name in (fields[0], statement.fields[0]):
                    yield code

    def _enjoyed_fields(self, fields: Sequence[str], excluded: Container[str]) -> Iterator[Reason]:
        for name in fields:
            score = self._profile.fields.get(name, 0)
            if name not in excluded and is_enjoyed(self._bank, name, score):
                yield Reason(ENJOYED_FIELD, name)

    def _second_reasons(self, course: CourseData, *, is_only: bool) -> Iterator[Reason]:
        """Yield the main field, how the course is taught, and the puzzles, where they suit.

        All puzzles together say little about one course. They count only for facets that the course
        uses a lot and a result above the middle, unless there is no other reason.
        """
        yield from self._enjoyed_fields(course.fields[:1], self._used)
        preferred = self._profile.clear_preferences
        yield from (Reason("taught", end) for end in preferred if end in course.delivery)
        if self._band.low < MIDDLE.low or any(self._counterpoints(course)):
            return
        code = WELL_OVERALL if self._band.low > MIDDLE.low else READY_OVERALL
        for reason in self._about_facets(code, course):
            if is_only or (code == WELL_OVERALL and reason.importance == IMPORTANCE_MAX):
                yield reason

    def _counterpoints(self, course: CourseData) -> Iterator[Reason]:
        """Yield the facets whose level is above the student's band, the most important first."""
        for reason in self._about_facets(LEVEL_OVERALL, course):
            if self._band.low < band(LEVEL_THETA[reason.rating or 0]).low:
                yield reason

    def _about_facets(self, code: str, course: CourseData) -> Iterator[Reason]:
        for facet, level, importance in sorted(course.demands, key=lambda demand: -demand[2]):
            yield Reason(code, facet, rating=level, band=self._band.code, importance=importance)

    def _note(self, fit: Fit) -> str:
        if self._profile.validity.flags:
            return "flagged"
        if self._profile.is_flat:
            return "flat"
        if fit.interest < MODEST_BELOW:
            return "modest"
        near = self._last_score is not None and abs(self._last_score - fit.score) <= CLOSE_WITHIN
        return "close" if near else ""
