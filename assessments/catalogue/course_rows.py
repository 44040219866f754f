"""Read a course catalogue from a file, with the faults of all its rows; write it as a file."""

from __future__ import annotations

import html
import io
import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from assessments.catalogue.field_choices import DELIVERY_WORDS, FIELD_CHOICES, field_names
from assessments.catalogue.headers import (
    Row,
    Table,
    clean_text,
    comparable,
    fault_of_text,
    group_faults,
    read_table,
    rows_in_words,
)
from assessments.catalogue.workbook import TableFault
from assessments.models import Course
from assessments.models.course_description import FILE_COLUMNS, FILE_TEXTS, TEXTS, merged
from assessments.models.courses import ENTRY_LEVEL_LABELS
from measurement.courses import DELIVERY, ENTRY_LEVELS, LEVELS, STREAMS
from measurement.fields import FIELDS
from measurement.scales import FACETS
from measurement.wording import ENGLISH, SHORT_STREAMS
from partners.plain_text import words
from partners.spreadsheet import csv_lines

_KINDS, _PARTS = ("course", "programme", "program"), ("branch", "trade")
_NAMES = ("{} name", "name of {}", "name of the {}", "{} title", "{}", "{}s", "{}s offered")
# More headings by which a column is recognised; the first one that a file has counts. Other columns
# have only their name and label: the Description, Field or Required stream of colleges mean
# something else.
SYNONYMS: dict[str, tuple[str, ...]] = {
    "code": (
        *(f"{kind} {what}" for what in ("code", "id", "no") for kind in (*_KINDS, *_PARTS)),
        "code no",
    ),
    "name": (
        *(heading.format(kind) for heading in _NAMES for kind in _KINDS),
        "title",
        *(heading.format(part) for heading in _NAMES for part in _PARTS),
    ),
    "department": ("department name", "dept", "school", "faculty"),
}
# The names of the columns on the pages, and in faults.
LABELS = {
    **{name: name.replace("_", " ").capitalize() for name in FILE_COLUMNS},
    **{"fields": "Fields of work", "required_streams": "Required subjects"},
    **{"url": "Course page", "apply_url": "Application page", "delivery": "Taught"},
}
HEADINGS = {
    name: tuple(
        dict.fromkeys([comparable(name), comparable(LABELS[name]), *SYNONYMS.get(name, ())])
    )
    for name in FILE_COLUMNS
}


def _spellings(codes: Iterable[str], *names_by_code: Mapping[str, str]) -> dict[str, str]:
    """Return the codes by spelling: each code itself, and its names."""
    named = {comparable(name): code for names in names_by_code for code, name in names.items()}
    return named | {comparable(code): code for code in codes}


_STREAMS = {code: ENGLISH.streams[code] for code in STREAMS}
_SUBJECTS = _spellings(
    STREAMS,
    _STREAMS,
    SHORT_STREAMS,
    # without the letters in brackets
    {code: name.split(" (")[0] for code, name in _STREAMS.items()},
) | dict.fromkeys(
    # "Open to all", as colleges write it.
    ["any", "all", "none", "any subject", "any subjects", "any stream", "all streams"],
    "",
)
# Columns with codes, by spelling. In a cell, several are separated by commas or semicolons.
SPELLINGS: dict[str, dict[str, str]] = {
    "entry_level": _spellings(
        ENTRY_LEVELS, dict(zip(ENTRY_LEVELS, ENTRY_LEVEL_LABELS, strict=True))
    ),
    **{f"{facet}_level": _spellings(LEVELS) for facet in FACETS},
    "streams": _SUBJECTS,
    "required_streams": _SUBJECTS,
    "delivery": _spellings(DELIVERY, DELIVERY_WORDS),
    "fields": {
        **_spellings(FIELDS, {code: field.name for code, field in FIELD_CHOICES.items()}),
        "maths and data": "maths",  # as colleges write it
    },
}
# Columns with a list of codes, and the order in which they are stored.
CODE_LISTS = {"streams": STREAMS, "required_streams": STREAMS, "delivery": DELIVERY}
WHOLE_NUMBER = re.compile(r"([0-9]{1,9})(\.0+)?")
NAMED_BY = ("code", "name")
MAX_EXAMPLES = 3
MADE_CODE_MAX = 28  # leaves room for a number


