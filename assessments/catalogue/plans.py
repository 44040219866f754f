"""Compare a file's rows, or an earlier catalogue, with today's courses. Knows no database."""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from itertools import count
from typing import Any, Self

from measurement.course_names import asks_for_degree, propose_fields
from measurement.courses import COLUMNS, DEGREE, CourseData, title_of

# The share of the active courses that may become inactive without being asked about. A wrong file
# would take most courses away from students.
FEW_DEACTIVATED = 1 / 5
MAX_ORDER = 2**31 - 1  # that the column holds
# Columns with texts by language.
TEXTS = ("about", "leads_to")

Row = Mapping[str, Any]  # columns of a course; those that the file lacks are left out


@dataclass(frozen=True)
class Plan:
    """Today's courses, and all courses then, of which today's are a part; both in staff order."""

    today: Sequence[CourseData]
    courses: Sequence[CourseData]
    # How many rows of the file have a name that several have, unless all are active courses.
    repeated: Mapping[str, int] = field(default_factory=dict)

    @cached_property
    def _before(self) -> dict[str, CourseData]:
        return {course.code: course for course in self.today}

    @cached_property
    def added(self) -> list[CourseData]:
        return [course for course in self.courses if course.code not in self._before]

    @cached_property
    def deactivated(self) -> list[CourseData]:
        """Active courses that a file or an earlier catalogue lacks. Each has a field."""
        return [
            course
            for course in self.courses
            if course.fields and not course.is_active and course.code in self._before
            if self._before[course.code].is_active
        ]

    @cached_property
    def without_field(self) -> list[CourseData]:
        """Courses that are added, or renamed, and of whose field the name says nothing."""
        return [course for course in self.touched if not course.fields]

    @cached_property
    def changed(self) -> list[tuple[CourseData, dict[str, tuple[Any, Any]]]]:
        """Courses of today with their values before and after, by column.

        Those in `deactivated` only if more changes.
        """
        changed = []
        deactivated = {course.code for course in self.deactivated}
        for course in self.courses:
            if before := self._before.get(course.code):
                pairs = {name: (getattr(before, name), getattr(course, name)) for name in COLUMNS}
                columns = {name: pair for name, pair in pairs.items() if pair[0] != pair[1]}
                if course.code in deactivated:
                    del columns["is_active"]
                if columns:
                    changed.append((course, columns))
        return changed

    @property
    def differences(self) -> dict[str, list[CourseData]]:
        changed = [course for course, _ in self.changed]
        return {"added": self.added, "changed": changed, "deactivated": self.deactivated}

    @property
    def touched(self) -> list[CourseData]:
        return [course for course in self.courses if self._before.get(course.code) != course]

    @property
    def active(self) -> int:
        """Count today's active courses."""
        return sum(course.is_active for course in self.today)

    @property
    def counts(self) -> dict[str, int]:
        counts = {kind: len(courses) for kind, courses in self.differences.items()}
        before = self._before
        same = (course.is_active and before.get(course.code) == course for course in self.courses)
        return {**counts, "unchanged": sum(same)}

    @property
    def deactivates_many(self) -> bool:
        return len(self.deactivated) > FEW_DEACTIVATED * self.active

    def choose_fields(self, fields: Mapping[str, str], *, confirmed: bool) -> Self:
        """Return the plan with what an editor chose: fields of those `without_field`, by code.

        `confirmed` says that the editor has checked the fields proposed for added courses.
        """
        chosen = {
            course.code: replace(course, fields=(field,), is_active=True)
            for course in self.without_field
            if (field := fields.get(course.code))
        }
        if confirmed:
            proposed = (course for course in self.added if course.fields)
            chosen |= {course.code: replace(course, fields_proposed=False) for course in proposed}
        courses = [chosen.get(course.code, course) for course in self.courses]
        return replace(self, courses=courses)


