"""Find the headings, columns and rows in a list as people keep it."""

import html
import re
from collections import defaultdict
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import groupby, product, zip_longest
from string import ascii_uppercase
from typing import Any

from assessments.catalogue.workbook import HEADER_WITHIN, MAX_ROWS, Line, TableFault, read_book

# A file with the wrong columns has an error in every line.
MAX_FINDINGS = 30
MAX_HEADING = 200  # characters; longer cells are no headings
_BY_PROGRAM = "which a spreadsheet program made of it"
MANGLED = {
    "is the error {}": re.compile("#(N/A|(REF|NULL|NUM|VALUE|DIV/0)!|NAME\\?)", re.IGNORECASE),
    f"is the number {{}}, {_BY_PROGRAM}": re.compile(r"[+-]?\d+(\.\d+)?E[+-]?\d+", re.IGNORECASE),
    f"is the date {{}}, {_BY_PROGRAM}": re.compile(r"\d{4}-\d\d-\d\d( \d\d:.*)?|\d+:\d\d:\d\d.*"),
    f"is {{}}, {_BY_PROGRAM}": re.compile("TRUE|FALSE", re.IGNORECASE),
}
_LOST_LETTERS = re.compile(r"\ufffd|^[?\s.,()-]*\?{2}[?\s.,()-]*$")
TOTAL = re.compile(
    r"(grand |sub[ -]?)?totals?( (seats|intake|courses|programmes|students|fees?))?( ?[:=-].*)?",
    re.IGNORECASE,
)
_NO_LETTER = re.compile(r"[\W_]+")
# A to ZZ, as spreadsheet programs name columns.
LETTERS = ["".join(pair) for pair in product(["", *ascii_uppercase], ascii_uppercase)]

# A column of files alone: the second part of a name.
NAME_PART = "name_part"

Place = tuple[str, int]  # of a row: the sheet, "" if only one is read, and the number seen there


@dataclass(frozen=True)
class Choices:
    """What the user chose of a file. What is not chosen is recognised."""

    sheets: Sequence[str] = ()
    header: int | None = None  # the number of the line with the headings; 0 if there are none
    # By our column, a heading or a letter; "" for none.
    columns: Mapping[str, str] = field(default_factory=dict)


@dataclass(slots=True)
class Row:
    """The cells of a row by our columns."""

    place: Place
    cells: dict[str, str]
    has_surplus: bool  # more cells than the header


@dataclass(slots=True)
class Table:
    """What was read of a file. Its layout is that of the first sheet."""

    lines: list[Line]  # the first ones, of which one may have the headings
    header: int  # the number of the line with the headings; 0 if there are none
    headings: list[str]
    places: dict[str, int]  # of our columns among the headings
    chosen: Collection[str]  # those of them that the user chose
    rows: list[Row] = field(default_factory=list)
    # Lines that are no rows, by what they are instead.
    left_out: defaultdict[str, list[Place]] = field(default_factory=lambda: defaultdict(list))
    values: list[dict[str, Any]] = field(default_factory=list)  # of the rows, if none has a fault
    faults: list[str] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)  # for the user
    sheets: list[str] = field(default_factory=list)  # all that can be chosen
    read: list[str] = field(default_factory=list)  # of them

    def describe(self, labels: Mapping[str, str]) -> list[str]:
        """Return sentences for the user about what was read."""
        places = self.places.values()
        unused = [name for place, name in enumerate(self.headings) if name and place not in places]
        header = f"Headings in row {self.header}" if self.header else "No headings"
        used = [f"{labels[name]} ({self.headings[at]})" for name, at in self.places.items()]
        note = f"{header}, {len(self.rows)} rows. Columns: {', '.join(used)}."
        if unused:
            note += f" Not used: {', '.join(unused)}."
        for why, rows in self.left_out.items():
            note += f" Left out, {why}: {rows_in_words(rows)}."
        return [*self.notes, note]