def parse(content: bytes) -> list[dict[str, Any]]:
    return read_rows(open_table(content))


def open_table(content: bytes, mapping: Mapping[str, str] | None = None, sheet: str = "") -> Table:
    return read_table(content, HEADINGS, "name", NAMED_BY, mapping=mapping, sheet=sheet)


def read_rows(table: Table) -> list[dict[str, Any]]:
    """Return the columns of each course, as `Course.assign` takes them.

    Columns that the file lacks are left out; empty cells get the default. Without such columns,
    codes are made from the names, and orders from the rows. Adds to the notes of the table. Raises
    TableFault with the faults of all rows: what can't be read, and what `Course` refuses.
    """
    rows: list[dict[str, Any]] = []
    faults: list[tuple[str, int, str]] = []
    places_by_code = defaultdict[str, list[tuple[int, str]]](list)
    for line in table.rows:
        name = clean_text(line.cells["name"])
        row, faults_of_row = _row(line, len(rows) + 1)
        rows.append(row)
        faults += [(fault, line.number, name) for fault in faults_of_row]
        if code := row.get("code"):
            places_by_code[code.casefold()].append((line.number, code))
    findings = group_faults(faults)
    for places in places_by_code.values():
        if len(places) > 1:
            numbers, codes = zip(*places, strict=True)
            findings.append(
                f"{rows_in_words(numbers).capitalize()} have the same code, "
                f"{' or '.join(dict.fromkeys(codes))}. Give each course its own."
            )
    if not rows:
        # An empty file would make every course inactive, which is surely a mistake.
        findings.append("The file has a header but no course. Give one row a course.")
    if findings:
        raise TableFault(*findings)
    if "code" not in table.columns:
        _make_codes(rows)
        examples = ", ".join(row["code"] for row in rows[:MAX_EXAMPLES])
        table.notes.append(f"Codes were made from the names, such as {examples}.")
    return rows


def _make_codes(rows: Sequence[dict[str, Any]]) -> None:
    uses: Counter[str] = Counter()
    for row in rows:
        code = "-".join(words(row["name"].replace(".", ""))).upper()
        code = code[:MADE_CODE_MAX].strip("-") or "COURSE"
        uses[code] += 1
        row["code"] = code if uses[code] == 1 else f"{code}-{uses[code]}"


def _row(line: Row, order: int) -> tuple[dict[str, Any], list[str]]:
    """Return the columns of a course, and its faults. `order` counts if the row has none."""
    row: dict[str, Any] = {"order": order}
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


def workbook_of(courses: Iterable[Mapping[str, Any]]) -> io.BytesIO:
    """Return a workbook with a sheet of courses and one that explains the fields of work."""
    # Imported here: few web processes ever need it.
    from openpyxl import Workbook
    from openpyxl.cell import WriteOnlyCell

    book = Workbook(write_only=True)
    sheet = book.create_sheet("Courses")
    for texts in (FILE_COLUMNS, *map(_cells, courses)):
        cells = [WriteOnlyCell(sheet, value=text) for text in texts]
        for cell in cells:
            cell.data_type, cell.number_format = "s", "@"  # no formula, and zeros stay
        sheet.append(cells)
    fields = book.create_sheet("Fields of work")
    fields.append(("Code", "Name", "What people do"))
    for code, field in FIELD_CHOICES.items():
        fields.append((code, field.name, field.about))
    content = io.BytesIO()
    book.save(content)
    content.seek(0)
    return content


def csv_of(courses: Iterable[Mapping[str, Any]]) -> io.BytesIO:
    return io.BytesIO("".join(csv_lines(FILE_COLUMNS, map(_cells, courses))).encode())


def _cells(course: Mapping[str, Any]) -> list[str]:
    # Proposed fields are left out, so that loading the file again changes nothing.
    columns = {**course, "fields": [] if course["fields_proposed"] else course["fields"]}
    for name, (column, language) in FILE_TEXTS.items():
        columns[name] = course[column].get(language, "")
    return [cell_text(name, columns[name]) for name in FILE_COLUMNS]


def cell_text(column: str, value: Any) -> str:
    """Return the cell of a file for a value of a column, or for a text in one language."""
    if column == "fields":
        return field_names(value)
    if isinstance(value, list):
        return "; ".join(value)
    return LEVELS[value] if column in SPELLINGS and isinstance(value, int) else str(value)