def plan_rows(
    today: Sequence[CourseData],
    rows: Sequence[Row],
    *,
    add: bool = False,
    keep_repeated: bool = False,
) -> Plan:
    """Plan to replace the courses by the rows of a file, or to `add` the rows to them.

    Codes are compared without case, and a course keeps its spelling. A row without a code is the
    course of its name, else a new one with the next free code. A row without an order has its
    place in the file. Of the rows of a name in `Plan.repeated`, one counts unless
    `keep_repeated`. A course without a field stays inactive.
    """
    courses = {course.code: course for course in today}
    rows = _with_codes(rows, today)
    is_new = {row["code"]: True for row in rows} | {each.code: not each.is_active for each in today}
    rows_by_title = defaultdict[str, list[Row]](list)
    for row in rows:
        rows_by_title[title_of(row["name"])].append(row)
    repeated = [
        same
        for same in rows_by_title.values()
        if len(same) > 1 and any(is_new[row["code"]] for row in same)
    ]
    if not keep_repeated:
        left_out = {row["code"] for same in repeated for row in same}
        left_out -= {min(same, key=lambda row: is_new[row["code"]])["code"] for same in repeated}
        rows = [row for row in rows if row["code"] not in left_out]
    if not add:
        courses = {code: replace(course, is_active=False) for code, course in courses.items()}
    last = max((course.order for course in today), default=0) if add else 0
    for place, row in enumerate(rows, 1):
        course = courses.get(row["code"])
        order = course.order if add and course else min(last + place, MAX_ORDER)
        new = course or CourseData(row["code"], name="")
        courses[row["code"]] = edit(new, {"order": order, **row, "is_active": True})
    counts = {same[0]["name"]: len(same) for same in repeated}
    return Plan(today, _in_staff_order(courses.values()), counts)


def plan_courses(today: Sequence[CourseData], earlier: Iterable[CourseData]) -> Plan:
    """Plan to go back to the active courses of an earlier catalogue. Others become inactive."""
    courses = {course.code: replace(course, is_active=False) for course in today}
    courses |= {course.code: course for course in earlier}
    return Plan(today, _in_staff_order(courses.values()))


def edit(course: CourseData, values: Row) -> CourseData:
    """Return the course with new values, and with proposals where nothing is chosen.

    Fields in `values` count as chosen; proposed ones follow a changed name. A course that had no
    name is new, and gets a level proposed too. Without a field it becomes inactive. Texts for
    students change only in the languages given.
    """
    texts = {name: merged(getattr(course, name), values[name]) for name in TEXTS if name in values}
    lists = {name: tuple(value) for name, value in values.items() if isinstance(value, list)}
    fields = lists.pop("fields", ())
    new = replace(course, **{**values, **lists, **texts, "fields": fields or course.fields})
    if fields:
        new = replace(new, fields_proposed=False)
    elif not new.fields or (course.fields_proposed and new.name != course.name):
        proposed = propose_fields(new.name)
        new = replace(new, fields=proposed, fields_proposed=bool(proposed))
    if not (course.name or new.entry_level) and asks_for_degree(new.name):
        new = replace(new, entry_level=DEGREE)
    return new if new.fields else replace(new, is_active=False)


def merged(texts: Mapping[str, Any], changes: Mapping[str, Any]) -> dict[str, Any]:
    """Return texts by language after changes. An empty text removes its language."""
    return {language: text for language, text in {**texts, **changes}.items() if text}


def _with_codes(rows: Sequence[Row], today: Iterable[CourseData]) -> list[Row]:
    """Give each row a code: its own as the course spells it, that of its name, or a free one.

    The second row of a name gets the second course; active courses come first.
    """
    active_first = sorted(today, key=lambda course: not course.is_active)
    spellings = {course.code.casefold(): course.code for course in reversed(active_first)}
    given = {row["code"].casefold() for row in rows if "code" in row}
    codes_by_title = defaultdict[str, list[str]](list)
    for course in active_first:
        if course.code.casefold() not in given:
            codes_by_title[course.title].append(course.code)
    taken = spellings.keys() | given
    free = (code for n in count(1) if (code := f"C{n:03}").casefold() not in taken)

    def code_of(row: Row) -> str:
        if "code" in row:
            return spellings.get(row["code"].casefold()) or row["code"]
        codes = codes_by_title[title_of(row["name"])]
        return codes.pop(0) if codes else next(free)

    return [{**row, "code": code_of(row)} for row in rows]


def _in_staff_order(courses: Iterable[CourseData]) -> list[CourseData]:
    return sorted(courses, key=lambda course: (course.order, course.code))