@dataclass(frozen=True)
class Kind:
    """A kind of list."""

    name: str
    headings: Mapping[str, Sequence[str]]  # by which a column is recognised; see `comparable`
    labels: Mapping[str, str]  # of the columns
    to_choose: Mapping[str, str]  # columns that the page offers, and what it calls none of them
    required: Collection[str]  # columns
    named_by: Collection[str]  # a row has a cell in one of these columns; other lines are left out
    # Returns the values of a table's rows, and adds their faults to those of the table.
    read_rows: Callable[[Table], list[dict[str, Any]]]
    # Names of the admin's pages: of a project, that takes a file; of an upload, for its columns,
    # and that applies it.
    load_page: str
    columns_page: str
    apply_page: str


def read_table(content: bytes, kind: Kind, choices: Choices | None = None) -> Table:
    """Return the table in a CSV file or in sheets of a workbook: the chosen, else the first one.

    The table has the values of its rows, or all faults: those of its columns, else of its rows.
    Raises TableFault if the file can't be read.
    """
    choices = choices or Choices()
    book = read_book(content, choices.sheets, lambda cells: len(_places(cells, kind, {})))
    for line in (line for lines in book.sheets.values() for line in lines):
        if len(line.cells) > len(LETTERS):
            raise TableFault(f"Row {line.number} has over {len(LETTERS)} cells. Delete some.")
    several = len(book.sheets) > 1
    # The row was chosen of the first sheet. Others have their headings in rows of their own.
    of_others = replace(choices, header=choices.header and None)
    tables = [
        _read_lines(lines, kind, of_others if at else choices, title if several else "")
        for at, (title, lines) in enumerate(book.sheets.items())
    ]
    table = tables[0]
    table.read, table.notes = list(book.sheets), book.notes
    table.sheets = [*book.sheets, *book.beginnings]
    for other in tables[1:]:
        table.rows += other.rows
        table.faults += [fault for fault in other.faults if fault not in table.faults]
        for why, places in other.left_out.items():
            table.left_out[why] += places
    lists = []
    for title, lines in book.beginnings.items():
        _, _, headings = _find_header(lines, kind, Choices())
        if set(kind.required) <= _places(headings, kind, {}).keys():
            lists.append(title)
    if lists and not choices.sheets:
        table.read += lists  # as the page proposes
        titles = ", ".join(table.read)
        table.faults.insert(0, f"Several sheets have a list: {titles}. Choose which to read.")
    if "" not in book.sheets:  # In a workbook, what stands beside the table is a remark.
        for row in table.rows:
            row.has_surplus = False
    if len(table.rows) > MAX_ROWS:
        table.faults.append(f"The file has more than {MAX_ROWS:,} rows.")
    if not table.faults:
        table.values = kind.read_rows(table)
    return table


def _read_lines(lines: Sequence[Line], kind: Kind, choices: Choices, sheet: str) -> Table:
    at, depth, headings = _find_header(lines, kind, choices)
    places = _places(headings, kind, choices.columns)
    header = lines[at].number if lines else 1
    is_headless = choices.header is None and not places and _looks_headless(lines)
    if lines and (choices.header == 0 or is_headless):
        at = depth = header = 0
        headings = LETTERS[: max((len(line.cells) for line in lines), default=0)]
        places = _places(headings, kind, choices.columns) or {"name": _column_of_names(lines)}
    table = Table(list(lines[:HEADER_WITHIN]), header, headings, places, choices.columns.keys())
    of_sheet = f"Sheet {sheet}: " if sheet else ""
    table.faults = [f"{of_sheet}{fault}" for fault in _faults(table, kind, choices)]
    _add_rows(table, lines[at + depth :], kind, sheet)
    return table


