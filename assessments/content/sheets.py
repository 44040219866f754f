"""Read the lines of a CSV file or of an Excel workbook's sheet, with cells as text."""

from __future__ import annotations

import csv
import io
import re
import zipfile
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from datetime import date, datetime, time, timedelta
from typing import Any

from assessments.content.workbook_work import (
    MOST_SHEET_ROWS,
    TooMuchWork,
    check_work,
    hidden_rows,
)
from partners.spreadsheet import without_guard

MOST_ROWS = 10_000
MOST_COLUMNS = 100
# A header is looked for among this many lines that are not empty.
HEADER_WITHIN = 15
ACCEPTED = ".csv,.txt,.xlsx"  # as an input of a form names it
SEPARATORS = ",;\t|"
_WORKBOOK, _OLD_WORKBOOK = b"PK\x03\x04", b"\xd0\xcf\x11\xe0"
_ENCRYPTED = "EncryptedPackage".encode("utf-16-le")
_UTF_16 = (b"\xff\xfe", b"\xfe\xff")
_PAGE = re.compile(rb"\s*<(!doctype html|html|head|body|table|meta)\b", re.IGNORECASE)
_NAMED_SEPARATOR = re.compile(r"\ufeff?\"?sep=(.)\"?\r?\n", re.IGNORECASE)
_ZEROS = re.compile("0{2,}")  # a number format that shows leading zeros
NOT_TEXT = (
    "The file is not UTF-8 text, and not an Excel workbook. Save it as 'CSV UTF-8' or as an Excel "
    "workbook (.xlsx), and load it again."
)
OLD_WORKBOOK = "This is an Excel 97-2003 workbook (.xls). Save it as an Excel workbook (.xlsx)."
ENCRYPTED = "The workbook has a password. Remove it, save the workbook, and load it again."
PAGE = (
    "This is a web page, although it may be named .xls. Open it in a spreadsheet program, save it "
    "as an Excel workbook (.xlsx), and load it again."
)
UNREADABLE_WORKBOOK = (
    "The workbook can't be read. Open the file in a spreadsheet program, save it as an Excel "
    "workbook (.xlsx), and load it again."
)
TOO_LARGE_WORKBOOK = (
    "The workbook is too large. Delete other sheets, pictures, formatting and empty rows, or save "
    "the sheet as 'CSV UTF-8'."
)
TOO_LONG_SHEET = (
    f"The sheet has more than {MOST_SHEET_ROWS:,} rows, most of them empty. Delete those below the "
    "last one that is filled in, and load the workbook again."
)


class TableFault(Exception):
    """The file cannot be used; `findings` has a sentence for each fault, which says what to do.

    `headings` are those of the file, for the user to choose from.
    """

    def __init__(self, findings: Sequence[str], headings: Sequence[str] = ()) -> None:
        super().__init__("\n".join(findings))
        self.findings, self.headings = list(findings), list(headings)


@dataclass(slots=True)
class Line:
    """A line of a sheet as it is: its number there, its cells, and what is wrong with some."""

    number: int
    cells: list[str]
    faults: dict[int, str] = field(default_factory=dict)


@dataclass(slots=True)
class Sheet:
    """The lines of a file or of one sheet of a workbook, without empty and hidden ones."""

    lines: list[Line]
    notes: list[str] = field(default_factory=list)


def read_sheet(content: bytes, name: str, recognised: Callable[[Sequence[str]], int]) -> Sheet:
    """Return the lines of a file, or of a workbook's sheet: the named one or the first visible one.

    `recognised` counts the headings that we know among some cells, which tells what separates the
    cells of a CSV file. Raises TableFault.
    """
    if content.startswith(_OLD_WORKBOOK):
        raise TableFault([ENCRYPTED if _ENCRYPTED in content else OLD_WORKBOOK])
    if _PAGE.match(content):
        raise TableFault([PAGE])
    if content.startswith(_WORKBOOK):
        return _read_workbook(content, name)
    return _read_csv(_decoded(content), recognised)


def _decoded(content: bytes) -> str:
    # Without a mark, half of the bytes of UTF-16 are zero.
    zeros = content[:200].count(0)
    encoding = "utf-16" if content.startswith(_UTF_16) else "utf-8-sig"
    if encoding != "utf-16" and zeros > len(content[:200]) / 4:
        encoding = "utf-16-be" if content[:1] == b"\0" else "utf-16-le"
    try:
        return content.decode(encoding)
    except UnicodeDecodeError as error:
        raise TableFault([NOT_TEXT]) from error


