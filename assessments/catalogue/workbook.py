"""Read the lines of a CSV file or of an Excel workbook's sheets, with cells as text.

A workbook of a few kilobytes may unpack to millions of elements, and openpyxl makes an object of
each. So an event parser, which keeps nothing, counts the elements before openpyxl sees them. It
gets each part in one call: fed in pieces, as by openpyxl, expat before 2.6 reads an unfinished tag
from its beginning with every piece (CVE-2023-52425).
"""

import csv
import io
import re
import zipfile
from collections.abc import Callable, Collection, Iterator, Sequence
from datetime import datetime, time
from itertools import islice
from typing import Any, NamedTuple
from xml.parsers.expat import ExpatError, ParserCreate, errors

from partners.spreadsheet import without_guard

MAX_ROWS = 10_000
MAX_COLUMNS = 100
HEADER_WITHIN = 15  # lines that are not empty
ACCEPTED = ".csv,.txt,.xlsx"  # the attribute `accept` of file inputs
DELIMITERS = ",;\t|"
_WORKBOOK, _OLD_WORKBOOK = b"PK\x03\x04", b"\xd0\xcf\x11\xe0"
_ENCRYPTED = "EncryptedPackage".encode("utf-16-le")
_UTF_16 = (b"\xff\xfe", b"\xfe\xff")
_WEB_PAGE = re.compile(rb"\s*<(!doctype html|html|head|body|table|meta)\b", re.IGNORECASE)
_NAMED_DELIMITER = re.compile(r"\ufeff?\"?sep=(.)\"?\r?\n", re.IGNORECASE)
_NOT_XML = [
    errors.codes[each] for each in (errors.XML_ERROR_SYNTAX, errors.XML_ERROR_INVALID_TOKEN)
]
_ZEROS = re.compile("0{2,20}")  # a number format that shows leading zeros

MAX_UNPACKED_BYTES = 20 * 1024 * 1024
MAX_PARTS = 500
# Elements of cells, in a sheet or in the texts that Excel keeps apart. 10,000 rows of 21 columns
# have 640,000 in the sheet if each cell holds its text; else 430,000, and 420,000 in the texts.
CELL_PARTS = ("xl/worksheets/", "xl/sharedStrings")
CELL_ELEMENTS, MAX_CELL_ELEMENTS = {"row", "c", "f", "v", "is", "si", "r", "t"}, 700_000
# Other elements of a part: styles, links, rules. The styles of a plain workbook have 60; two links
# in each row make 20,000. With these limits, openpyxl needs at most ten seconds and 200 MB.
MAX_OTHER_ELEMENTS = 100_000
MAX_BEGINNINGS = 20  # sheets that are looked at because they may be lists too
MAX_SHEETS_AND_NAMES = 2_000  # for each sheet, openpyxl begins to read its part
MAX_SHEET_ROWS = 100_000  # with the empty ones
MAX_TAG_CHARACTERS = 64 * 1024  # with its attributes; a comment's too
TOO_LARGE = (
    "The workbook is too large. Delete other sheets, pictures, formatting and empty rows, or save "
    "the sheet as 'CSV UTF-8'."
)
UNREADABLE = (
    "The workbook can't be read. Open the file in a spreadsheet program, save it as an Excel "
    "workbook (.xlsx), and load it again."
)


class TableFault(Exception):
    """A file that cannot be used. `findings` are sentences: what is wrong, and what to do."""

    def __init__(self, *findings: str) -> None:
        super().__init__("\n".join(findings))
        self.findings = list(findings)


class Line(NamedTuple):
    number: int  # in the file or sheet
    cells: list[str]


class Book(NamedTuple):
    """The lines of sheets by title, without empty and hidden ones; a CSV file is a sheet ""."""

    sheets: dict[str, list[Line]]
    beginnings: dict[str, list[Line]]  # of visible sheets that were not chosen
    notes: list[str]  # for the user


