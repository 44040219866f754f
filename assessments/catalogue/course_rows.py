"""Read a course catalogue from a file, with the faults of all its rows; write it as a file."""

import html
import io
import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from itertools import pairwise
from typing import Any

from django.utils.text import capfirst

from assessments.catalogue.headers import (
    NAME_PART,
    Choices,
    Kind,
    Place,
    Row,
    Table,
    clean_text,
    comparable,
    fault_of_text,
    group_faults,
    join_names,
    read_table,
    rows_in_words,
)
from assessments.catalogue.plans import merged
from assessments.catalogue.workbook import TableFault
from assessments.models import Course
from assessments.models.course_description import FILE_COLUMNS, FILE_TEXTS, TEXTS
from assessments.models.courses import ENTRY_LEVEL_LABELS
from measurement.course_names import FIELD_CHOICES, field_names
from measurement.courses import DELIVERY, LEVELS, STREAMS, CourseData, title_of
from measurement.scales import FACETS
from measurement.wording import ENGLISH, SHORT_STREAMS
from partners.spreadsheet import csv_lines, text_workbook

_KINDS, _PARTS = ("course", "programme", "program", "degree"), ("branch", "trade")
_NAMES = ("{} name", "name of {}", "name of the {}", "{} title", "{}", "{}s", "{}s offered")
# More headings by which a column is recognised; the first one that a file has counts. Other columns
# have only their name and label: the Description, Field or Required stream of colleges mean
# something else.
SYNONYMS: dict[str, tuple[str, ...]] = {
    "code": (
        *(f"{kind} {what}" for what in ("code", "id", "no") for kind in (*_KINDS, *_PARTS)),
        *("code no", "कोड", "पाठ्यक्रम कोड", "कोर्स कोड"),
    ),
    "name": (
        *(heading.format(kind) for heading in _NAMES for kind in _KINDS),
        *("title", "पाठ्यक्रम का नाम", "पाठ्यक्रम", "कोर्स का नाम", "कोर्स"),
        *(heading.format(part) for heading in _NAMES for part in _PARTS),
    ),
    "order": ("क्रम",),
    "department": ("department name", "dept", "school", "faculty", "विभाग", "संकाय"),
    NAME_PART: (
        *(heading.format(part) for heading in _NAMES for part in _PARTS),
        *("specialisation", "specialization", "discipline", "major", "subject", "honours"),
    ),
}
# The names of the columns on the pages, and in faults.
LABELS = {
    **{name: name.replace("_", " ").capitalize() for name in FILE_COLUMNS},
    **{"fields": "Fields of work", "required_streams": "Required subjects"},
    **{"url": "Course page", "apply_url": "Application page", "delivery": "Taught"},
    NAME_PART: "Second part of the name",
}
HEADINGS = {
    name: tuple(dict.fromkeys(map(comparable, [name, label, *SYNONYMS.get(name, ())])))
    for name, label in LABELS.items()
}


def _spellings(*names_by_code: Mapping[str, str]) -> dict[str, str]:
    """Return the codes by spelling: each code itself, and its names."""
    named = {comparable(name): code for names in names_by_code for code, name in names.items()}
    return named | {comparable(code): code for code in names_by_code[0]}


# What editors read of subjects and of kinds of teaching, which are the ends of scales of
# preferences in their order.
SUBJECTS = {code: ENGLISH.streams[code] for code in STREAMS}
DELIVERY_WORDS = dict(
    zip(DELIVERY, (end for ends in ENGLISH.preferences.values() for end in ends), strict=True)
)
_SUBJECTS = _spellings(
    SUBJECTS,
    SHORT_STREAMS,
    # without the letters in brackets
    {code: name.split(" (")[0] for code, name in SUBJECTS.items()},
) | dict.fromkeys(
    # "Open to all", as colleges write it.
    ["any", "all", "none", "any subject", "any subjects", "any stream", "all streams"],
    "",
)
# Columns with codes, by spelling. In a cell, several are separated by commas or semicolons.
SPELLINGS: dict[str, dict[str, str]] = {
    "entry_level": _spellings(ENTRY_LEVEL_LABELS),
    **{f"{facet}_level": {level: level for level in LEVELS} for facet in FACETS},
    "streams": _SUBJECTS,
    "required_streams": _SUBJECTS,
    "delivery": _spellings(DELIVERY_WORDS),
    "fields": {
        **_spellings({code: field.name for code, field in FIELD_CHOICES.items()}),
        "maths and data": "maths",  # as colleges write it
    },
}
# Columns with a list of codes, and the order in which they are stored.
CODE_LISTS = {"streams": STREAMS, "required_streams": STREAMS, "delivery": DELIVERY}
WHOLE_NUMBER = re.compile(r"([0-9]{1,9})(\.0+)?")


