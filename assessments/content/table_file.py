"""Read a table from a CSV file or an Excel workbook as people keep them: find its header, sheet and
columns, and give its cells as text.
"""

from __future__ import annotations

import csv
import html
import io
import re
import zipfile
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date, datetime, time, timedelta
from itertools import zip_longest
from typing import Any

from partners.spreadsheet import without_guard

MOST_ROWS = 10_000
MOST_COLUMNS = 100
MOST_LINES = 10 * MOST_ROWS  # of a sheet, the empty ones too
# Of a workbook, which is a compressed archive.
MOST_UNPACKED_BYTES = 20 * 1024 * 1024
MOST_PARTS = 500
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
_SCIENTIFIC = re.compile(r"[+-]?\d+(\.\d+)?E[+-]?\d+", re.IGNORECASE)
_ERRORS = {"#N/A", "#REF!", "#NAME?", "#VALUE!", "#DIV/0!", "#NULL!", "#NUM!"}
_LOST_LETTERS = re.compile(r"\ufffd|^[?\s.,()-]*\?{2}[?\s.,()-]*$")
_NO_LETTER = re.compile(r"[\W_]+")
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
    "The workbook is too large. Delete other sheets, pictures and formatting, or save the sheet as "
    "'CSV UTF-8'."
)
TOO_LONG_SHEET = (
    f"The sheet has more than {MOST_LINES:,} rows, most of them empty. Delete those below the last "
    "one that is filled in, and load the workbook again."
)


# A file with the wrong columns has an error in every line.
MOST_FAULTS = 30


class TableFault(Exception):
    """The file cannot be used; `findings` has a sentence for each fault, which says what to do.

    `headings` are those of the file, for the user to choose from.
    """

    def __init__(self, findings: Sequence[str], headings: Sequence[str] = ()) -> None:
        super().__init__("\n".join(findings))
        self.findings, self.headings = list(findings), list(headings)


def first_of(findings: Sequence[str]) -> list[str]:
    """Return the findings that fit on a page, and how many more there are."""
    more = len(findings) - MOST_FAULTS
    return [*findings[:MOST_FAULTS], *([f"And {more} more."] if more > 0 else [])]


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


@dataclass(slots=True)
class Row:
    """The cells of a row by our columns; `number` is that of the line which a user sees.

    `faults` are of cells, by column. `surplus` tells whether it has more cells than the header.
    """

    number: int
    cells: dict[str, str]
    faults: dict[str, str]
    surplus: bool


@dataclass(slots=True)
class Table:
    """The rows of a file. `columns` has the heading of each of our columns that it has.

    `headings` are all of the file; `notes` say to the user what was read.
    """

    columns: dict[str, str]
    headings: list[str]
    rows: list[Row]
    notes: list[str]


def read_table(
    content: bytes,
    synonyms: Mapping[str, Sequence[str]],
    needed: str,
    *,
    mapping: Mapping[str, str] | None = None,
    sheet: str = "",
) -> Table:
    """Return the table in a file.

    `synonyms` has headings, in plain words, by which each of our columns is recognised; `needed` is
    the column without which a line is no header. `mapping` has the heading of each chosen
    column, "" for none. Of a workbook, `sheet` is read, or the first visible one. Raises
    TableFault.
    """
    found = _read_sheet(content, sheet, synonyms)
    chosen = {column: plain(heading) for column, heading in (mapping or {}).items()}
    at, depth, headings = _find_header(found.lines, synonyms, needed, chosen)
    places = _places(headings, synonyms, chosen)
    wanting = [
        heading for column, heading in (mapping or {}).items() if heading and column not in places
    ]
    if needed not in places or wanting:
        first = [each for each in headings if each]
        raise TableFault([_no_header(needed, wanting, first, synonyms)], first)
    spelled = [plain(each) for each in headings]
    for place in places.values():
        if spelled.count(spelled[place]) > 1:
            said = f"Several columns are headed “{headings[place]}”. Delete or rename all but one."
            raise TableFault([said])
    rows = [_row(line, places, len(headings)) for line in found.lines[at + depth :]]
    if len(rows) > MOST_ROWS:
        raise TableFault([f"The file has more than {MOST_ROWS:,} rows."])
    columns = {column: headings[place] for column, place in places.items()}
    said = f"Header in row {found.lines[at].number}, {len(rows)} rows."
    unused = [name for place, name in enumerate(headings) if name and place not in places.values()]
    if unused:
        said += f" Columns not used: {', '.join(unused)}."
    return Table(columns, [each for each in headings if each], rows, [*found.notes, said])


