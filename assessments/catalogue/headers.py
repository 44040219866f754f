"""Find the header, the columns and the rows of a table as people keep it, and word its faults.

A form takes such a table, and lets people choose its columns.
"""

from __future__ import annotations

import html
import re
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby, zip_longest
from typing import Any, ClassVar

from django import forms
from django.core.exceptions import ValidationError

from assessments.catalogue.workbook import (
    ACCEPTED,
    HEADER_WITHIN,
    MOST_ROWS,
    Line,
    TableFault,
    read_sheet,
)

MOST_MB = 4
# A file with the wrong columns has an error in every line.
MOST_FAULTS = 30
_MADE = "which a spreadsheet program made of it"
MANGLED = {
    "is the error {}": re.compile("#(N/A|(REF|NULL|NUM|VALUE|DIV/0)!|NAME\\?)", re.IGNORECASE),
    f"is the number {{}}, {_MADE}": re.compile(r"[+-]?\d+(\.\d+)?E[+-]?\d+", re.IGNORECASE),
    f"is the date {{}}, {_MADE}": re.compile(r"\d{4}-\d\d-\d\d( \d\d:.*)?|\d+:\d\d:\d\d.*"),
    f"is {{}}, {_MADE}": re.compile("TRUE|FALSE", re.IGNORECASE),
}
_LOST_LETTERS = re.compile(r"\ufffd|^[?\s.,()-]*\?{2}[?\s.,()-]*$")
_NO_LETTER = re.compile(r"[\W_]+")

Synonyms = Mapping[str, Sequence[str]]


@dataclass(slots=True)
class Row:
    """The cells of a row by our columns; `number` is that of the line which a user sees.

    `surplus` tells whether it has more cells than the header.
    """

    number: int
    cells: dict[str, str]
    surplus: bool


@dataclass(slots=True)
class Table:
    """The rows of a file, and which of our columns it has.

    `headings` are all of the file; `notes` say to the user what was read.
    """

    columns: Collection[str]
    headings: list[str]
    rows: list[Row]
    notes: list[str]


def read_table(
    content: bytes,
    synonyms: Synonyms,
    needed: str,
    *,
    mapping: Mapping[str, str] | None = None,
    sheet: str = "",
) -> Table:
    """Return the table in a CSV file or a workbook.

    `synonyms` has headings, in plain words, by which each of our columns is recognised; `needed` is
    the column without which a line is no header. `mapping` has the heading of each chosen
    column, "-" for none. Of a workbook, `sheet` is read, or the first visible one. Raises
    TableFault.
    """
    mapping = mapping or {}
    chosen = {column: plain(heading) for column, heading in mapping.items()}
    lines, notes = read_sheet(content, sheet, lambda cells: len(_places(cells, synonyms, {})))
    at, depth, headings = _find_header(lines, synonyms, needed, chosen)
    places = _places(headings, synonyms, chosen)
    named = [each for each in headings if each]
    if wanting := [mapping[each] for each, head in chosen.items() if head and each not in places]:
        said = f"No line has the headings {', '.join(wanting)}. It has: {', '.join(named)}."
        raise TableFault(said, headings=named)
    if needed not in places:
        names = ", ".join(each.capitalize() for each in synonyms[needed][:4])
        has = f"The first line has: {', '.join(named)}." if named else "The file is empty."
        said = f"No column for the {needed} was found, such as {names}. {has} Choose the column."
        raise TableFault(said, headings=named)
    spelled = [plain(each) for each in headings]
    for place in places.values():
        if spelled.count(spelled[place]) > 1:
            raise TableFault(
                f"Several columns are headed “{headings[place]}”. Delete or rename all but one."
            )
    below = lines[at + depth :]
    end = _end_of_rows(below) if len(places) > 1 else len(below)
    rows = [_row(line, places, len(headings)) for line in below[:end]]
    if len(rows) > MOST_ROWS:
        raise TableFault(f"The file has more than {MOST_ROWS:,} rows.")
    said = f"Header in row {lines[at].number}, {len(rows)} rows."
    unused = [name for place, name in enumerate(headings) if name and place not in places.values()]
    if unused:
        said += f" Columns not used: {', '.join(unused)}."
    if end < len(below):
        said += f" Left out below the table: {in_rows(line.number for line in below[end:])}."
    return Table(places, named, rows, [*notes, said])