def parse(content: bytes, choices: Choices | None = None) -> list[dict[str, Any]]:
    """Return the columns of each course of a file. Raises TableFault with all faults."""
    table = read_table(content, COURSES, choices)
    if table.faults:
        raise TableFault(*table.faults)
    return table.values


def read_rows(table: Table) -> list[dict[str, Any]]:
    """Return the columns of each course, as `plans.plan_rows` takes them.

    Columns that the file lacks are left out, code and order too; empty cells get the default. Adds
    to the table's notes, and to its faults those of all rows: what can't be read, and what `Course`
    refuses.
    """
    _complete_names(table)
    rows: list[dict[str, Any]] = []
    faults: list[tuple[str, Place, str]] = []
    places_by_code = defaultdict[str, list[tuple[Place, str]]](list)
    for line in table.rows:
        name = clean_text(line.cells["name"])
        row, faults_of_row = _row(line)
        rows.append(row)
        faults += [(fault, line.place, name) for fault in faults_of_row]
        if code := row.get("code"):
            places_by_code[code.casefold()].append((line.place, code))
    table.faults += group_faults(faults)
    for places in places_by_code.values():
        if len(places) > 1:
            where, codes = zip(*places, strict=True)
            table.faults.append(
                f"{capfirst(rows_in_words(where))} have the same code, "
                f"{' or '.join(dict.fromkeys(codes))}. Give each course its own."
            )
    for facet in FACETS:
        level, importance = f"{facet}_level", f"{facet}_importance"
        if any((level in line.cells) != (importance in line.cells) for line in table.rows):
            fault = f"Only one of {level} and {importance} has a column. Give both, or none."
            table.faults.append(fault)
    if not rows:
        # An empty file would make every course inactive, which is surely a mistake.
        table.faults.append("The file has headings but no course. Give one row a course.")
    if not table.faults and not any("code" in row for row in rows):
        table.notes.append("The file has no codes, so a course is known by its name.")
    return rows


def _complete_names(table: Table) -> None:
    """Put names together from two columns, if names repeat or the user chose a second column.

    A row with a second part alone has the name of the row above, as in a merged cell.
    """
    titles = {title_of(line.cells["name"]) for line in table.rows if line.cells["name"]}
    if NAME_PART in table.chosen or len(titles) < len(table.rows):
        for above, line in pairwise(table.rows):
            if line.cells.get(NAME_PART) and above.place[0] == line.place[0]:
                line.cells["name"] = line.cells["name"] or above.cells["name"]
        join_names(table)
        return
    table.places.pop(NAME_PART, None)
    rows, table.rows = table.rows, []
    for line in rows:
        line.cells.pop(NAME_PART, None)
        if line.cells["name"] or line.cells.get("code"):
            table.rows.append(line)
        else:
            table.left_out["without name"].append(line.place)


COURSES = Kind(
    name="courses",
    headings=HEADINGS,
    labels=LABELS,
    # Other columns are recognised by their headings alone.
    to_choose={
        **{"name": "Choose a column", NAME_PART: "None"},
        **{"code": "None: a course is known by its name", "order": "None: the order of the rows"},
        **dict.fromkeys(("department", "fields", "required_streams"), "None"),
        **dict.fromkeys(("about", "url", "apply_url"), "None"),
    },
    required=("name",),
    named_by=("code", "name", NAME_PART),
    read_rows=read_rows,
    load_page="admin:assessments_course_load",
    columns_page="admin:assessments_course_columns",
    apply_page="admin:assessments_course_compare",
)


