"""Read the lines of a CSV file or of an Excel workbook's sheet, with cells as text.

A part of a workbook of a few kilobytes unpacks to millions of elements, each of which becomes an
object. So the elements are counted while each part is unpacked, before openpyxl sees it, and those
of a sheet by an event parser, which keeps none of them.
"""

from __future__ import annotations

import csv
import io
import posixpath
import re
import zipfile
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from datetime import date, datetime, time, timedelta
from typing import Any
from xml.sax import ContentHandler
from xml.sax.xmlreader import AttributesImpl

from defusedxml.ElementTree import fromstring
from defusedxml.sax import parse

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

MOST_UNPACKED_BYTES = 20 * 1024 * 1024
MOST_PARTS = 500
# Elements of sheets and of the texts that Excel keeps apart. 10,000 rows of 21 columns have 640,000
# in the sheet if each cell holds its text; else 430,000 there, and at most 420,000 in the texts.
MOST_OF_CELLS = {"xl/worksheets/": 700_000, "xl/sharedStrings": 450_000}
# Of any other part, and of a sheet outside its rows. The styles of a plain workbook have 60; two
# links in each row make 20,000.
MOST_OTHERS = 50_000
MOST_CELLS = 350_000  # empty ones have no elements within, but cost as much
MOST_SHEET_ROWS = 100_000  # the empty ones too
MOST_SHEETS_AND_NAMES = 2_000  # openpyxl compares the name of each sheet with all before
MOST_IN_A_ROW = 50_000
TOO_LARGE = (
    "The workbook is too large. Delete other sheets, pictures, formatting and empty rows, or save "
    "the sheet as 'CSV UTF-8'."
)
_BLOCK = 64 * 1024


class TableFault(Exception):
    """The file cannot be used; `findings` has a sentence for each fault, which says what to do.

    `headings` are those of the file, for the user to choose from.
    """

    def __init__(self, *findings: str, headings: Sequence[str] = ()) -> None:
        super().__init__("\n".join(findings))
        self.findings, self.headings = list(findings), list(headings)


@dataclass(slots=True)
class Line:
    """A line of a sheet as it is: its number there, its cells, and what is wrong with some."""

    number: int
    cells: list[str]
    faults: dict[int, str] = field(default_factory=dict)


def read_sheet(
    content: bytes, name: str, recognised: Callable[[Sequence[str]], int]
) -> tuple[list[Line], list[str]]:
    """Return the lines of a file without empty and hidden ones, and what to note of a workbook.

    Of a workbook, the sheet of this name is read, or the first visible one. `recognised` counts the
    headings that we know among some cells, which tells what separates the cells of a CSV file.
    Raises TableFault.
    """
    if content.startswith(_OLD_WORKBOOK):
        if _ENCRYPTED in content:
            raise TableFault(
                "The workbook has a password. Remove it, save the workbook, and load it again."
            )
        raise TableFault(
            "This is an Excel 97-2003 workbook (.xls). Save it as an Excel workbook (.xlsx)."
        )
    if _PAGE.match(content):
        raise TableFault(
            "This is a web page, although it may be named .xls. Open it in a spreadsheet program, "
            "save it as an Excel workbook (.xlsx), and load it again."
        )
    if content.startswith(_WORKBOOK):
        return _read_workbook(content, name)
    return _read_csv(_decoded(content), recognised), []


def _decoded(content: bytes) -> str:
    # Without a mark, half of the bytes of UTF-16 are zero.
    zeros = content[:200].count(0)
    encoding = "utf-16" if content.startswith(_UTF_16) else "utf-8-sig"
    if encoding != "utf-16" and zeros > len(content[:200]) / 4:
        encoding = "utf-16-be" if content[:1] == b"\0" else "utf-16-le"
    try:
        return content.decode(encoding)
    except UnicodeDecodeError as error:
        raise TableFault(
            "The file is not UTF-8 text, and not an Excel workbook. Save it as 'CSV UTF-8' or as "
            "an Excel workbook (.xlsx), and load it again."
        ) from error


def _read_csv(text: str, recognised: Callable[[Sequence[str]], int]) -> list[Line]:
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
        said = f"not readable as CSV ({error})."
        if "end of data" in str(error):
            said = "a quotation mark opens there and is never closed."
        raise TableFault(f"Line {begins}: {said}") from error
    return lines


def _separator(text: str, recognised: Callable[[Sequence[str]], int]) -> str:
    """Return what separates the cells: what finds most columns, then what makes most cells."""
    first = text.replace('"', "").split("\n", HEADER_WITHIN)[:HEADER_WITHIN]

    def found(separator: str) -> tuple[int, int]:
        split = [line.split(separator) for line in first]
        return max(map(recognised, split)), sum(map(len, split))

    return max(SEPARATORS, key=found)


