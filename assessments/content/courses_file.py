"""Read a course catalogue from a file, or find every fault with its line; write it as CSV."""

from __future__ import annotations

import io
import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any
from unicodedata import category

from assessments.content.field_choices import FIELD_CHOICES
from assessments.content.sheets import TableFault
from assessments.content.table_file import (
    Row,
    Table,
    fault_of_text,
    finding,
    fold,
    in_rows,
    plain,
    read_table,
)
from assessments.models import course_description
from assessments.models.course_description import FACTS, ORDER_MAX, REQUIRED
from assessments.models.courses import ENTRY_LEVEL_LABELS
from measurement.courses import (
    DELIVERY,
    ENTRY_LEVELS,
    IMPORTANCE_MAX,
    LEVELS,
    STREAMS,
)
from measurement.fields import FIELDS
from measurement.proposed_fields import FIELDS_MAX
from measurement.reason_wording import SHORT_STREAM_WORDS, STREAM_WORDS
from measurement.scales import FACETS
from measurement.wording import PREFERENCE_WORDS
from partners.plain_text import fault_of
from partners.spreadsheet import csv_lines

OPTIONAL_COLUMNS = (*FACTS, *course_description.FILE_COLUMNS)
KNOWN_COLUMNS = (*REQUIRED, *OPTIONAL_COLUMNS)
# Headings by which a column is recognised, in plain words. Each is also known by its own name and
# by that on the pages.
SYNONYMS: dict[str, tuple[str, ...]] = {
    "code": (
        *("course code", "programme code", "program code", "course id", "programme id"),
        *("program id", "branch code", "trade code", "course no", "code no"),
    ),
    "name": (
        *("course name", "programme name", "program name", "name of course", "name of the course"),
        *("name of programme", "name of the programme", "name of program", "name of the program"),
        *("course title", "programme title", "program title", "course", "programme", "program"),
        *("title", "courses", "programmes", "programs", "programmes offered", "courses offered"),
        *("branch", "branch name", "trade", "trade name", "name of trade", "name of the trade"),
    ),
    "department": ("department name", "dept", "school", "faculty"),
    "about": ("description", "course description"),
    "url": ("course page", "course url", "website", "web page", "link"),
    "apply_url": ("application page", "apply link", "application link"),
    "fields": ("fields of work", "field", "field of work"),
    "required_streams": (
        *("required subjects", "subjects required", "required stream", "stream required"),
    ),
}
# In faults, a column is called as on the pages.
CALLED = {
    **{name: name.replace("_", " ").capitalize() for name in KNOWN_COLUMNS},
    **{"fields": "Fields of work", "required_streams": "Required subjects"},
    **{"url": "Course page", "apply_url": "Application page", "delivery": "Taught"},
}


def _words(codes: Iterable[str], called: Mapping[str, str]) -> dict[str, str]:
    """Return the codes by each of their spellings: the code, and the words of the pages."""
    spelled = {plain(code): code for code in codes}
    return {**{plain(words): code for code, words in called.items()}, **spelled}