def read_book(
    content: bytes, chosen: Collection[str], count_known: Callable[[Sequence[str]], int]
) -> Book:
    """Return the lines of the chosen sheets of a workbook, else of the first visible one.

    `count_known` counts the known headings among cells, to find the delimiter of a CSV file. Raises
    TableFault.
    """
    if content.startswith(_OLD_WORKBOOK):
        if _ENCRYPTED in content:
            raise TableFault(
                "The workbook has a password. Remove it, save the workbook, and load it again."
            )
        raise TableFault(
            "This is an Excel 97-2003 workbook (.xls). Save it as an Excel workbook (.xlsx)."
        )
    if _WEB_PAGE.match(content):
        raise TableFault(
            "This is a web page, although it may be named .xls. Open it in a spreadsheet program, "
            "save it as an Excel workbook (.xlsx), and load it again."
        )
    if content.startswith(_WORKBOOK):
        return _read_workbook(content, chosen)
    lines, _ = _without_empty(_read_csv(_decode(content), count_known))
    return Book({"": lines}, {}, [])


def _decode(content: bytes) -> str:
    # UTF-16 without a byte order mark: about half of the bytes are zero.
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


def _read_csv(text: str, count_known: Callable[[Sequence[str]], int]) -> Iterator[Line]:
    skipped = 0
    if named := _NAMED_DELIMITER.match(text):
        text, skipped, delimiter = text[named.end() :], 1, named[1]
    else:
        delimiter = _find_delimiter(text, count_known)
    reader = csv.reader(
        io.StringIO(text, newline=""), strict=True, delimiter=delimiter, skipinitialspace=True
    )
    begins = skipped + 1
    try:
        for cells in reader:
            yield Line(begins, [without_guard(cell.strip()) for cell in cells])
            begins = reader.line_num + skipped + 1
    except csv.Error as error:
        fault = f"not readable as CSV ({error})."
        if "end of data" in str(error):
            fault = "a quotation mark opens there and is never closed."
        raise TableFault(f"Line {begins}: {fault}") from error


def _find_delimiter(text: str, count_known: Callable[[Sequence[str]], int]) -> str:
    """Return the delimiter that yields the most known headings, then the most cells."""
    first_lines = text.replace('"', "").split("\n", HEADER_WITHIN)[:HEADER_WITHIN]

    def score(delimiter: str) -> tuple[int, int]:
        rows = [line.split(delimiter) for line in first_lines]
        return max(map(count_known, rows)), sum(map(len, rows))

    return max(DELIMITERS, key=score)


def _read_workbook(content: bytes, chosen: Collection[str]) -> Book:
    # Imported here: few web processes need it, and it loads numpy where that is installed.
    from openpyxl.reader.excel import ExcelReader

    try:
        hidden_rows = _check_parts(zipfile.ZipFile(io.BytesIO(content)))
        # read_only: row by row. data_only: the last results of formulas.
        reader = ExcelReader(io.BytesIO(content), read_only=True, data_only=True, keep_links=False)
        reader.read()
        sheets = reader.wb.worksheets
        titles = [sheet.title for sheet in sheets if sheet.sheet_state == "visible"]
        titles = titles or [sheets[0].title]
        if unknown := [title for title in chosen if title not in titles]:
            raise TableFault(f"No sheet {', '.join(unknown)}. There is: {', '.join(titles)}.")
        parts = {listed.name: part.target for listed, part in reader.parser.find_sheets()}
        lines, hidden = {}, {}
        for title in [title for title in titles if title in chosen] or titles[:1]:
            read = _without_empty(_read_rows(reader.wb[title]), hidden_rows[parts[title]])
            lines[title], hidden[title] = read
        others = [title for title in titles if title not in lines][:MAX_BEGINNINGS]
        beginnings = {
            title: [line for line in islice(_read_rows(reader.wb[title]), 100) if any(line.cells)]
            for title in others
        }
    except TableFault:
        raise
    except Exception as error:  # A damaged or hostile workbook fails anywhere in the library.
        raise TableFault(UNREADABLE) from error
    unread = [sheet.title for sheet in sheets if sheet.title not in lines]
    note = f"Sheet{'s' if len(lines) > 1 else ''} {' and '.join(lines)}"
    notes = [f"{note}, not {', '.join(unread)}." if unread else f"{note}."]
    if left_out := [str(number) for numbers in hidden.values() for number in numbers]:
        notes.append(f"Hidden rows were left out: {', '.join(left_out)}.")
    return Book(lines, beginnings, notes)


