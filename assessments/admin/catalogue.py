"""The table of a project's catalogue, previewed and saved as a whole."""

from __future__ import annotations

import copy
import json
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import Any

from django import forms
from django.contrib.admin.utils import label_for_field
from django.core.exceptions import ValidationError

from assessments.admin.field_inputs import LABELS, assign_inputs, confirmed_input, field_input
from assessments.catalogue.course_table import COLUMNS, FIELD_INPUTS, INPUTS
from assessments.catalogue.courses_file import ORDER_MAX
from assessments.catalogue.field_choices import FIELD_CHOICES
from assessments.catalogue.preview import CataloguePreview, catalogue_preview
from assessments.measurement.courses import CourseRatings
from assessments.models import Course, ItemBank
from partners.edit_forms import OUTDATED, Sent, as_sent, conflict, merged, read_shown
from partners.models import Project

# Django accepts 1,000 fields per form, and a row has fourteen.
AT_A_TIME = 60
SHOWN = "shown"
TICKED = ("is_active", "confirmed")
HIGHEST = {"order": ORDER_MAX}
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
            **forms.fields_for_model(Course, ("is_active", "order", "name")),
            **{name: field_input(name) for name in FIELD_INPUTS},
            "confirmed": confirmed_input(),
        }

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
    """A course in the table: the stored values, with the user's edits.

    `stored` are the values to send back as shown. `overtaken` says which values somebody else
    changed after the page was opened. `changes` are the columns to save.
    """

    course: Course
    stored: Mapping[str, Sent]
    values: Mapping[str, Sent]
    faults: list[str] = field(default_factory=list)
    wrong: frozenset[str] = frozenset()
    overtaken: list[str] = field(default_factory=list)
    changes: dict[str, Any] = field(default_factory=dict)

    @property
    def cells(self) -> dict[str, Cell]:
        """The inputs by name. `ratings` and `field_cells` list some of them alone."""
        return {name: self._cell(name) for name in INPUTS}

    @property
    def field_cells(self) -> list[Cell]:
        return [self._cell(name) for name in FIELD_INPUTS]

    @property
    def shown_name(self) -> str:
        return f"course-{self.course.pk}-{SHOWN}"

    @property
    def shown(self) -> str:
        return json.dumps(self.stored)

    def _cell(self, name: str) -> Cell:
        return Cell(
            name=f"course-{self.course.pk}-{name}",
            column=name,
            label=f"{_label(name)} of {self.course.code}",
            value=str(self.values[name]),
            is_wrong=name in self.wrong,
            highest=HIGHEST.get(name),
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
            self.rows = [_unedited(course) for course in known.values()]
            return
        posted: dict[int, dict[str, str]] = {}
        for name in data:
            if not name.startswith("course-"):
                continue
            match = _NAME.fullmatch(name)
            pk, column = (int(match[1]), match[2]) if match else (0, "")
            if pk in known and column in (*INPUTS, SHOWN):
                posted.setdefault(pk, {})[column] = data[name]
            else:
                self.strangers.append(name)
        self.rows = [
            _row(course, posted[pk]) for pk, course in known.items() if SHOWN in posted.get(pk, {})
        ]

    @property
    def faulty(self) -> list[Row]:
        return [row for row in self.rows if row.faults]

    @property
    def overtaken(self) -> list[Row]:
        return [row for row in self.rows if row.overtaken]

    @property
    def changes(self) -> dict[int, dict[str, Any]]:
        """The columns to save, by primary key of their course."""
        return {row.course.pk: row.changes for row in self.rows if row.changes}

    def is_sound(self) -> bool:
        """Return whether every edit can be saved."""
        return not (self.strangers or self.faulty or self.overtaken)

    def edited(self, courses: Iterable[Course]) -> list[CourseRatings]:
        """Return the ratings of the active courses with the edits applied."""
        by_key = {row.course.pk: row.course for row in self.rows}
        now = [by_key.get(course.pk, course) for course in courses]
        return [course.ratings for course in now if course.is_active]


def _unedited(course: Course) -> Row:
    stored = _stored(course)
    return Row(course, stored, stored)


def _stored(course: Course) -> dict[str, Sent]:
    return {name: as_sent(value) for name, value in course.inputs.items()}


def _row(course: Course, posted: Mapping[str, str]) -> Row:
    row = _unedited(course)
    sent = {name: as_sent(posted.get(name)) for name in INPUTS}
    shown = read_shown(posted[SHOWN], row.stored)
    if shown is None:
        row.values, row.faults = sent, [OUTDATED]
        return row
    merge = merged(shown, row.stored, sent)
    if merge.values == row.stored:
        return row
    row.values = merge.values
    row.overtaken = [
        f"{_label(name)}: "
        + conflict(_in_words(name, row.stored[name]), _in_words(name, sent[name]))
        for name in merge.conflicts
    ]
    form = RowForm(merge.values, course)
    if form.is_valid():
        row.course = form.course
        values = {name: getattr(form.course, name) for name in COLUMNS}
        row.changes = {
            name: value for name, value in values.items() if value != getattr(course, name)
        }
    else:
        found = form.errors.as_data()
        row.faults = [_said(name, fault) for name, faults in found.items() for fault in faults]
        row.wrong = frozenset(form.errors) & frozenset(INPUTS)
    return row


def _in_words(name: str, value: Sent) -> str:
    if name in TICKED:
        return "ticked" if value else "not ticked"
    if name in FIELD_INPUTS and value in FIELD_CHOICES:
        return FIELD_CHOICES[str(value)].name
    return str(value) or "nothing"


def _said(name: str, fault: ValidationError) -> str:
    if name == "order":
        return f"{_label(name)}: give a whole number from 0 to {HIGHEST[name]}."
    return f"{_label(name)}: {' '.join(fault.messages)}"


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
