"""The table of a project's catalogue, previewed and saved as a whole."""

from __future__ import annotations

import copy
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import Any

from django import forms
from django.contrib.admin.utils import label_for_field
from django.core.exceptions import ValidationError

from assessments.admin.field_inputs import LABELS, assign_inputs, confirmed_input, field_input
from assessments.catalogue import course_table
from assessments.catalogue.course_table import COLUMNS, FIELD_INPUTS, INPUTS, Revision
from assessments.catalogue.courses_file import ORDER_MAX
from assessments.catalogue.field_choices import field_names
from assessments.catalogue.preview import CataloguePreview, catalogue_preview
from assessments.measurement.courses import RATING_MAX, CourseRatings
from assessments.measurement.scales import INTERESTS
from assessments.models import Course, ItemBank
from partners.models import Project

# Django accepts 1,000 fields per form, and a row has fourteen.
AT_A_TIME = 60
DIGEST = "digest"
TICKED = ("is_active", "confirmed")
HIGHEST = {"order": ORDER_MAX, **dict.fromkeys(INTERESTS, RATING_MAX)}
_NAME = re.compile(r"course-([0-9]{1,18})-([a-z_]+)")


class RowForm(forms.Form):
    """A row of the table, validated into a copy of its course.

    Not a ModelForm, which queries the database for each constraint of each row. `Course.clean`
    checks the same rules.
    """

    def __init__(self, data: Mapping[str, Any], course: Course) -> None:
        super().__init__(data)
        self.course = copy.copy(course)
        self.fields = {
            **forms.fields_for_model(Course, ("is_active", "order", "name", *INTERESTS)),
            **{name: field_input(name) for name in FIELD_INPUTS},
            "confirmed": confirmed_input(),
        }
        for name in INTERESTS:
            self.fields[name].required = False

    def clean(self) -> dict[str, Any]:
        data = dict(self.cleaned_data)
        for column in ("is_active", "order"):
            setattr(self.course, column, data.get(column))
        try:
            assign_inputs(self.course, data)
        except ValidationError as faults:
            self.add_error(None, faults)
            return self.cleaned_data
        unread = {each.name for each in Course._meta.fields} - set(data)
        for check in (partial(self.course.clean_fields, exclude=unread), self.course.clean):
            try:
                check()
            except ValidationError as faults:
                self.add_error(None, faults)
        return self.cleaned_data


@dataclass(frozen=True, slots=True)
class Cell:
    """An input of a row, with its label for screen readers.

    `placeholder` is the rating that an empty input stands for.
    """

    name: str
    column: str
    label: str
    value: str
    is_wrong: bool
    highest: int | None = None
    placeholder: str = ""


@dataclass(slots=True)
class Row:
    """A course in the table, as stored or as edited.

    `overtaken` describes the stored course if another user changed it after the page was opened.
    """

    course: Course
    digest: str
    typed: Mapping[str, Any] | None = None
    faults: list[str] = field(default_factory=list)
    wrong: frozenset[str] = frozenset()
    overtaken: str = ""
    revision: Revision | None = None

    @property
    def cells(self) -> dict[str, Cell]:
        """The inputs by name. `ratings` and `field_cells` list some of them alone."""
        return {name: self._cell(name) for name in INPUTS}

    @property
    def ratings(self) -> list[Cell]:
        return [self._cell(interest) for interest in INTERESTS]

    @property
    def field_cells(self) -> list[Cell]:
        return [self._cell(name) for name in FIELD_INPUTS]

    @property
    def is_active(self) -> bool:
        return str(self._value("is_active")) == "True"

    @property
    def is_confirmed(self) -> bool:
        return str(self._value("confirmed")) == "True"

    @property
    def digest_name(self) -> str:
        return f"course-{self.course.pk}-{DIGEST}"

    def _value(self, name: str) -> Any:
        return self.typed[name] if self.typed else self.course.inputs[name]

    def _cell(self, name: str) -> Cell:
        is_derived = name in INTERESTS and self.course.has_derived_ratings
        return Cell(
            name=f"course-{self.course.pk}-{name}",
            column=name,
            label=f"{_label(name)} of {self.course.code}",
            value=str(self._value(name)),
            is_wrong=name in self.wrong,
            highest=HIGHEST.get(name),
            placeholder=str(getattr(self.course, name)) if is_derived else "",
        )