def _row(line: Row) -> tuple[dict[str, Any], list[str]]:
    """Return the columns of a course, and its faults."""
    row: dict[str, Any] = {}
    faults, unread = [], [] if "code" in line.cells else ["code"]
    for column, text in line.cells.items():
        try:
            value = _read(column, text)
        except ValueError as fault:
            faults.append(f"{LABELS[column]} {fault}")
            unread.append(column)
            continue
        if column in FILE_TEXTS:
            name, language = FILE_TEXTS[column]
            row.setdefault(name, {})[language] = value
        elif column != "order" or text:
            row[column] = value
    texts = {name: merged({}, row[name]) for name in TEXTS if name in row}
    refused = Course(**{**row, **texts}).faults(exclude=unread)
    faults += [
        f"{LABELS[name]}: {' '.join(errors).rstrip('.')}" for name, errors in refused.items()
    ]
    if line.has_surplus:
        faults.append("There are more cells than headings")
    return row, faults


def _read(column: str, text: str) -> Any:
    """Return a cell as its column stores it. A ValueError has a phrase to follow the label."""
    if column in ("code", "name"):
        text = clean_text(text)
        if fault := fault_of_text(text) if text else "is empty":
            raise ValueError(fault)
        return text
    if column == "department":
        return clean_text(text)
    if column == "order" or column.endswith("_importance"):
        if not (number := WHOLE_NUMBER.fullmatch(text or "0")):
            raise ValueError(f"is “{text[:20]}”, not a whole number")
        return int(number[1])
    if column in SPELLINGS:
        return _read_codes(column, html.unescape(text))
    if column in FILE_TEXTS:
        return TEXTS[FILE_TEXTS[column][0]](html.unescape(text))
    return text.replace("&amp;", "&")  # the only entity: an address may have "&copy=1"


def _read_codes(column: str, text: str) -> Any:
    spellings = SPELLINGS[column]
    words = [word.strip() for word in re.split("[;,]", text) if word.strip()]
    if unknown := [f"“{word[:40]}”" for word in words if comparable(word) not in spellings]:
        raise ValueError(f"has {' and '.join(unknown)}, which is unknown")
    codes = list(dict.fromkeys(filter(None, (spellings[comparable(word)] for word in words))))
    if column == "fields":
        return codes  # the main field comes first
    if column in CODE_LISTS:
        return [code for code in CODE_LISTS[column] if code in codes]
    if len(codes) > 1:
        raise ValueError("has more than one value")
    code = "".join(codes)
    return code if column == "entry_level" else LEVELS.index(code or LEVELS[0])


def workbook_of(courses: Iterable[CourseData]) -> io.BytesIO:
    """Return a workbook with a sheet of courses and one that explains the fields of work."""
    fields = [(code, field.name, field.about) for code, field in FIELD_CHOICES.items()]
    # No heading by which a list of courses would be recognised.
    headings = ("Code of the field", "Field of work", "What people do")
    return text_workbook(
        {"Courses": [FILE_COLUMNS, *map(_cells, courses)], "Fields of work": [headings, *fields]}
    )


def csv_of(courses: Iterable[CourseData]) -> Iterator[str]:
    return csv_lines(FILE_COLUMNS, map(_cells, courses))


def _cells(course: CourseData) -> list[str]:
    # Proposed fields are left out, so that loading the file again changes nothing.
    columns = {**course.columns, "fields": [] if course.fields_proposed else list(course.fields)}
    for name, (column, language) in FILE_TEXTS.items():
        columns[name] = getattr(course, column).get(language, "")
    return [cell_text(name, columns[name]) for name in FILE_COLUMNS]


def cell_text(column: str, value: Any) -> str:
    """Return the cell of a file for a value of a column, or for a text in one language."""
    if column == "fields":
        return field_names(value)
    if isinstance(value, list | tuple):
        return "; ".join(value)
    return LEVELS[value] if column in SPELLINGS and isinstance(value, int) else str(value)