def plain(heading: str) -> str:
    """Return a heading as headings are compared: small letters and digits, single spaces."""
    return " ".join(_NO_LETTER.sub(" ", fold(heading).lower()).split())


def fold(text: str) -> str:
    """Return a text on one line: entities resolved, invisible characters and line breaks gone."""
    shown = html.unescape(text).replace("\u200b", "").replace("\u00ad", "").replace("\ufeff", "")
    return " ".join(shown.split())


def fault_of_text(text: str) -> str:
    """Say what a spreadsheet program has made of a code or a name; "" if nothing."""
    if text.upper() in {"TRUE", "FALSE"}:
        return f"is {text.upper()}, which a spreadsheet program made of it"
    if _SCIENTIFIC.fullmatch(text):
        return f"is the number {text}, which a spreadsheet program made of it"
    if _LOST_LETTERS.search(text):
        return "has question marks where letters were"
    return ""


def _no_header(
    needed: str, wanting: Sequence[str], headings: Sequence[str], synonyms: Mapping[str, Any]
) -> str:
    if wanting:
        return f"No line has the headings {', '.join(wanting)}. It has: {', '.join(headings)}."
    names = ", ".join(each.capitalize() for each in synonyms[needed][:4])
    found = f" The first line has: {', '.join(headings)}." if headings else " The file is empty."
    return f"No column for the {needed} was found, such as {names}.{found} Choose the column."


def _find_header(
    lines: Sequence[Line],
    synonyms: Mapping[str, Sequence[str]],
    needed: str,
    chosen: Mapping[str, str],
) -> tuple[int, int, list[str]]:
    """Return the place of the header, the lines it takes (one or two), and its headings.

    It is where most columns are recognised; the first line if none is. A heading of two lines has
    the words of both, those of the upper one standing for the cells right of it too.
    """
    best: tuple[int, int, int, list[str]] = (0, 0, 1, [])
    for at, line in enumerate(lines[:HEADER_WITHIN]):
        candidates = [(1, [fold(cell) for cell in line.cells])]
        if at + 1 < len(lines):
            candidates.append((2, _both(line.cells, lines[at + 1].cells)))
        for depth, headings in candidates:
            places = _places(headings, synonyms, chosen)
            score = len(places) + 100 * (needed in places)
            if score > best[0] or not best[3]:
                best = (score, at, depth, headings)
    return best[1], best[2], best[3]


def _both(upper: Sequence[str], lower: Sequence[str]) -> list[str]:
    """Return the headings that two lines give together."""
    headings, carried = [], ""
    for top, cell in zip_longest(upper, lower, fillvalue=""):
        carried = top or carried
        headings.append(fold(f"{carried} {cell}" if cell else top))
    return headings


def _places(
    headings: Sequence[str], synonyms: Mapping[str, Sequence[str]], chosen: Mapping[str, str]
) -> dict[str, int]:
    """Return the place of each of our columns that these headings have, the chosen ones first."""
    spelled = [plain(heading) for heading in headings]
    places: dict[str, int] = {}
    for column, heading in chosen.items():
        if heading in spelled:
            places[column] = spelled.index(heading)
    for column, words in synonyms.items():
        if column in chosen:
            continue
        for word in words:
            if word in spelled and spelled.index(word) not in places.values():
                places[column] = spelled.index(word)
                break
    return places


def _row(line: Line, places: Mapping[str, int], width: int) -> Row:
    cells, faults = {}, {}
    for column, place in places.items():
        text = line.cells[place] if place < len(line.cells) else ""
        cells[column] = html.unescape(text)
        if fault := line.faults.get(place):
            faults[column] = fault
        elif text.upper() in _ERRORS:
            faults[column] = f"is the error {text.upper()}"
    return Row(line.number, cells, faults, any(line.cells[width:]))


def _read_sheet(content: bytes, sheet: str, synonyms: Mapping[str, Sequence[str]]) -> Sheet:
    if content.startswith(_OLD_WORKBOOK):
        raise TableFault([ENCRYPTED if _ENCRYPTED in content else OLD_WORKBOOK])
    if _PAGE.match(content):
        raise TableFault([PAGE])
    if content.startswith(_WORKBOOK):
        return _read_workbook(content, sheet)
    return _read_csv(_decoded(content), synonyms)


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