_STREAM_WORDS = {
    **_words(STREAMS, STREAM_WORDS["en"]),
    **_words(STREAMS, SHORT_STREAM_WORDS["en"]),
    # as the pages say it, without the letters in brackets
    **_words(STREAMS, {code: words.split(" (")[0] for code, words in STREAM_WORDS["en"].items()}),
}
# Columns with one or more words, by their spellings. Several are separated by commas or semicolons.
WORDS: dict[str, dict[str, str]] = {
    "entry_level": _words(ENTRY_LEVELS, dict(zip(ENTRY_LEVELS, ENTRY_LEVEL_LABELS, strict=True))),
    **{f"{facet}_level": _words(LEVELS, {}) for facet in FACETS},
    "streams": _STREAM_WORDS,
    "required_streams": _STREAM_WORDS,
    "delivery": _words(
        DELIVERY,
        {
            end: words
            for scale, both in PREFERENCE_WORDS["en"].items()
            for end, words in zip(scale.split("_"), both, strict=True)
        },
    ),
    "fields": {
        **_words(FIELDS, {code: each.name for code, each in FIELD_CHOICES.items()}),
        "maths and data": "maths",  # as colleges write it
    },
}
# "Open to all", as colleges write it.
OPEN_TO_ALL = {"any", "all", "none", "any subject", "any subjects", "any stream", "all streams"}
LISTS = ("streams", "required_streams", "delivery", "fields")
# The headings of all columns, by which `read_table` recognises them.
HEADINGS = {
    name: tuple(dict.fromkeys([plain(name), plain(CALLED[name]), *SYNONYMS.get(name, ())]))
    for name in KNOWN_COLUMNS
}
WHOLE_NUMBER = re.compile(r"([0-9]{1,9})(\.0+)?", re.ASCII)
TOTAL = re.compile(r"(grand )?total\b", re.IGNORECASE)
MOST_EXAMPLES = 3
CODE_MAX, NAME_MAX, DEPARTMENT_MAX = 32, 200, 100


def parse(content: bytes) -> list[dict[str, Any]]:
    """Return the rows of a catalogue file; see `open_table` and `rows_of`."""
    return rows_of(open_table(content))


def open_table(content: bytes, mapping: Mapping[str, str] | None = None, sheet: str = "") -> Table:
    """Return the table in a CSV file or Excel workbook; see `read_table`.

    Raises TableFault if there is none.
    """
    return read_table(content, HEADINGS, "name", mapping=mapping, sheet=sheet)


def rows_of(table: Table) -> list[dict[str, Any]]:
    """Return a row for each course: `code`, `name`, `order` and the optional columns of the file.

    Empty cells get the default. Without a column of codes, they are made from the names; without
    one of orders, that of the rows counts. Texts for students come by language, as
    `course_description.read_cells` returns them. Adds to the notes of the table. Raises
    TableFault with the faults of all rows, equal ones together.
    """
    _drop_misread_columns(table)
    rows: list[dict[str, Any]] = []
    lines: list[Row] = []
    found: dict[str, list[tuple[int, str]]] = {}
    pairs = [(f"{facet}_level", f"{facet}_importance") for facet in FACETS]
    for level, importance in pairs:
        if (level in table.columns) != (importance in table.columns):
            both = f"{CALLED[level]} and {CALLED[importance].lower()}"
            raise TableFault([f"{both} go together: the file has only one of them."])
    totals = []
    for line in table.rows:
        name = fold(line.cells["name"])
        if not fold(line.cells.get("code", "")) and TOTAL.match(name):
            totals.append(line.number)
            continue
        row, faults = _row(line, number=len(rows) + 1)
        if line.surplus:
            faults.append("There are more cells than headings")
        for fault in faults:
            found.setdefault(fault, []).append((line.number, name))
        rows.append(row)
        lines.append(line)
    if totals:
        table.notes.append(f"No course: the total in {in_rows(totals)}.")
    if "code" not in table.columns:
        _make_codes(rows)
        if rows:
            codes = ", ".join(row["code"] for row in rows[:MOST_EXAMPLES])
            table.notes.append(f"Codes were made from the names, such as {codes}.")
    findings = [finding(fault, places) for fault, places in found.items()]
    findings += _repeated_codes(rows, [line.number for line in lines])
    if not rows:
        # An empty file would make every course inactive, which is surely a mistake.
        findings.append("The file has a header but no course. Give one row a course.")
    if findings:
        raise TableFault(findings)
    return rows


def _drop_misread_columns(table: Table) -> None:
    """Use no column that was recognised by another heading than ours and whose cells don't fit.

    Colleges have columns such as Description or Required stream that mean something else. One that
    the user chose, or that is headed as on the pages, stays, so its faults are named.
    """
    for column, heading in list(table.columns.items()):
        ours = {plain(column), plain(CALLED[column])}
        if column in (*REQUIRED, *table.chosen) or plain(heading) in ours:
            continue
        filled = [row.cells[column] for row in table.rows if row.cells[column]]
        wrong = sum(bool(_faults_of(column, text)) for text in filled)
        if wrong * 3 > len(filled):
            del table.columns[column]
            for row in table.rows:
                del row.cells[column]
                row.faults.pop(column, None)
            table.notes.append(f"Not used, as too many cells don't fit: {heading}.")


