"""Find the header, the columns and the rows of a table as people keep it, and word its faults."""

from __future__ import annotations

import html
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import zip_longest
from typing import Any

from assessments.content.sheets import HEADER_WITHIN, MOST_ROWS, Line, TableFault, read_sheet

_ERRORS = {"#N/A", "#REF!", "#NAME?", "#VALUE!", "#DIV/0!", "#NULL!", "#NUM!"}
_SCIENTIFIC = re.compile(r"[+-]?\d+(\.\d+)?E[+-]?\d+", re.IGNORECASE)
_LOST_LETTERS = re.compile(r"\ufffd|^[?\s.,()-]*\?{2}[?\s.,()-]*$")
_NO_LETTER = re.compile(r"[\W_]+")
# A file with the wrong columns has an error in every line.
MOST_FAULTS = 30


def first_of(findings: Sequence[str]) -> list[str]:
    """Return the findings that fit on a page, and how many more there are."""
    more = len(findings) - MOST_FAULTS
    return [*findings[:MOST_FAULTS], *([f"And {more} more."] if more > 0 else [])]


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

    `headings` are all of the file; `notes` say to the user what was read. `chosen` are the columns
    that the user chose.
    """

    columns: dict[str, str]
    headings: list[str]
    rows: list[Row]
    notes: list[str]
    chosen: frozenset[str] = frozenset()


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
    found = read_sheet(content, sheet, lambda cells: len(_places(cells, synonyms, {})))
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
    below = found.lines[at + depth :]
    lines = _without_notes(below) if len(places) > 1 else below
    rows = [_row(line, places, len(headings)) for line in lines]
    if len(rows) > MOST_ROWS:
        raise TableFault([f"The file has more than {MOST_ROWS:,} rows."])
    columns = {column: headings[place] for column, place in places.items()}
    said = f"Header in row {found.lines[at].number}, {len(rows)} rows."
    unused = [name for place, name in enumerate(headings) if name and place not in places.values()]
    if unused:
        said += f" Columns not used: {', '.join(unused)}."
    if notes := below[len(lines) :]:
        said += f" Left out below the table: {in_rows(line.number for line in notes)}."
    return Table(
        columns, [each for each in headings if each], rows, [*found.notes, said], frozenset(chosen)
    )


def _without_notes(lines: Sequence[Line]) -> Sequence[Line]:
    """Leave out the lines below a gap at the end that have a single cell: a total, a remark."""
    end = len(lines)
    for place in range(len(lines) - 1, 0, -1):
        if sum(map(bool, lines[place].cells)) > 1:
            break
        if lines[place].number > lines[place - 1].number + 1:
            end = place
    return lines[:end]


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
