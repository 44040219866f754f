"""Read a course catalogue from a file, or find every fault with its line; write it as a file."""

from __future__ import annotations

import io
import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any
from unicodedata import category

from assessments.content.field_choices import DELIVERY_WORDS, FIELD_CHOICES
from assessments.content.sheets import TableFault
from assessments.content.tables import (
    Row,
    Table,
    fault_of_text,
    findings_of,
    fold,
    in_rows,
    plain,
    read_table,
)
from assessments.models.course_description import (
    ADDRESSES,
    FACTS,
    FILE_COLUMNS,
    FILE_TEXTS,
    ORDER_MAX,
    REQUIRED,
    address_fault,
    kinds_of_work,
    text_faults,
    work_faults,
)
from assessments.models.courses import ENTRY_LEVEL_LABELS
from measurement.courses import DELIVERY, ENTRY_LEVELS, IMPORTANCE_MAX, LEVELS, STREAMS
from measurement.fields import FIELDS
from measurement.proposed_fields import FIELDS_MAX
from measurement.scales import FACETS
from measurement.wording import ENGLISH, SHORT_STREAMS
from partners.plain_text import fault_of, one_line
from partners.spreadsheet import csv_lines

KNOWN_COLUMNS = (*REQUIRED, *FACTS, *FILE_COLUMNS)
_KINDS, _PARTS = ("course", "programme", "program"), ("branch", "trade")
_NAMES = ("{} name", "name of {}", "name of the {}", "{} title", "{}", "{}s", "{}s offered")
# Headings by which a column is recognised, in plain words. Each is also known by its own name and
# by that on the pages. The first one that a file has counts.
SYNONYMS: dict[str, tuple[str, ...]] = {
    "code": (
        *(f"{kind} {what}" for what in ("code", "id", "no") for kind in (*_KINDS, *_PARTS)),
        "code no",
    ),
    "name": (
        *(words.format(kind) for words in _NAMES for kind in _KINDS),
        "title",
        *(words.format(part) for words in _NAMES for part in _PARTS),
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
# The headings of all columns, by which `read_table` recognises them.
HEADINGS = {
    name: tuple(dict.fromkeys([plain(name), plain(CALLED[name]), *SYNONYMS.get(name, ())]))
    for name in KNOWN_COLUMNS
}


def _words(codes: Iterable[str], *called: Mapping[str, str]) -> dict[str, str]:
    """Return the codes by each of their spellings: the code, and the words of the pages."""
    words = {plain(name): code for names in called for code, name in names.items()}
    return words | {plain(code): code for code in codes}


_STREAMS = {code: ENGLISH.streams[code] for code in STREAMS}
_SUBJECTS = _words(
    STREAMS,
    _STREAMS,
    SHORT_STREAMS,
    # as the pages say it, without the letters in brackets
    {code: words.split(" (")[0] for code, words in _STREAMS.items()},
)
# Columns with one or more words, by their spellings. Several are separated by commas or semicolons.
WORDS: dict[str, dict[str, str]] = {
    "entry_level": _words(ENTRY_LEVELS, dict(zip(ENTRY_LEVELS, ENTRY_LEVEL_LABELS, strict=True))),
    **{f"{facet}_level": _words(LEVELS) for facet in FACETS},
    "streams": _SUBJECTS,
    "required_streams": _SUBJECTS,
    "delivery": _words(DELIVERY, DELIVERY_WORDS),
    "fields": {
        **_words(FIELDS, {code: each.name for code, each in FIELD_CHOICES.items()}),
        "maths and data": "maths",  # as colleges write it
    },
}
# Columns that hold a list of codes, and the order in which it is kept.
LISTS = {"streams": STREAMS, "required_streams": STREAMS, "delivery": DELIVERY}
# "Open to all", as colleges write it.
OPEN_TO_ALL = {"any", "all", "none", "any subject", "any subjects", "any stream", "all streams"}
LONGEST = {"code": 32, "name": 200, "department": 100}
WHOLE_NUMBER = re.compile(r"([0-9]{1,9})(\.0+)?", re.ASCII)
TOTAL = re.compile(r"(grand )?total\b", re.IGNORECASE)
MOST_EXAMPLES = 3
CODE_MADE_MAX = 28  # leaves room for a number


def parse(content: bytes) -> list[dict[str, Any]]:
    """Return the rows of a catalogue file; see `open_table` and `rows_of`."""
    return rows_of(open_table(content))


def open_table(content: bytes, mapping: Mapping[str, str] | None = None, sheet: str = "") -> Table:
    """Return the table in a CSV file or Excel workbook; see `read_table`."""
    return read_table(content, HEADINGS, "name", mapping=mapping, sheet=sheet)


def rows_of(table: Table) -> list[dict[str, Any]]:
    """Return a row for each course: `code`, `name`, `order` and the optional columns of the file.

    Empty cells get the default. Without a column of codes, they are made from the names; without
    one of orders, that of the rows counts. Texts for students come by language, as `Course.assign`
    takes them. Adds to the notes of the table. Raises TableFault with the faults of all rows, equal
    ones together.
    """
    for facet in FACETS:
        level, importance = f"{facet}_level", f"{facet}_importance"
        if (level in table.columns) != (importance in table.columns):
            both = f"{CALLED[level]} and {CALLED[importance].lower()}"
            raise TableFault(f"{both} go together: the file has only one of them.")
    _drop_misread_columns(table)
    rows: list[dict[str, Any]] = []
    faults: list[tuple[str, int, str]] = []
    same_code: dict[str, list[tuple[int, str]]] = {}
    totals = []
    for line in table.rows:
        name = fold(line.cells["name"])
        if not fold(line.cells.get("code", "")) and TOTAL.match(name):
            totals.append(line.number)
            continue
        row, wrong = _row(line, len(rows) + 1)
        rows.append(row)
        faults += [(fault, line.number, name) for fault in wrong]
        same_code.setdefault(row["code"].casefold(), []).append((line.number, row["code"]))
    if totals:
        table.notes.append(f"No course: the total in {in_rows(totals)}.")
    findings = findings_of(faults)
    for code, places in same_code.items():
        if code and len(places) > 1:
            numbers, spelled = zip(*places, strict=True)
            findings.append(
                f"{in_rows(numbers).capitalize()} have the same code, "
                f"{' or '.join(dict.fromkeys(spelled))}. Give each course its own."
            )
    if not rows:
        # An empty file would make every course inactive, which is surely a mistake.
        findings.append("The file has a header but no course. Give one row a course.")
    if findings:
        raise TableFault(*findings)
    if "code" not in table.columns:
        _make_codes(rows)
        codes = ", ".join(row["code"] for row in rows[:MOST_EXAMPLES])
        table.notes.append(f"Codes were made from the names, such as {codes}.")
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
        wrong = sum(bool(_read(column, text)[1]) for text in filled)
        if wrong * 3 > len(filled):
            del table.columns[column]
            for row in table.rows:
                del row.cells[column]
                row.faults.pop(column, None)
            table.notes.append(f"Not used, as too many cells don't fit: {heading}.")


def _make_codes(rows: Sequence[dict[str, Any]]) -> None:
    """Give each row a code made from its name; equal ones get a number."""
    taken: Counter[str] = Counter()
    for row in rows:
        # Marks are kept: without them, words in Devanagari would be others.
        signs = (
            each if each.isalnum() or category(each).startswith("M") else " "
            for each in row["name"].replace(".", "").upper()
        )
        code = "-".join("".join(signs).split())[:CODE_MADE_MAX].strip("-") or "COURSE"
        taken[code] += 1
        row["code"] = code if taken[code] == 1 else f"{code}-{taken[code]}"


def _row(line: Row, number: int) -> tuple[dict[str, Any], list[str]]:
    """Return the columns of a course, and what is wrong. `number` is the order if none is given."""
    row: dict[str, Any] = {"code": "", "name": "", "order": number}
    faults = [f"{CALLED[column]} {fault}" for column, fault in line.faults.items()]
    for column, text in line.cells.items():
        if column in line.faults or (column == "order" and not text):
            continue
        value, wrong = _read(column, text)
        faults += wrong
        if column in FILE_TEXTS:
            name, language = FILE_TEXTS[column]
            row.setdefault(name, {})[language] = value
        elif column in LONGEST or not wrong:
            row[column] = value
    for facet in FACETS:
        level, importance = row.get(f"{facet}_level"), row.get(f"{facet}_importance")
        if None not in (level, importance) and bool(level) != bool(importance):
            faults.append(
                f"{CALLED[f'{facet}_level']} is {LEVELS[level or 0]} and its importance "
                f"{importance}: none goes with 0, any other with 1 or 2"
            )
    if line.surplus:
        faults.append("There are more cells than headings")
    return row, faults


def _read(column: str, text: str) -> tuple[Any, list[str]]:
    """Return the value of a cell, and in phrases what is wrong with it."""
    called = CALLED[column]
    if column in LONGEST:
        value, fault = fold(text), ""
        if column != "department":
            fault = fault_of_text(value) if value else "is empty"
        if len(value) > LONGEST[column]:
            fault = f"is longer than {LONGEST[column]} characters"
        elif hidden := fault_of(value):
            fault = f"holds {hidden.rstrip('.')}"
        return value, [f"{called} {fault}"] if fault else []
    if column == "order":
        whole = WHOLE_NUMBER.fullmatch(text)
        if whole and int(whole[1]) <= ORDER_MAX:
            return int(whole[1]), []
        return None, [f"{called} is “{text[:20]}”, not a whole number from 0 to {ORDER_MAX}"]
    if column.endswith("_importance"):
        if text in ("", *map(str, range(IMPORTANCE_MAX + 1))):
            return int(text or 0), []
        return None, [f"{called} is “{text[:20]}”, not 0, 1 or 2"]
    if column in WORDS:
        return _read_words(column, text)
    if column in ADDRESSES:
        fault = address_fault(text)
        return text, [f"{called}: {fault.rstrip('.')}"] if fault else []
    if FILE_TEXTS[column][0] == "about":
        about = one_line(text)
        return about, [fault.rstrip(".") for fault in text_faults(about, called)]
    work = kinds_of_work(text)
    return work, [fault.rstrip(".") for fault in work_faults(work, called)]


def _read_words(column: str, text: str) -> tuple[Any, list[str]]:
    called, codes, faults = CALLED[column], [], []
    for each in re.split("[;,]", text):
        if not each.strip() or (WORDS[column] is _SUBJECTS and plain(each) in OPEN_TO_ALL):
            continue
        if code := WORDS[column].get(plain(each)):
            codes.append(code)
        else:
            faults.append(f"{called} has “{each.strip()[:40]}”, which is unknown")
    codes = [*dict.fromkeys(codes)]
    if column == "fields":  # the main field comes first
        if len(codes) > FIELDS_MAX:
            faults.append(f"{called} are {len(codes)}, at most {FIELDS_MAX} count")
        return codes, faults
    if column in LISTS:
        return [code for code in LISTS[column] if code in codes], faults
    if len(codes) > 1:
        faults.append(f"{called} has more than one value")
    if column == "entry_level":
        return (codes[0] if codes else ""), faults
    return LEVELS.index(codes[0] if codes else LEVELS[0]), faults


def workbook_of(courses: Iterable[Mapping[str, Any]]) -> bytes:
    """Return a workbook with these courses, in cells of text, and the fields of work beside them.

    Fields that the service proposed are left empty, so that loading the file again changes nothing.
    """
    # Not above: few web processes ever need it.
    from openpyxl import Workbook
    from openpyxl.cell import WriteOnlyCell

    book = Workbook(write_only=True)
    sheet = book.create_sheet("Courses")
    for texts in (KNOWN_COLUMNS, *map(_cells, courses)):
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
    return content.getvalue()


def lines_of(courses: Iterable[Mapping[str, Any]]) -> Iterator[str]:
    """Yield the lines of a CSV file with these courses; proposed fields as in `workbook_of`."""
    return csv_lines(KNOWN_COLUMNS, map(_cells, courses))


def _cells(course: Mapping[str, Any]) -> list[str]:
    """Return the cells of a course, given as `Course.stored`, in the order of KNOWN_COLUMNS."""
    texts = {name: str(value) for name, value in course.items()}
    for name in (*LISTS, "fields"):
        texts[name] = "; ".join(course[name])
    if course["fields_proposed"]:
        texts["fields"] = ""
    for facet in FACETS:
        texts[f"{facet}_level"] = LEVELS[course[f"{facet}_level"]]
    for name, (column, language) in FILE_TEXTS.items():
        text = course[column].get(language, "")
        texts[name] = text if isinstance(text, str) else "; ".join(text)
    return [texts[name] for name in KNOWN_COLUMNS]