def _faults_of(column: str, text: str) -> list[str]:
    """Return what is wrong with a cell of an optional column by itself."""
    if column in WORDS:
        return _read_words(column, text)[1]
    if column in course_description.FILE_COLUMNS:
        return list(course_description.read_cells({column: text})[1])
    return _text_faults(column, text, DEPARTMENT_MAX)


def _make_codes(rows: Sequence[dict[str, Any]]) -> None:
    """Give each row a code made from its name; equal ones get a number."""
    taken: Counter[str] = Counter()
    for row in rows:
        # Marks are kept: without them, words in Devanagari would be others.
        signs = (
            each if each.isalnum() or category(each).startswith("M") else " "
            for each in row["name"].replace(".", "").upper()
        )
        code = "-".join("".join(signs).split())[: CODE_MAX - 4].strip("-") or "COURSE"
        taken[code] += 1
        row["code"] = code if taken[code] == 1 else f"{code}-{taken[code]}"


def _row(line: Row, *, number: int) -> tuple[dict[str, Any], list[str]]:
    """Return the columns of a course, and what is wrong. `number` is the order if none is given."""
    faults = [f"{CALLED[column]} {fault}" for column, fault in line.faults.items()]
    cells = {column: text for column, text in line.cells.items() if column not in line.faults}
    row: dict[str, Any] = {"code": "", "name": "", "order": number}
    for column, longest in (("code", CODE_MAX), ("name", NAME_MAX), ("department", DEPARTMENT_MAX)):
        if column not in cells:
            continue
        text = row[column] = fold(cells[column])
        if not text and column != "department":
            faults.append(f"{CALLED[column]} is empty")
        elif column != "department" and (fault := fault_of_text(text)):
            faults.append(f"{CALLED[column]} {fault}")
        faults += _text_faults(column, text, longest)
    if order := cells.get("order", ""):
        whole = WHOLE_NUMBER.fullmatch(order)
        if whole and int(whole[1]) <= ORDER_MAX:
            row["order"] = int(whole[1])
        else:
            faults.append(f"Order is “{order[:20]}”, not a whole number from 0 to {ORDER_MAX}")
    for column, text in cells.items():
        if column in WORDS:
            value, wrong = _read_words(column, text)
            faults += wrong
            if not wrong:
                row[column] = value
        elif column.endswith("_importance"):
            if text in ("", *map(str, range(IMPORTANCE_MAX + 1))):
                row[column] = int(text or 0)
            else:
                faults.append(f"{CALLED[column]} is “{text[:20]}”, not 0, 1 or 2")
    faults += [
        f"{CALLED[f'{facet}_level']} is {LEVELS[row[f'{facet}_level']]} and its importance "
        f"{row[f'{facet}_importance']}: none goes with 0, any other with 1 or 2"
        for facet in FACETS
        if {f"{facet}_level", f"{facet}_importance"} <= row.keys()
        and (row[f"{facet}_level"] > 0) != (row[f"{facet}_importance"] > 0)
    ]
    described = {name: cells[name] for name in course_description.FILE_COLUMNS if name in cells}
    description, wrong = course_description.read_cells(described)
    return {**row, **description}, faults + [each.rstrip(".") for each in wrong]


