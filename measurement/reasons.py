"""Choose the reasons and the counterpoint of a course, as codes for `measurement.explanation`."""

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from measurement.ability import interval, percentile
from measurement.bank import Bank
from measurement.courses import IMPORTANCE_MAX, LEVEL_THETA, CourseData
from measurement.field_fit import LITTLE, PART, WELL, WELL_FROM, Fit
from measurement.fields import is_enjoyed
from measurement.profile import OVERALL, Profile
from measurement.scales import Answers
from measurement.validity import APTITUDE, INTERESTS

# The codes that quote a statement, by its answer. It stands for a field of the course, the main one
# or another, and is no work that the course promises.
MAINLY = {5: "loved_statement", 4: "liked_statement"}
IN_PART = {5: "loved_in_part", 4: "liked_in_part"}
QUOTING = (*MAINLY.values(), *IN_PART.values())
# The main field of the course, or another.
ENJOYED_FIELD, ENJOYED_IN_PART = "enjoyed_field", "enjoyed_in_part"
# What all puzzles together say: a dozen can't tell one kind of reasoning from another.
WELL_OVERALL, LEVEL_OVERALL = ABOUT_PUZZLES = ("well_overall", "level_overall")
UNMEASURED = "unmeasured"
# "mix" is the reason of a course whose other reasons may not be told.
REASONS = (*QUOTING, ENJOYED_FIELD, ENJOYED_IN_PART, "taught", WELL_OVERALL, "mix")
COUNTERPOINTS = (LEVEL_OVERALL, UNMEASURED)
# The number of sentences for each code in every language. They alternate, so no sentence occurs
# twice among the first five courses.
FORMS = 5
# In SDs of fit: a score as near to the one above is "close".
CLOSE_WITHIN = 0.05
MIDDLE = 50  # percent of the reference population are below


@dataclass(frozen=True, slots=True)
class Reason:
    """A reason for a course, a counterpoint, or a point about a course that the student named."""

    code: str
    about: str = ""  # an end of a preference scale, a statement, or a field
    field: str = ""  # of the course, for which the statement stands
    answer: float | None = None  # to the statement
    form: int = 0  # the number of the sentence to use


@dataclass(frozen=True, slots=True)
class Recommendation:
    """A suggested course, the figures of its `Fit` in their order, and up to two reasons."""

    code: str
    name: str
    score: float
    interest: float
    aptitude: float
    preference: float
    naming: float
    reasons: list[Reason]
    counterpoint: Reason
    note: str  # "doubtful" about the list; "modest", LITTLE, "close" or "" about the course
    entry_level: str
    streams: list[str]

    @property
    def has_support(self) -> bool:
        """Whether it fits well, was named or has a reason."""
        return bool(self.score >= WELL_FROM or self.naming or self.reasons)