def _read_rows(sheet: Any) -> Iterator[Line]:
    sheet.reset_dimensions()  # The file may claim any size.
    characters = 0
    for number, cells in enumerate(sheet.iter_rows(max_col=MAX_COLUMNS), 1):
        # openpyxl fills each row up with empty cells: nearly all are empty.
        texts = ["" if cell.value is None else without_guard(_text(cell).strip()) for cell in cells]
        characters += sum(map(len, texts))  # many cells may share one text of the file
        if characters > MAX_UNPACKED_BYTES:
            raise TableFault(TOO_LARGE)
        while texts and not texts[-1]:
            texts.pop()
        yield Line(number, texts)


def _text(cell: Any) -> str:
    """Return a cell as the spreadsheet program shows it, but numbers in full."""
    value, number_format = cell.value, getattr(cell, "number_format", None) or ""
    if isinstance(value, bool):
        return str(value).upper()
    if isinstance(value, int | float) and "E+" in number_format:
        return f"{value:.0E}"
    if isinstance(value, int | float) and float(value).is_integer():
        whole = str(int(value))
        return whole.zfill(len(number_format)) if _ZEROS.fullmatch(number_format) else whole
    if isinstance(value, datetime) and value.time() == time():
        return str(value.date())
    return str(value)


def _without_empty(
    lines: Iterator[Line], hidden: Collection[int] = ()
) -> tuple[list[Line], list[int]]:
    """Return the lines that are neither empty nor hidden, and the numbers of hidden ones.

    Raises TableFault if they are more than a table with its header may have.
    """
    shown, left_out = [], []
    for line in lines:
        if any(line.cells) and line.number in hidden:
            left_out.append(line.number)
        elif any(line.cells):
            shown.append(line)
        if len(shown) > HEADER_WITHIN + MAX_ROWS:
            raise TableFault(
                f"There are more than {MAX_ROWS:,} rows, with headings and remarks. Load the file "
                "in parts, of which the second adds to the first."
            )
    return shown, left_out


def _check_parts(archive: zipfile.ZipFile) -> dict[str, set[int]]:
    """Return the hidden rows by part. Raises TableFault if openpyxl would need too much memory."""
    parts = archive.infolist()
    if len(parts) > MAX_PARTS or sum(part.file_size for part in parts) > MAX_UNPACKED_BYTES:
        raise TableFault(TOO_LARGE)
    hidden = {}
    for part in parts:
        of_cells = CELL_ELEMENTS if part.filename.startswith(CELL_PARTS) else set[str]()
        hidden[part.filename] = _check_part(archive.read(part), of_cells)
    return hidden


def _check_part(content: bytes, of_cells: Collection[str]) -> set[int]:
    hidden: set[int] = set()
    cells = others = sheets_and_names = number = 0

    def start(name: str, attributes: dict[str, str]) -> None:
        nonlocal cells, others, sheets_and_names, number
        kind = name.rpartition(":")[2]
        cells += kind in of_cells
        others += kind not in of_cells
        # openpyxl reads these from any part that the list of parts names, perhaps a large one.
        sheets_and_names += kind in {"sheet", "definedName"}
        if (
            cells > MAX_CELL_ELEMENTS
            or others > MAX_OTHER_ELEMENTS
            or sheets_and_names > MAX_SHEETS_AND_NAMES
            or len(name) + sum(map(len, attributes.values())) > MAX_TAG_CHARACTERS
        ):
            raise TableFault(TOO_LARGE)
        if kind == "row":
            number = int(attributes.get("r") or number + 1)
            if number > MAX_SHEET_ROWS:
                raise TableFault(TOO_LARGE)
            if attributes.get("hidden") in {"1", "true"}:
                hidden.add(number)

    def refuse(*_doctype: Any) -> None:
        raise TableFault(TOO_LARGE)

    def refuse_long(*texts: str) -> None:
        if sum(map(len, texts)) > MAX_TAG_CHARACTERS:
            raise TableFault(TOO_LARGE)

    parser = ParserCreate()
    parser.StartElementHandler, parser.StartDoctypeDeclHandler = start, refuse
    parser.CommentHandler = parser.ProcessingInstructionHandler = refuse_long
    try:
        parser.Parse(content, True)
    except ExpatError as error:
        # A picture has its fault at once, and openpyxl meets those of other parts. A long tag may
        # come before.
        is_picture = error.code in _NOT_XML and parser.ErrorByteIndex <= len("<?xml")
        if not is_picture and len(content) > MAX_TAG_CHARACTERS:
            raise TableFault(UNREADABLE) from error
    return hidden