def _read_workbook(content: bytes, name: str) -> tuple[list[Line], list[str]]:
    # Not above: few web processes ever need it, and it loads numpy where that is installed.
    from openpyxl import load_workbook

    try:
        archive = zipfile.ZipFile(io.BytesIO(content))
        _check_work(archive)
        # Read-only: row by row. Formulas come as what they last gave.
        workbook = load_workbook(
            io.BytesIO(content), read_only=True, data_only=True, keep_links=False
        )
        visible = [each for each in workbook.worksheets if each.sheet_state == "visible"]
        named = [each for each in visible if each.title == name]
        sheet = (named or visible or workbook.worksheets)[0]
        hidden = _hidden_rows(archive, sheet.title)
        sheet.reset_dimensions()  # The file may claim any size.
        lines = _lines_of(sheet.iter_rows(max_col=MOST_COLUMNS))
    except TableFault:
        raise
    except Exception as error:  # A damaged or hostile workbook fails anywhere in the library.
        raise TableFault(
            "The workbook can't be read. Open the file in a spreadsheet program, save it as an "
            "Excel workbook (.xlsx), and load it again."
        ) from error
    others = [each for each in workbook.sheetnames if each != sheet.title]
    notes = [
        f"Sheet {sheet.title}, not {', '.join(others)}." if others else f"Sheet {sheet.title}."
    ]
    if left_out := [str(line.number) for line in lines if line.number in hidden]:
        notes.append(f"Hidden rows were left out: {', '.join(left_out)}.")
    return [line for line in lines if line.number not in hidden], notes


def _lines_of(rows: Iterator[tuple[Any, ...]]) -> list[Line]:
    lines: list[Line] = []
    for number, cells in enumerate(rows, 1):
        if number > MOST_SHEET_ROWS:
            raise TableFault(
                f"The sheet has more than {MOST_SHEET_ROWS:,} rows, most of them empty. Delete "
                "those below the last one that is filled in, and load the workbook again."
            )
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
            raise TableFault(f"The file has more than {MOST_ROWS:,} rows.")


def _check_work(archive: zipfile.ZipFile) -> None:
    """Raise TableFault if openpyxl would take more memory and time than any list of courses."""
    parts = archive.infolist()
    if len(parts) > MOST_PARTS or sum(part.file_size for part in parts) > MOST_UNPACKED_BYTES:
        raise TableFault(TOO_LARGE)
    for part in parts:
        most = [most for name, most in MOST_OF_CELLS.items() if part.filename.startswith(name)]
        _check_part(archive, part, most[0] if most else MOST_OTHERS)
    # openpyxl takes these from wherever the list of parts says, so perhaps from a large part.
    for name in _book_and_relations(archive):
        _check_part(archive, name, MOST_SHEETS_AND_NAMES)


def _check_part(archive: zipfile.ZipFile, part: zipfile.ZipInfo | str, most: int) -> None:
    elements = 0
    with archive.open(part) as opened:
        block = opened.read(_BLOCK)
        if b"<!DOCTYPE" in block:
            raise TableFault(TOO_LARGE)
        while block:
            # An end may be cut in two by a block, which counts it as an element more.
            elements += block.count(b"<") - block.count(b"</")
            if elements > most:
                raise TableFault(TOO_LARGE)
            block = opened.read(_BLOCK)


def _book_and_relations(archive: zipfile.ZipFile) -> tuple[str, str]:
    """Return the part that lists the sheets, as the list of parts says, and that of its links."""
    (book,) = {
        part.get("PartName")
        for part in fromstring(archive.read("[Content_Types].xml"))
        if part.get("PartName") and part.get("ContentType", "").endswith("main+xml")
    }
    folder, name = posixpath.split(book.lstrip("/"))
    return posixpath.join(folder, name), f"{folder}/_rels/{name}.rels"


def _hidden_rows(archive: zipfile.ZipFile, title: str) -> set[int]:
    """Return the numbers of a sheet's hidden rows. Raise TableFault for a row of too much."""
    book, relations = _book_and_relations(archive)
    (key,) = (
        value
        for sheet in fromstring(archive.read(book)).findall(".//{*}sheet")
        if sheet.get("name") == title
        for name, value in sheet.items()
        if name.endswith("}id")
    )
    (target,) = (
        each.get("Target") for each in fromstring(archive.read(relations)) if each.get("Id") == key
    )
    path = posixpath.normpath(posixpath.join("/", posixpath.dirname(book), target))
    rows = _Rows()
    with archive.open(path.lstrip("/")) as opened:
        parse(opened, rows)
    return rows.hidden


class _Rows(ContentHandler):
    def __init__(self) -> None:
        super().__init__()
        self.hidden: set[int] = set()
        self._number, self._in_row = 0, False
        self._rows = self._cells = self._within = self._others = 0

    def startElement(self, name: str, attrs: AttributesImpl) -> None:  # noqa: N802  as xml.sax calls it
        kind = name.rpartition(":")[2]
        if kind == "row":
            if self._in_row or self._rows == MOST_SHEET_ROWS:
                raise TableFault(TOO_LARGE)
            self._rows += 1
            self._in_row, self._within = True, 0
            self._number = int(attrs.get("r") or self._number + 1)
            if attrs.get("hidden") in {"1", "true"}:
                self.hidden.add(self._number)
        elif self._in_row:
            self._within += 1
            self._cells += kind == "c"
        else:
            self._others += 1
        if self._cells > MOST_CELLS or self._within > MOST_IN_A_ROW or self._others > MOST_OTHERS:
            raise TableFault(TOO_LARGE)

    def endElement(self, name: str) -> None:  # noqa: N802  as xml.sax calls it
        if name.rpartition(":")[2] == "row":
            self._in_row = False