def _find_header(
    lines: Sequence[Line], synonyms: Synonyms, needed: str, chosen: Mapping[str, str]
) -> tuple[int, int, list[str]]:
    """Return the place of the header, the lines it takes (one or two), and its headings.

    It is where most columns are recognised; the first line if none is.
    """

    def recognised(header: tuple[int, int, list[str]]) -> int:
        places = _places(header[2], synonyms, chosen)
        return len(places) + 100 * (needed in places)

    return max(_headers(lines), key=recognised, default=(0, 1, []))


def _headers(lines: Sequence[Line]) -> Iterator[tuple[int, int, list[str]]]:
    """Yield what may be the header, as `_find_header` returns it.

    A heading of two lines has the words of both, those of the upper one standing for the cells
    right of it too.
    """
    for at, line in enumerate(lines[:HEADER_WITHIN]):
        yield at, 1, [fold(cell) for cell in line.cells]
        if at + 1 < len(lines):
            upper, both = "", []
            for top, cell in zip_longest(line.cells, lines[at + 1].cells, fillvalue=""):
                upper = top or upper
                both.append(fold(f"{upper} {cell}" if cell else top))
            yield at, 2, both


def _places(
    headings: Sequence[str], synonyms: Synonyms, chosen: Mapping[str, str]
) -> dict[str, int]:
    """Return the place of each of our columns that these headings have, the chosen ones first."""
    spelled = [plain(heading) for heading in headings]
    places = {
        column: spelled.index(heading)
        for column, heading in chosen.items()
        if heading and heading in spelled
    }
    for column, words in synonyms.items():
        if column not in chosen:
            found = (spelled.index(word) for word in words if word in spelled)
            place = next((each for each in found if each not in places.values()), None)
            if place is not None:
                places[column] = place
    return places


def _end_of_rows(lines: Sequence[Line]) -> int:
    """Return where lines of a single cell below a gap begin: a total, a remark."""
    end = len(lines)
    for place in range(len(lines) - 1, 0, -1):
        if sum(map(bool, lines[place].cells)) > 1:
            break
        if lines[place].number > lines[place - 1].number + 1:
            end = place
    return end


def _row(line: Line, places: Mapping[str, int], width: int) -> Row:
    cells = [*line.cells, *[""] * width]
    of_columns = {column: cells[place] for column, place in places.items()}
    return Row(line.number, of_columns, any(line.cells[width:]))


def plain(heading: str) -> str:
    """Return a heading as headings are compared: small letters and digits, single spaces."""
    return " ".join(_NO_LETTER.sub(" ", fold(heading).lower()).split())


def fold(text: str) -> str:
    """Return a text on one line: entities resolved, invisible characters and line breaks gone."""
    shown = html.unescape(text).replace("\u200b", "").replace("\u00ad", "").replace("\ufeff", "")
    return " ".join(shown.split())


def fault_of_text(text: str) -> str:
    """Say what a spreadsheet program has made of a code or a name; "" if nothing."""
    for fault, spoilt in MANGLED.items():
        if spoilt.fullmatch(text):
            return fault.format(text.upper())
    return "has question marks where letters were" if _LOST_LETTERS.search(text) else ""


def in_rows(numbers: Iterable[int]) -> str:
    """Return the numbers of rows in a phrase: "row 8", "rows 12-41", "rows 3, 5, 9-12"."""
    runs = groupby(enumerate(sorted(numbers)), lambda each: each[1] - each[0])
    ranges = [[number for _, number in run] for _, run in runs]
    said = ", ".join("-".join(map(str, dict.fromkeys([run[0], run[-1]]))) for run in ranges)
    return f"row {said}" if said.isdecimal() else f"rows {said}"