def _read_csv(text: str, recognised: Callable[[Sequence[str]], int]) -> Sheet:
    skipped = 0
    if named := _NAMED_SEPARATOR.match(text):
        text, skipped, separator = text[named.end() :], 1, named[1]
    else:
        separator = _separator(text, recognised)
    reader = csv.reader(
        io.StringIO(text, newline=""), strict=True, delimiter=separator, skipinitialspace=True
    )
    lines: list[Line] = []
    begins = skipped + 1
    try:
        for cells in reader:
            _add(lines, Line(begins, [without_guard(cell.strip()) for cell in cells]))
            begins = reader.line_num + skipped + 1
    except csv.Error as error:
        said = f"Line {begins}: not readable as CSV ({error})."
        if "end of data" in str(error):
            said = f"Line {begins}: a quotation mark opens there and is never closed."
        raise TableFault([said]) from error
    return Sheet(lines)


def _separator(text: str, recognised: Callable[[Sequence[str]], int]) -> str:
    """Return what separates the cells: what finds most columns, then what makes most cells."""
    first = text.split("\n", HEADER_WITHIN)[:HEADER_WITHIN]

    def found(separator: str) -> tuple[int, int]:
        split = [line.replace('"', "").split(separator) for line in first]
        return (
            max(recognised(cells) for cells in split),
            sum(len(cells) for cells in split),
        )

    return max(SEPARATORS, key=found)


def _read_workbook(content: bytes, name: str) -> Sheet:
    # Not above: few web processes ever need it, and it loads numpy where that is installed.
    from openpyxl import load_workbook

    try:
        archive = zipfile.ZipFile(io.BytesIO(content))
        check_work(archive)
        # Read-only: row by row. Formulas come as what they last gave.
        workbook = load_workbook(
            io.BytesIO(content), read_only=True, data_only=True, keep_links=False
        )
        visible = [each for each in workbook.worksheets if each.sheet_state == "visible"]
        named = [each for each in visible if each.title == name]
        sheet = (named or visible or workbook.worksheets)[0]
        hidden = hidden_rows(archive, sheet.title)
        sheet.reset_dimensions()  # The file may claim any size.
        lines = _lines_of(sheet.iter_rows(max_col=MOST_COLUMNS))
    except TableFault:
        raise
    except TooMuchWork as error:
        raise TableFault([TOO_LARGE_WORKBOOK]) from error
    except Exception as error:  # A damaged or hostile workbook fails anywhere in the library.
        raise TableFault([UNREADABLE_WORKBOOK]) from error
    others = [each for each in workbook.sheetnames if each != sheet.title]
    notes = [f"Sheet {sheet.title}."]
    if others:
        notes[0] = f"Sheet {sheet.title}, not {', '.join(others)}."
    if left_out := [str(line.number) for line in lines if line.number in hidden]:
        notes.append(f"Hidden rows were left out: {', '.join(left_out)}.")
    return Sheet([line for line in lines if line.number not in hidden], notes)


def _lines_of(rows: Iterator[tuple[Any, ...]]) -> list[Line]:
    lines: list[Line] = []
    for number, cells in enumerate(rows, 1):
        if number > MOST_SHEET_ROWS:
            raise TableFault([TOO_LONG_SHEET])
        line = Line(number, [])
        for place, cell in enumerate(cells):
            if cell.value is None:  # nearly all: openpyxl fills each row up
                line.cells.append("")
                continue
            line.cells.append(without_guard(_text(cell).strip()))
            if isinstance(cell.value, datetime | date | time | timedelta):
                line.faults[place] = (
                    f"is a date, {line.cells[-1]}: format the cell as text, and type it again"
                )
        _add(lines, line)
    return lines


def _text(cell: Any) -> str:
    """Return the text of a cell as the spreadsheet program shows it, where that is not rounded."""
    value, shown = cell.value, getattr(cell, "number_format", None) or ""
    if isinstance(value, bool):
        return str(value).upper()
    if isinstance(value, int | float) and "E+" in shown:
        return f"{value:.0E}"
    if isinstance(value, int | float) and float(value).is_integer():
        whole = str(int(value))
        return whole.zfill(len(shown)) if _ZEROS.fullmatch(shown) else whole
    if isinstance(value, datetime) and value.time() == time():
        return str(value.date())
    return str(value)


def _add(lines: list[Line], line: Line) -> None:
    if any(line.cells):
        lines.append(line)
        if len(lines) > MOST_ROWS + HEADER_WITHIN + 1:
            raise TableFault([f"The file has more than {MOST_ROWS:,} rows."])