class Sheet:
    """The rows of a project's courses, with edits compared to the stored values.

    Unedited rows show the stored values. `strangers` are inputs that belong to none of the courses:
    forged, or of a course that was deleted after the page was opened.
    """

    def __init__(self, courses: Iterable[Course], data: Mapping[str, str] | None = None) -> None:
        known = {course.pk: course for course in courses}
        self.strangers: list[str] = []
        if data is None:
            self.rows = [Row(course, course.digest) for course in known.values()]
            return
        posted: dict[int, dict[str, str]] = {}
        for name in data:
            if not name.startswith("course-"):
                continue
            match = _NAME.fullmatch(name)
            pk, column = (int(match[1]), match[2]) if match else (0, "")
            if pk in known and column in (*INPUTS, DIGEST):
                posted.setdefault(pk, {})[column] = data[name]
            else:
                self.strangers.append(name)
        self.rows = [
            _row(course, posted[pk]) for pk, course in known.items() if DIGEST in posted.get(pk, {})
        ]

    @property
    def faulty(self) -> list[Row]:
        return [row for row in self.rows if row.faults]

    @property
    def overtaken(self) -> list[Row]:
        return [row for row in self.rows if row.overtaken]

    @property
    def revisions(self) -> dict[int, Revision]:
        """Changes by primary key, of the rows without errors."""
        return {row.course.pk: row.revision for row in self.rows if row.revision}

    def is_sound(self) -> bool:
        """Return whether every edit can be saved."""
        return not (self.strangers or self.faulty or self.overtaken)

    def edited(self, courses: Iterable[Course]) -> list[CourseRatings]:
        """Return the ratings of the active courses with the edits applied."""
        by_key = {row.course.pk: row.course for row in self.rows}
        now = [by_key.get(course.pk, course) for course in courses]
        return [course.ratings for course in now if course.is_active]


def _row(course: Course, posted: Mapping[str, str]) -> Row:
    typed = {name: posted.get(name, "").strip() for name in INPUTS}
    for name in TICKED:
        typed[name] = str(name in posted)
    was, now = posted[DIGEST], course.digest
    if course_table.digest(typed) == was:
        return Row(course, now)
    form = RowForm(
        {**typed, **{name: "on" if typed[name] == "True" else "" for name in TICKED}},
        course,
    )
    row = Row(course, now, typed)
    if form.is_valid():
        row.course = form.course
        # The digest when the page was opened: `revise` refuses if the course changed since.
        row.revision = Revision(was, {name: getattr(form.course, name) for name in COLUMNS})
    else:
        found = form.errors.as_data()
        row.faults = [_said(name, fault) for name, faults in found.items() for fault in faults]
        row.wrong = frozenset(form.errors) & frozenset(INPUTS)
    if was != now:
        row.overtaken = stored_values(course)
    return row


def stored_values(course: Course) -> str:
    """Return a course's stored values in words."""
    state = "active" if course.is_active else "not active"
    ratings = " ".join(str(rating) for rating in course.ratings.ratings)
    fields = f", fields: {field_names(course.fields)}" if course.fields else ""
    return f"{course.name}, order {course.order}{fields}, ratings {ratings}, {state}"


def _said(name: str, fault: ValidationError) -> str:
    # An error of the six ratings together has no code.
    if name == "order" or (name in INTERESTS and fault.code):
        return f"{_label(name)}: give a whole number from 0 to {HIGHEST[name]}."
    said = " ".join(fault.messages)
    return said if name in INTERESTS else f"{_label(name)}: {said}"


def _label(name: str) -> str:
    return LABELS.get(name) or str(label_for_field(name, Course)).capitalize()


def preview_of(
    project: Project, sheet: Sheet, courses: Sequence[Course]
) -> CataloguePreview | None:
    """Return the preview of the edited catalogue, or None without a current bank."""
    scoring = ItemBank.objects.current_scoring()
    if scoring is None:
        return None
    saved = [course.ratings for course in courses if course.is_active]
    return catalogue_preview(
        sheet.edited(courses),
        saved,
        scoring,
        project.recommendation_count,
    )