class Explainer:
    """Explains the courses of one list, in their order.

    No two courses get the same first reason. An explanation depends only on the courses before it,
    so a shorter list equals the beginning of a longer one.
    """

    def __init__(self, bank: Bank, answers: Answers, profile: Profile) -> None:
        self._bank = bank
        self._answers = answers
        self._profile = profile
        # What all puzzles tell, in percent; nothing if they are doubtful.
        self._range = (0, 100)
        if APTITUDE not in profile.doubts:
            self._range = interval(profile.aptitude[OVERALL])
        # What the first reasons so far, and all reasons so far, are about.
        self._used_first: set[str] = set()
        self._used: set[str] = set()
        self._forms: Counter[str] = Counter()
        self._last_score: float | None = None

    def explain(self, fit: Fit) -> Recommendation:
        course = fit.course
        fields = [name for name in course.fields if name in self._bank.fields]
        reasons = []
        if first := next(self._first_reasons(fields), None):
            self._used_first.add(first.about)
            reasons.append(first)
        reasons += [*self._second_reasons(course, fields, first)][:1]
        self._used.update(reason.about for reason in reasons)
        counterpoint = LEVEL_OVERALL if self._is_below_level(course) else UNMEASURED
        explained = Recommendation(
            course.code,
            course.name,
            *fit[1:],
            reasons=[self._with_form(reason) for reason in reasons],
            counterpoint=self._with_form(Reason(counterpoint)),
            note=self._note(fit),
            entry_level=course.entry_level,
            streams=list(course.streams),
        )
        # One without support may move below the next ones.
        self._last_score = fit.score if explained.has_support else self._last_score
        return explained

    def _with_form(self, reason: Reason) -> Reason:
        """Return the reason with the sentence that was used least so far."""
        # All quotes count together: "You'd love to" and "You like to" go on alike.
        kind = "quote" if reason.code in QUOTING else reason.code
        form = self._forms[kind] % FORMS
        self._forms[kind] += 1
        return replace(reason, form=form)

    def _first_reasons(self, fields: Sequence[str]) -> Iterator[Reason]:
        """Yield unused statements answered 5 or 4, the best first, then unused enjoyed fields."""
        yield from self._quotes(fields)
        yield from (each for each in self._enjoyed(fields) if each.about not in self._used_first)

    def _quotes(self, fields: Sequence[str]) -> list[Reason]:
        """Return the unused statements about these fields that were answered 5 or 4.

        The field must be the main one of the course or of the statement: a new screen for a phone
        says little about statistics, though both have to do with computers. Those that are mainly
        about the course's main field come first, then those for an earlier field of the course, and
        of these the ones that are about little else; then 5 before 4.
        """
        found = []
        for code, statement in self._bank.statements.items():
            answer = self._answers.get(code)
            if answer not in MAINLY or code in self._used_first:
                continue
            shared = [name for name in fields if name in statement.fields]
            for name in shared:
                if name in (fields[0], statement.fields[0]):
                    is_mainly = statement.fields[0] == fields[0]
                    reason = (MAINLY if is_mainly else IN_PART)[answer]
                    others = len(statement.fields) - len(shared)
                    order = (not is_mainly, fields.index(name), others, -answer)
                    found.append((order, Reason(reason, code, name, float(answer))))
                    break
        return [reason for _, reason in sorted(found, key=lambda each: each[0])]

    def _enjoyed(self, fields: Sequence[str]) -> Iterator[Reason]:
        """Yield the enjoyed ones of a course's fields; none if the interests are doubtful."""
        for name in fields:
            score = self._profile.fields.get(name, 0)
            if INTERESTS not in self._profile.doubts and is_enjoyed(self._bank, name, score):
                yield Reason(ENJOYED_FIELD if name == fields[0] else ENJOYED_IN_PART, name)

    def _second_reasons(
        self, course: CourseData, fields: Sequence[str], first: Reason | None
    ) -> Iterator[Reason]:
        """Yield other enjoyed fields, how the course is taught, and the puzzles, where they suit.

        All puzzles together say little about one course. They count only for one that uses a kind
        of reasoning a lot, if the whole range of the result lies above the middle, and once a list.
        """
        told = self._used | ({first.about, first.field} if first else set())
        yield from (each for each in self._enjoyed(fields) if each.about not in told)
        preferred = self._profile.clear_preferences
        yield from (Reason("taught", end) for end in preferred if end in course.delivery)
        most = max((importance for _, _, importance in course.demands), default=0)
        is_well = self._range[0] >= MIDDLE and not self._is_below_level(course)
        if is_well and most == IMPORTANCE_MAX and not self._forms[WELL_OVERALL]:
            yield Reason(WELL_OVERALL)

    def _is_below_level(self, course: CourseData) -> bool:
        """Return whether the whole range of the puzzles lies below what the course asks for."""
        highest = max((level for _, level, _ in course.demands), default=0)
        return highest > 0 and self._range[1] < percentile(LEVEL_THETA[highest])

    def _note(self, fit: Fit) -> str:
        if INTERESTS in self._profile.doubts:
            return "doubtful"
        if fit.level != WELL:
            return "modest" if fit.level == PART else LITTLE
        near = self._last_score is not None and abs(self._last_score - fit.score) <= CLOSE_WITHIN
        return "close" if near else ""