def _read_csv(text: str, synonyms: Mapping[str, Sequence[str]]) -> Sheet:
    skipped = 0
    if named := _NAMED_SEPARATOR.match(text):
        text, skipped, separator = text[named.end() :], 1, named[1]
    else:
        separator = _separator(text, synonyms)
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


def _separator(text: str, synonyms: Mapping[str, Sequence[str]]) -> str:
    """Return what separates the cells: what finds most columns, then what makes most cells."""
    first = text.split("\n", HEADER_WITHIN)[:HEADER_WITHIN]

    def found(separator: str) -> tuple[int, int]:
        split = [line.replace('"', "").split(separator) for line in first]
        return (
            max(len(_places(cells, synonyms, {})) for cells in split),
            sum(len(cells) for cells in split),
        )

    return max(SEPARATORS, key=found)


def _read_workbook(content: bytes, name: str) -> Sheet:
    # Not above: few web processes ever need it, and it loads numpy where that is installed.
    from openpyxl import load_workbook

    try:
        _check_size(content)
        # Read-only: row by row. Formulas come as what they last gave.
        workbook = load_workbook(
            io.BytesIO(content), read_only=True, data_only=True, keep_links=False
        )
        visible = [each for each in workbook.worksheets if each.sheet_state == "visible"]
        named = [each for each in visible if each.title == name]
        sheet = (named or visible or workbook.worksheets)[0]
        sheet.reset_dimensions()  # The file may claim any size.
        lines = _lines_of(sheet.iter_rows(max_col=MOST_COLUMNS))
        # Only a workbook that is read whole tells which rows are hidden.
        whole = load_workbook(io.BytesIO(content), data_only=True, keep_links=False)
        rows = whole[sheet.title].row_dimensions
        hidden = {number for number, each in rows.items() if each.hidden}
    except TableFault:
        raise
    except Exception as error:  # A damaged or hostile workbook fails anywhere in the library.
        raise TableFault([UNREADABLE_WORKBOOK]) from error
    others = [each for each in workbook.sheetnames if each != sheet.title]
    notes = [f"Sheet {sheet.title}."]
    if others:
        notes[0] = f"Sheet {sheet.title}, not {', '.join(others)}."
    if left_out := [str(line.number) for line in lines if line.number in hidden]:
        notes.append(f"Hidden rows were left out: {', '.join(left_out)}.")
    return Sheet([line for line in lines if line.number not in hidden], notes)


def _check_size(content: bytes) -> None:
    with zipfile.ZipFile(io.BytesIO(content)) as archive:
        parts = archive.infolist()
        if len(parts) > MOST_PARTS or sum(part.file_size for part in parts) > MOST_UNPACKED_BYTES:
            raise TableFault([TOO_LARGE_WORKBOOK])


def _lines_of(rows: Iterator[tuple[Any, ...]]) -> list[Line]:
    lines: list[Line] = []
    for number, cells in enumerate(rows, 1):
        if number > MOST_LINES:
            raise TableFault([TOO_LONG_SHEET])
        line = Line(number, [])
        for place, cell in enumerate(cells):
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
    if value is None:
        return ""
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


def in_rows(numbers: Iterable[int]) -> str:
    """Return the numbers of rows in a phrase: "row 8", "rows 12-41", "rows 3, 5 and 9-12"."""
    runs: list[list[int]] = []
    for number in sorted(numbers):
        if runs and number == runs[-1][-1] + 1:
            runs[-1] = [runs[-1][0], number]
        else:
            runs.append([number])
    words = ["-".join(map(str, run)) for run in runs]
    plural = "s" if len(words) > 1 or "-" in words[0] else ""
    joined = f"{', '.join(words[:-1])} and {words[-1]}" if len(words) > 1 else words[0]
    return f"row{plural} {joined}"


def finding(fault: str, places: Sequence[tuple[int, str]]) -> str:
    """Return a fault with its rows, and with the name in it if it is one row's."""
    rows = in_rows(number for number, _name in places)
    name = places[0][1][:200] if len(places) == 1 else ""
    return f"{fault}: {rows}{f' ({name})' if name else ''}."