def _faults(table: Table, kind: Kind, choices: Choices) -> Iterator[str]:
    """Yield why the columns can't be told."""
    if not table.lines:
        yield "The file is empty."
        return
    if choices.header and choices.header != table.header:
        yield f"Row {choices.header} is empty or too far down, so it can't have the headings."
        return
    has = f"Row {table.header} has: {', '.join(filter(None, table.headings))}."
    if not table.header:
        has = ""
        if choices.header is None:
            yield (
                "The first line looks like the others, so the file seems to have no headings. If "
                "so, say that it has none, and which column has what."
            )
            return
        if not choices.columns:
            yield "The file has no headings. Choose which column has what."
            return
    chosen = choices.columns.items()
    if unknown := [heading for name, heading in chosen if heading and name not in table.places]:
        yield f"No column is headed {', '.join(unknown)}. {has}"
    for column in kind.required:
        if column not in table.places and not choices.columns.get(column):
            names = ", ".join(name.capitalize() for name in kind.headings[column][:4])
            label = kind.labels[column].lower()
            yield f"No column for the {label} was found, such as {names}. {has} Choose the column."
    compared = [comparable(heading) for heading in table.headings]
    for column, place in table.places.items():
        is_letter = choices.columns.get(column) in LETTERS[place : place + 1]
        if compared.count(compared[place]) > 1 and not is_letter:
            yield f"Several columns are headed “{table.headings[place]}”. Choose one by its letter."


def _find_header(lines: Sequence[Line], kind: Kind, choices: Choices) -> tuple[int, int, list[str]]:
    """Return the place of the header, its depth (1 or 2 lines), and its headings.

    If no line is recognised, it is the fullest one.
    """

    def score(header: tuple[int, int, list[str]]) -> tuple[int, ...]:
        _, depth, headings = header
        if places := _places(headings, kind, choices.columns):
            return 1, len(places.keys() & kind.required), len(places)
        return 0, depth == 1, sum(map(bool, headings))

    possible = list(_possible_headers(lines))
    if choices.header:
        possible = [each for each in possible if lines[each[0]].number == choices.header]
    return max(possible, key=score, default=(0, 1, []))


def _possible_headers(lines: Sequence[Line]) -> Iterator[tuple[int, int, list[str]]]:
    for at, line in enumerate(lines[:HEADER_WITHIN]):
        yield at, 1, [_heading(cell) for cell in line.cells]
        if at + 1 < len(lines):
            upper, both = "", []  # an upper heading counts for the empty cells to its right too
            for top, cell in zip_longest(line.cells, lines[at + 1].cells, fillvalue=""):
                upper = top or upper
                both.append(_heading(f"{upper} {cell}" if cell else top))
            yield at, 2, both


def _heading(cell: str) -> str:
    return clean_text(cell.replace("\0", ""))[:MAX_HEADING]  # PostgreSQL stores no NUL


def _looks_headless(lines: Sequence[Line]) -> bool:
    """Return whether the first line has a number, or a cell that comes again below it."""
    return any(
        first and (first.isdecimal() or first in below)
        for first, *below in zip_longest(*(line.cells for line in lines), fillvalue="")
    )


def _column_of_names(lines: Sequence[Line]) -> int:
    """Return the place of the column with the most different texts."""
    columns = zip_longest(*(line.cells for line in lines), fillvalue="")
    texts = [len({cell for cell in cells if not cell[:1].isdecimal()}) for cells in columns]
    return texts.index(max(texts))


def _places(headings: Sequence[str], kind: Kind, chosen: Mapping[str, str]) -> dict[str, int]:
    """Return the places of our columns among these headings, the chosen ones first."""
    compared, letters = [comparable(heading) for heading in headings], LETTERS[: len(headings)]
    places = {}
    for column, heading in chosen.items():
        if heading in letters:
            places[column] = letters.index(heading)
        elif heading and comparable(heading) in compared:
            places[column] = compared.index(comparable(heading))
        elif heading.upper() in letters:
            places[column] = letters.index(heading.upper())
    for column, names in kind.headings.items():
        if column not in chosen:
            for name in names:
                if name in compared and compared.index(name) not in places.values():
                    places[column] = compared.index(name)
                    break
    return places