def findings_of(faults: Iterable[tuple[str, int, str]]) -> list[str]:
    """Return each different fault with its rows, and with the name in it if it is one row's.

    A fault comes with the number and the name of its row.
    """
    places: dict[str, list[tuple[int, str]]] = {}
    for fault, number, name in faults:
        places.setdefault(fault, []).append((number, name[:200]))
    return [
        f"{fault}: {in_rows(number for number, _ in those)}"
        f"{f' ({those[0][1]})' if len(those) == 1 and those[0][1] else ''}."
        for fault, those in places.items()
    ]


def first_of(findings: Sequence[str]) -> list[str]:
    """Return the findings that fit on a page, and how many more there are."""
    more = len(findings) - MOST_FAULTS
    return [*findings[:MOST_FAULTS], *([f"And {more} more."] if more > 0 else [])]


class TableForm(forms.Form):
    """A file. When valid, it has `rows` and `notes` for the user.

    `synonyms` and `needed` are as `read_table` takes them. `chosen` has labels of the columns that
    the user may take from any heading, once a file was read. `at_most` says how many rows.
    """

    synonyms: ClassVar[Synonyms]
    needed: ClassVar[str]
    chosen: ClassVar[Mapping[str, str]]
    at_most: ClassVar[str]
    required_css_class = "required"

    file = forms.FileField(widget=forms.FileInput(attrs={"accept": ACCEPTED}))
    sheet = forms.CharField(
        required=False, help_text="Of a workbook. Leave empty for the first visible one."
    )
    check = forms.BooleanField(label="Let me choose the columns", required=False)

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.notes: list[str] = []
        limits = f"at most {MOST_MB} MB and {self.at_most}"
        self.fields["file"].help_text = f"An Excel workbook (.xlsx) or a CSV file of {limits}."
        for column, label in self.chosen.items():
            self.fields[f"column-{column}"] = forms.CharField(
                label=label, required=False, widget=forms.Select
            )

    def rows_of(self, table: Table) -> list[dict[str, Any]]:
        """Return the rows of a table. Raises TableFault with the faults of all of them."""
        raise NotImplementedError("Subclasses must provide a rows_of() method.")

    @property
    def of_file(self) -> list[forms.BoundField]:
        return [field for field in self if not field.name.startswith("column-")]

    @property
    def columns(self) -> list[forms.BoundField]:
        return [self[f"column-{column}"] for column in self.chosen]

    def clean(self) -> None:
        """Read the file. Adds the faults of all its rows as errors of `file`."""
        file = self.cleaned_data.get("file")
        if file and file.size > MOST_MB * 1024**2:
            self.add_error("file", f"The file is larger than {MOST_MB} MB.")
        elif file:
            self.read(file.read())

    def read(self, content: bytes, field: str = "file") -> None:
        """Set `rows` and `notes`. Adds the faults of all rows as errors of a field."""
        given = ((column, self.cleaned_data[f"column-{column}"]) for column in self.chosen)
        mapping = {column: heading for column, heading in given if heading}
        sheet, headings = self.cleaned_data["sheet"], list[str]()
        try:
            table = read_table(content, self.synonyms, self.needed, mapping=mapping, sheet=sheet)
            headings, self.notes = table.headings, table.notes
            if self.cleaned_data["check"] and not mapping:
                said = "Choose the columns below, and a file once more: browsers don't keep it."
                raise TableFault(said)
            self.rows = self.rows_of(table)
        except TableFault as fault:
            self.add_error(field, ValidationError(first_of(fault.findings)))
            headings = fault.headings or headings
        if headings:
            choices = [("", "As recognised"), ("-", "None")]
            for each in self.columns:
                each.field.widget.choices = [*choices, *((name, name) for name in headings)]
