"""Read a table from a CSV file or an Excel workbook: its cells as text, row by row."""

from __future__ import annotations

import csv
import io
import zipfile
from collections.abc import Collection, Iterator
from dataclasses import dataclass, field
from datetime import date, datetime, time, timedelta
from typing import Any

from partners.spreadsheet import without_guard

MOST_ROWS = 10_000
MOST_COLUMNS = 100
MOST_LINES = 10 * MOST_ROWS  # of a sheet, the empty ones too
# Of a workbook, which is a compressed archive.
MOST_UNPACKED_BYTES = 40 * 1024 * 1024
MOST_PARTS = 500
ACCEPTED = ".csv,.txt,.xlsx"  # as an input of a form names it
SEPARATORS = ",;\t"
_WORKBOOK, _OLD_WORKBOOK = b"PK\x03\x04", b"\xd0\xcf\x11\xe0"
_UTF_16 = (b"\xff\xfe", b"\xfe\xff")
NOT_TEXT = (
    "The file is not UTF-8 text, and not an Excel workbook. Save it as 'CSV UTF-8' or as an Excel "
    "workbook (.xlsx), and load it again."
)
OLD_WORKBOOK = "This is an Excel 97-2003 workbook (.xls). Save it as an Excel workbook (.xlsx)."
UNREADABLE_WORKBOOK = (
    "The workbook can't be read. If it has a password, remove it. Open the file in a spreadsheet "
    "program, save it as an Excel workbook (.xlsx), and load it again."
)
TOO_LARGE_WORKBOOK = (
    "The workbook is too large. Delete other sheets, pictures and formatting, or save the sheet as "
    "'CSV UTF-8'."
)
TOO_LONG_SHEET = (
    f"The sheet has more than {MOST_LINES:,} rows, most of them empty. Delete those below the last "
    "course, and load the workbook again."
)


class UnreadableTable(Exception):
    """The file has no readable table. The message says what to do."""


@dataclass(slots=True)
class Row:
    """The cells of a row by column, and what is wrong with it; `place` says where it is."""

    place: str
    cells: dict[str, str]
    faults: list[str]


@dataclass(slots=True)
class Table:
    """The header and the rows of a file; empty rows are left out. `notes` are for the user."""

    header: list[str]
    rows: list[Row]
    notes: list[str] = field(default_factory=list)


def read_table(content: bytes, columns: Collection[str]) -> Table:
    """Return the table in a file.

    A CSV file is in UTF-8, or in UTF-16 with a byte order mark, and separated by commas, semicolons
    or tabs, whichever finds more of the known `columns` in the header. Of a workbook, the first
    sheet is read. Column names may be in capitals and have spaces. Raises UnreadableTable.
    """
    if content.startswith(_OLD_WORKBOOK):
        raise UnreadableTable(OLD_WORKBOOK)
    if content.startswith(_WORKBOOK):
        return _read_workbook(content)
    return _read_csv(_decoded(content), columns)


def _decoded(content: bytes) -> str:
    try:
        return content.decode("utf-16" if content.startswith(_UTF_16) else "utf-8-sig")
    except UnicodeDecodeError as error:
        raise UnreadableTable(NOT_TEXT) from error


def _read_csv(text: str, columns: Collection[str]) -> Table:
    reader = csv.reader(
        io.StringIO(text, newline=""), strict=True, delimiter=_separator(text, columns)
    )
    rows: list[Row] = []
    try:
        header = _header(next(reader, []))
        for cells in reader:
            _add(rows, f"Line {reader.line_num}", header, cells)
    except csv.Error as error:
        said = f"Line {reader.line_num}: not readable as CSV ({error})."
        raise UnreadableTable(said) from error
    return Table(header, rows)


def _separator(text: str, columns: Collection[str]) -> str:
    first = text.split("\n", 1)[0]

    def known(separator: str) -> int:
        names = first.replace('"', "").split(separator)
        return len(set(_header(names)) & set(columns))

    return max(SEPARATORS, key=known)


def _read_workbook(content: bytes) -> Table:
    # Not above: few web processes ever need it, and it loads numpy where that is installed.
    from openpyxl import load_workbook

    try:
        _check_size(content)
        # Read-only: row by row, without formatting. Formulas come as what they last gave.
        workbook = load_workbook(
            io.BytesIO(content), read_only=True, data_only=True, keep_links=False
        )
        sheet = workbook.worksheets[0]
        sheet.reset_dimensions()  # The file may claim any size.
        table = _read_sheet(sheet.iter_rows(max_col=MOST_COLUMNS, values_only=True))
    except UnreadableTable:
        raise
    except Exception as error:  # A damaged or hostile workbook fails anywhere in the library.
        raise UnreadableTable(UNREADABLE_WORKBOOK) from error
    if others := workbook.sheetnames[1:]:
        table.notes.append(f"Only the first sheet was read, not {', '.join(others)}.")
    return table


def _check_size(content: bytes) -> None:
    with zipfile.ZipFile(io.BytesIO(content)) as archive:
        parts = archive.infolist()
        if len(parts) > MOST_PARTS or sum(part.file_size for part in parts) > MOST_UNPACKED_BYTES:
            raise UnreadableTable(TOO_LARGE_WORKBOOK)


def _read_sheet(lines: Iterator[tuple[Any, ...]]) -> Table:
    header = _header([_text(value) for value in next(lines, ())])
    rows: list[Row] = []
    for number, values in enumerate(lines, 2):
        if number > MOST_LINES:
            raise UnreadableTable(TOO_LONG_SHEET)
        cells = [_text(value) for value in values]
        _add(rows, f"Row {number}", header, cells)
        if rows and rows[-1].place == f"Row {number}":
            rows[-1].faults += [
                f"{name} is a date, {text}. Format the cell as text, and type it again."
                for name, value, text in zip(header, values, cells, strict=False)
                if name and isinstance(value, datetime | date | time | timedelta)
            ]
    return Table(header, rows)


def _text(value: Any) -> str:
    if value is None:
        return ""
    if isinstance(value, float) and value.is_integer():
        return str(int(value))
    if isinstance(value, datetime) and value.time() == time():
        return str(value.date())
    return str(value)


def _header(names: list[str]) -> list[str]:
    """Return column names as this service spells them."""
    return ["_".join(name.lower().split()) for name in names]


def _add(rows: list[Row], place: str, header: list[str], cells: list[str]) -> None:
    texts = [without_guard(cell.strip()) for cell in cells]
    if not any(texts):
        return
    if len(rows) == MOST_ROWS:
        raise UnreadableTable(f"The file has more than {MOST_ROWS:,} courses.")
    faults = ["it has more fields than the header."] if any(texts[len(header) :]) else []
    known = dict(zip(header, texts, strict=False))
    rows.append(Row(place, {name: known.get(name, "") for name in header}, faults))