def _add_rows(table: Table, lines: Sequence[Line], kind: Kind, sheet: str) -> None:
    """Add the rows of a sheet to its table; lines that are none are left out."""
    width, alone = len(table.headings), set[Place]()
    columns = (each for each in kind.named_by if each in table.places and each != NAME_PART)
    lacking = " and ".join(columns)
    for line in lines:
        place, filled = (sheet, line.number), sum(map(bool, line.cells))
        texts = [*line.cells, *[""] * width]
        cells = {column: texts[at] for column, at in table.places.items()}
        if any(map(TOTAL.fullmatch, line.cells)):
            table.left_out["totals"].append(place)
        elif any(cells.get(column) for column in kind.named_by):
            table.rows.append(Row(place, cells, any(line.cells[width:])))
            if filled == 1 and sum(map(bool, table.headings)) > 2:
                alone.add(place)
        else:
            why = "headings or remarks" if filled == 1 else f"without {lacking}"
            table.left_out[why].append(place)
    # A cell alone is a heading or a remark. In two columns it is a row that lacks something, and a
    # row too if most are, as in a list of names.
    if alone and len(alone) <= len(table.rows) / 2:
        table.rows = [row for row in table.rows if row.place not in alone]
        table.left_out["headings or remarks"] += alone


def join_names(table: Table) -> None:
    """Add the second part of each name, if any, to the first, unless the name has it already."""
    if not any(NAME_PART in row.cells for row in table.rows):
        return
    for row in table.rows:
        name, part = row.cells["name"], row.cells.pop(NAME_PART, "")
        if part.strip("- ") and f" {comparable(part)} " not in f" {comparable(name)} ":
            row.cells["name"] = f"{name} {part}".strip()
    table.notes.append("Names are put together from two columns.")


def comparable(heading: str) -> str:
    """Return the small letters and digits of a heading, with single spaces, for comparison."""
    return " ".join(_NO_LETTER.sub(" ", clean_text(heading).lower()).split())


def clean_text(text: str) -> str:
    """Resolve entities, and remove invisible characters and line breaks."""
    text = html.unescape(text).replace("\u200b", "").replace("\u00ad", "").replace("\ufeff", "")
    return " ".join(text.split())


def fault_of_text(text: str) -> str:
    """Return what a spreadsheet program has made of a code or a name, "" if nothing."""
    for fault, pattern in MANGLED.items():
        if pattern.fullmatch(text):
            return fault.format(text.upper())
    return (
        "has question marks where letters were" if _LOST_LETTERS.search(text[:MAX_HEADING]) else ""
    )


def rows_in_words(places: Iterable[Place]) -> str:
    """Return a phrase such as "row 8", "rows 3, 5, 9-12" or "rows 3-5 of UG and row 2 of PG"."""
    numbers_by_sheet = defaultdict[str, list[int]](list)
    for sheet, number in places:
        numbers_by_sheet[sheet].append(number)
    phrases = []
    for sheet, numbers in numbers_by_sheet.items():
        runs = groupby(enumerate(sorted(numbers)), lambda pair: pair[1] - pair[0])
        ranges = [[number for _, number in run] for _, run in runs]
        words = ", ".join("-".join(map(str, dict.fromkeys([run[0], run[-1]]))) for run in ranges)
        rows = f"row {words}" if words.isdecimal() else f"rows {words}"
        phrases.append(f"{rows} of {sheet}" if sheet else rows)
    return " and ".join(phrases)


def group_faults(faults: Iterable[tuple[str, Place, str]]) -> list[str]:
    """Return a sentence with all rows for each different fault in (fault, place, name)."""
    rows_by_fault = defaultdict[str, list[tuple[Place, str]]](list)
    for fault, place, name in faults:
        rows_by_fault[fault].append((place, name[:200]))
    sentences = []
    for fault, rows in rows_by_fault.items():
        name = f" ({rows[0][1]})" if len(rows) == 1 and rows[0][1] else ""
        sentences.append(f"{fault}: {rows_in_words(place for place, _ in rows)}{name}.")
    return sentences


def first_findings(findings: Sequence[str]) -> list[str]:
    more = len(findings) - MAX_FINDINGS
    return [*findings[:MAX_FINDINGS], *([f"And {more} more."] if more > 0 else [])]
