"""Read a course catalogue from a file, or find every fault with its line; write it as CSV."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from typing import Any

from assessments.content.table_file import Table, UnreadableTable, read_table
from assessments.models import course_description
from assessments.models.course_description import FACTS, ORDER_MAX, REQUIRED
from measurement.courses import (
    DELIVERY,
    ENTRY_LEVELS,
    IMPORTANCE_MAX,
    LEVELS,
    STREAMS,
)
from measurement.fields import FIELDS
from measurement.proposed_fields import FIELDS_MAX
from measurement.scales import FACETS
from partners.plain_text import fault_of
from partners.spreadsheet import csv_lines

OPTIONAL_COLUMNS = (*FACTS, *course_description.FILE_COLUMNS)
KNOWN_COLUMNS = (*REQUIRED, *OPTIONAL_COLUMNS)
WORDS = {"entry_level": ENTRY_LEVELS, **{f"{facet}_level": LEVELS for facet in FACETS}}
# Columns with several words in a cell, separated by semicolons.
WORD_LISTS: dict[str, Sequence[str]] = {
    "streams": STREAMS,
    "delivery": DELIVERY,
    "fields": tuple(FIELDS),
    "required_streams": STREAMS,
}
WHOLE_NUMBER = re.compile(r"[0-9]{1,9}")
# On a page: a file with the wrong columns has an error in every line.
MOST_FAULTS = 30
CODE_MAX, NAME_MAX, DEPARTMENT_MAX = 32, 200, 100


class CatalogueFault(Exception):
    """The file cannot be loaded; `findings` has a sentence for each fault."""

    def __init__(self, findings: list[str]) -> None:
        super().__init__("\n".join(findings))
        self.findings = findings


def first_of(findings: Sequence[str]) -> list[str]:
    """Return the findings that fit on a page, and how many more there are."""
    more = len(findings) - MOST_FAULTS
    return [*findings[:MOST_FAULTS], *([f"And {more} more."] if more > 0 else [])]


def parse(content: bytes) -> list[dict[str, Any]]:
    """Return the rows of a catalogue file; see `open_table` and `rows_of`."""
    return rows_of(open_table(content))


def open_table(content: bytes) -> Table:
    """Return the table in a CSV file or Excel workbook, with a note of its unknown columns.

    Raises CatalogueFault if there is none.
    """
    try:
        table = read_table(content, KNOWN_COLUMNS)
    except UnreadableTable as fault:
        raise CatalogueFault([str(fault)]) from fault
    if unknown := [name for name in table.header if name and name not in KNOWN_COLUMNS]:
        table.notes.append(f"Ignored unknown columns: {', '.join(unknown)}.")
    return table


def rows_of(table: Table) -> list[dict[str, Any]]:
    """Return a row for each course: `code`, `name`, `order` and optional columns.

    A row has those of OPTIONAL_COLUMNS that are in the header; empty cells get the default. Texts
    for students come by language, as `course_description.read_cells` returns them. Unknown columns
    are ignored. Raises CatalogueFault with the faults of all rows.
    """
    if findings := _header_faults(table.header):
        raise CatalogueFault(findings)
    rows = []
    for each in table.rows:
        row, faults = _row(each.cells)
        rows.append(row)
        findings += [f"{each.place}: {fault}" for fault in (*each.faults, *faults)]
    findings += _repeated_codes(rows, [each.place for each in table.rows])
    if not rows:
        # An empty file would make every course inactive, which is surely a mistake.
        findings.append("The file has a header but no course. Give one line a course.")
    if findings:
        raise CatalogueFault(findings)
    return rows


def _header_faults(header: Collection[str]) -> list[str]:
    counts = Counter(header)
    repeated = [column for column in KNOWN_COLUMNS if counts[column] > 1]
    if repeated:
        return [f"The header has {', '.join(repeated)} more than once. Keep one column of each."]
    missing = [column for column in REQUIRED if column not in header]
    if missing:
        return [
            f"The header lacks {', '.join(missing)}. It must be: {','.join(REQUIRED)} "
            f"and may have: {','.join(OPTIONAL_COLUMNS)}"
        ]
    pairs = [(f"{facet}_level", f"{facet}_importance") for facet in FACETS]
    return [
        f"The header has only one of {level} and {importance}. They go together."
        for level, importance in pairs
        if (level in header) != (importance in header)
    ]


def _row(record: dict[str, str]) -> tuple[dict[str, Any], list[str]]:
    faults = []
    texts = {column: record.get(column, "") for column in KNOWN_COLUMNS}
    for column, longest in (("code", CODE_MAX), ("name", NAME_MAX)):
        if not texts[column]:
            faults.append(f"{column} is empty.")
        faults += _text_faults(column, texts[column], longest)
    order = texts["order"]
    if not (WHOLE_NUMBER.fullmatch(order) and int(order) <= ORDER_MAX):
        faults.append(f"order is '{order[:20]}', it must be a whole number 0-{ORDER_MAX}.")
    given = {column: texts[column] for column in OPTIONAL_COLUMNS if column in record}
    described = {name: given.pop(name) for name in course_description.FILE_COLUMNS if name in given}
    facts, more = _facts(given)
    description, wrong = course_description.read_cells(described)
    faults += [*more, *wrong]
    named = {"code": texts["code"], "name": texts["name"], "order": 0 if faults else int(order)}
    return {**named, **facts, **description}, faults


def _facts(texts: dict[str, str]) -> tuple[dict[str, Any], list[str]]:
    """Read the optional cells; empty ones get the default."""
    facts: dict[str, Any] = {}
    faults = []
    for column, text in texts.items():
        if column.endswith("_importance"):
            if text in ("", *map(str, range(IMPORTANCE_MAX + 1))):
                facts[column] = int(text or 0)
            else:
                faults.append(f"{column} is '{text[:20]}', it must be 0, 1 or 2.")
        elif column == "department":
            facts[column] = text
            faults += _text_faults(column, text, DEPARTMENT_MAX)
        elif column in WORD_LISTS:
            words = dict.fromkeys(filter(None, map(str.strip, text.lower().split(";"))))
            allowed = WORD_LISTS[column]
            if column == "fields":  # the main field comes first
                facts[column] = list(words)
                if len(words) > FIELDS_MAX:
                    faults.append(f"fields has {len(words)} fields; give at most {FIELDS_MAX}.")
            else:
                facts[column] = [word for word in allowed if word in words]
            faults += [
                _strange(column, word, allowed) for word in sorted(words.keys() - set(allowed))
            ]
        elif text and text.lower() not in WORDS[column]:
            faults.append(_strange(column, text, WORDS[column]))
        elif column == "entry_level":
            facts[column] = text.lower()
        else:
            facts[column] = LEVELS.index(text.lower() or LEVELS[0])
    faults += [
        f"{facet}_level is {LEVELS[facts[f'{facet}_level']]} and {facet}_importance is "
        f"{facts[f'{facet}_importance']}; none goes with 0, any other level with 1 or 2."
        for facet in FACETS
        if {f"{facet}_level", f"{facet}_importance"} <= facts.keys()
        and (facts[f"{facet}_level"] > 0) != (facts[f"{facet}_importance"] > 0)
    ]
    return facts, faults


def _text_faults(column: str, text: str, longest: int) -> list[str]:
    if len(text) > longest:
        return [f"{column} is longer than {longest} characters."]
    fault = fault_of(text)
    return [f"{column} holds {fault}"] if fault else []


def _strange(column: str, word: str, allowed: Sequence[str]) -> str:
    return f"{column} has '{word[:20]}', it must be one of: {', '.join(allowed)}."


def _repeated_codes(rows: Sequence[Mapping[str, Any]], places: Sequence[str]) -> list[str]:
    found: dict[str, list[str]] = {}
    for row, place in zip(rows, places, strict=True):
        if row["code"]:
            found.setdefault(row["code"], []).append(place)
    return [
        f"{_joined(those)} {'both' if len(those) == 2 else 'all'} have the code {code}. Give each "
        "course its own."
        for code, those in found.items()
        if len(those) > 1
    ]


def _joined(places: Sequence[str]) -> str:
    """Return `Lines 2, 3 and 4` for `Line 2`, `Line 3`, `Line 4`."""
    word = places[0].split()[0]
    numbers = [place.split()[1] for place in places]
    return f"{word}s {', '.join(numbers[:-1])} and {numbers[-1]}"


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
    if name in WORD_LISTS:
        words: list[str] = course[name]
        return "; ".join(words)
    if name.endswith("_level") and name != "entry_level":
        level: int = course[name]
        return LEVELS[level]
    return str(course[name])