def _read_words(column: str, text: str) -> tuple[Any, list[str]]:
    """Return the value of a column of words, and what is wrong with it."""
    spelled, faults = WORDS[column], []
    given = [each for each in re.split("[;,]", text) if each.strip()]
    if column in ("streams", "required_streams"):
        given = [each for each in given if plain(each) not in OPEN_TO_ALL]
    codes = []
    for each in given:
        if code := spelled.get(plain(each)):
            codes.append(code)
        else:
            faults.append(f"{CALLED[column]} has “{each.strip()[:40]}”, which is unknown")
    codes = [*dict.fromkeys(codes)]
    if column == "fields":  # the main field comes first
        if len(codes) > FIELDS_MAX:
            faults.append(f"Fields of work are {len(codes)}, at most {FIELDS_MAX} count")
        return codes, faults
    if column in LISTS:
        order = DELIVERY if column == "delivery" else STREAMS
        return [code for code in order if code in codes], faults
    if len(codes) > 1:
        faults.append(f"{CALLED[column]} has more than one value")
    if column == "entry_level":
        return (codes[0] if codes else ""), faults
    return LEVELS.index(codes[0] if codes else LEVELS[0]), faults


def _text_faults(column: str, text: str, longest: int) -> list[str]:
    if len(text) > longest:
        return [f"{CALLED[column]} is longer than {longest} characters"]
    fault = fault_of(text)
    return [f"{CALLED[column]} holds {fault.rstrip('.')}"] if fault else []


def _repeated_codes(rows: Sequence[Mapping[str, Any]], places: Sequence[int]) -> list[str]:
    """Name the codes that several rows have. They compare without case."""
    found: dict[str, list[int]] = {}
    for row, place in zip(rows, places, strict=True):
        if row["code"]:
            found.setdefault(row["code"].casefold(), []).append(place)
    spelled: dict[str, dict[str, None]] = {}
    for row in rows:
        spelled.setdefault(row["code"].casefold(), {})[row["code"]] = None
    return [
        f"{in_rows(those).capitalize()} have the same code, {' or '.join(spelled[code])}. Give "
        "each course its own."
        for code, those in found.items()
        if len(those) > 1
    ]


def workbook_of(courses: Iterable[Mapping[str, Any]]) -> bytes:
    """Return a workbook with these courses, in cells of text, and the fields of work beside them.

    Fields that the service proposed are left empty, as `lines_of` leaves them.
    """
    # Not above: few web processes ever need it.
    from openpyxl import Workbook
    from openpyxl.cell import WriteOnlyCell

    book = Workbook(write_only=True)
    sheet = book.create_sheet("Courses")

    def texts(values: Iterable[str]) -> list[Any]:
        cells = []
        for value in values:
            cell = WriteOnlyCell(sheet, value=value)
            cell.data_type, cell.number_format = "s", "@"  # no formula, and zeros stay
            cells.append(cell)
        return cells

    sheet.append(texts(KNOWN_COLUMNS))
    for course in courses:
        sheet.append(texts(_cell(course, name) for name in KNOWN_COLUMNS))
    fields = book.create_sheet("Fields of work")
    for row in (
        ("Code", "Name", "What people do"),
        *((c, f.name, f.about) for c, f in FIELD_CHOICES.items()),
    ):
        fields.append(row)
    content = io.BytesIO()
    book.save(content)
    return content.getvalue()


def lines_of(courses: Iterable[Mapping[str, Any]]) -> Iterator[str]:
    """Yield the lines of a file with these courses, given as their columns.

    Fields that the service proposed are left empty, so that loading the file again changes nothing.
    """
    rows = ([_cell(course, name) for name in KNOWN_COLUMNS] for course in courses)
    return csv_lines(KNOWN_COLUMNS, rows)


def _cell(course: Mapping[str, Any], name: str) -> str:
    if name == "fields" and course["fields_proposed"]:
        return ""
    if name in course_description.FILE_TEXTS:
        column, language = course_description.FILE_TEXTS[name]
        text: str | list[str] = course[column].get(language, "")
        return text if isinstance(text, str) else "; ".join(text)
    if name in LISTS:
        words: list[str] = course[name]
        return "; ".join(words)
    if name.endswith("_level") and name != "entry_level":
        level: int = course[name]
        return LEVELS[level]
    return str(course[name])
