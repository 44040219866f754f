"""Find the header, columns and rows in a table as people keep it. A form to upload such a table."""

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
    MAX_ROWS,
    Line,
    TableFault,
    read_sheet,
)

MAX_MB = 4
# A file with the wrong columns has an error in every line.
MAX_FINDINGS = 30
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

Synonyms = Mapping[str, Sequence[str]]


@dataclass(slots=True)
class Row:
    """The cells of a row by our columns. `number` is the line's number as the user sees it."""

    number: int
    cells: dict[str, str]
    has_surplus: bool  # more cells than the header


@dataclass(slots=True)
class Table:
    """A table: which of our `columns` it has, and all `headings` of the file."""

    columns: Collection[str]
    chosen: Collection[str]  # those of the columns that the user chose
    headings: list[str]
    rows: list[Row]
    notes: list[str]  # for the user: what was read


def read_table(
    content: bytes,
    synonyms: Synonyms,
    required: str,
    named_by: Collection[str],
    *,
    mapping: Mapping[str, str] | None = None,
    sheet: str = "",
) -> Table:
    """Return the table in a CSV file, or in a sheet of a workbook (the first visible one if "").

    `synonyms` has the headings, as `comparable` returns them, by which each of our columns is
    recognised; every header has the column `required`. `mapping` has the headings that the user
    chose for columns, "-" for none. A row has a cell in one of the columns `named_by`; other lines
    are left out, and named in the notes. Raises TableFault.
    """
    mapping = mapping or {}
    chosen = {column: comparable(heading) for column, heading in mapping.items()}
    lines, notes = read_sheet(content, sheet, lambda cells: len(_places(cells, synonyms, {})))
    at, depth, headings = _find_header(lines, synonyms, required, chosen)
    places = _places(headings, synonyms, chosen)
    named = [heading for heading in headings if heading]
    missing = [mapping[name] for name, heading in chosen.items() if heading and name not in places]
    if missing:
        fault = f"No line has the headings {', '.join(missing)}. It has: {', '.join(named)}."
        raise TableFault(fault, headings=named)
    if required not in places:
        names = ", ".join(name.capitalize() for name in synonyms[required][:4])
        has = "The file is empty."
        if named:
            has = f"Row {lines[at].number} has: {', '.join(named)}."
        fault = f"No column for the {required} was found, such as {names}. {has} Choose the column."
        raise TableFault(fault, headings=named)
    compared = [comparable(heading) for heading in headings]
    for place in places.values():
        if compared.count(compared[place]) > 1:
            raise TableFault(
                f"Several columns are headed “{headings[place]}”. Delete or rename all but one."
            )
    below = lines[at + depth :]
    rows, left_out = _rows_of_table(below, places, headings, named_by)
    if len(rows) > MAX_ROWS:
        raise TableFault(f"The file has more than {MAX_ROWS:,} rows.")
    note = f"Header in row {lines[at].number}, {len(rows)} rows."
    unused = [name for place, name in enumerate(headings) if name and place not in places.values()]
    if unused:
        note += f" Columns not used: {', '.join(unused)}."
    for why, numbers in left_out.items():
        note += f" Left out, {why}: {rows_in_words(numbers)}."
    return Table(places, mapping.keys(), named, rows, [*notes, note])


def _find_header(
    lines: Sequence[Line], synonyms: Synonyms, required: str, chosen: Mapping[str, str]
) -> tuple[int, int, list[str]]:
    """Return the place of the header, its depth (1 or 2 lines), and its headings.

    If no line is recognised, it is the fullest one.
    """

    def score(header: tuple[int, int, list[str]]) -> tuple[int, ...]:
        _, depth, headings = header
        if places := _places(headings, synonyms, chosen):
            return 1, required in places, len(places)
        return 0, depth == 1, sum(map(bool, headings))

    return max(_possible_headers(lines), key=score, default=(0, 1, []))


def _possible_headers(lines: Sequence[Line]) -> Iterator[tuple[int, int, list[str]]]:
    for at, line in enumerate(lines[:HEADER_WITHIN]):
        yield at, 1, [clean_text(cell) for cell in line.cells]
        if at + 1 < len(lines):
            upper, both = "", []  # an upper heading counts for the empty cells to its right too
            for top, cell in zip_longest(line.cells, lines[at + 1].cells, fillvalue=""):
                upper = top or upper
                both.append(clean_text(f"{upper} {cell}" if cell else top))
            yield at, 2, both


def _places(
    headings: Sequence[str], synonyms: Synonyms, chosen: Mapping[str, str]
) -> dict[str, int]:
    """Return the places of our columns among these headings, the chosen ones first."""
    compared = [comparable(heading) for heading in headings]
    places = {
        column: compared.index(heading)
        for column, heading in chosen.items()
        if heading and heading in compared
    }
    for column, names in synonyms.items():
        if column not in chosen:
            for name in names:
                if name in compared and compared.index(name) not in places.values():
                    places[column] = compared.index(name)
                    break
    return places


def _rows_of_table(
    lines: Sequence[Line],
    places: Mapping[str, int],
    headings: Sequence[str],
    named_by: Collection[str],
) -> tuple[list[Row], dict[str, list[int]]]:
    """Return the rows, and the numbers of lines that are none, by what they are instead."""
    left_out: dict[str, list[int]] = {}
    rows, alone = [], []
    for line in lines:
        row, filled = _row(line, places, len(headings)), sum(map(bool, line.cells))
        is_named = any(row.cells.get(column) for column in named_by)
        if any(map(TOTAL.fullmatch, line.cells)):
            left_out.setdefault("totals", []).append(line.number)
        elif is_named:
            rows.append(row)
            alone += [row] if filled == 1 and sum(map(bool, headings)) > 2 else []
        else:
            lacking = " and ".join(column for column in named_by if column in places)
            why = "headings or remarks" if filled == 1 else f"without {lacking}"
            left_out.setdefault(why, []).append(line.number)
    # A cell alone is a heading or a remark. In two columns it is a row that lacks something, and a
    # row too if most are, as in a list of names.
    if len(alone) <= len(rows) / 2:
        rows = [row for row in rows if row not in alone]
        left_out.setdefault("headings or remarks", []).extend(row.number for row in alone)
    return rows, {why: numbers for why, numbers in left_out.items() if numbers}


def _row(line: Line, places: Mapping[str, int], width: int) -> Row:
    cells = [*line.cells, *[""] * width]
    by_column = {column: cells[place] for column, place in places.items()}
    return Row(line.number, by_column, any(line.cells[width:]))


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
    return "has question marks where letters were" if _LOST_LETTERS.search(text) else ""


def rows_in_words(numbers: Iterable[int]) -> str:
    """Return a phrase such as "row 8", "rows 12-41" or "rows 3, 5, 9-12"."""
    runs = groupby(enumerate(sorted(numbers)), lambda pair: pair[1] - pair[0])
    ranges = [[number for _, number in run] for _, run in runs]
    words = ", ".join("-".join(map(str, dict.fromkeys([run[0], run[-1]]))) for run in ranges)
    return f"row {words}" if words.isdecimal() else f"rows {words}"


def group_faults(faults: Iterable[tuple[str, int, str]]) -> list[str]:
    """Return a sentence with all rows for each different fault in (fault, row number, name)."""
    rows_by_fault: dict[str, list[tuple[int, str]]] = {}
    for fault, number, name in faults:
        rows_by_fault.setdefault(fault, []).append((number, name[:200]))
    sentences = []
    for fault, rows in rows_by_fault.items():
        name = f" ({rows[0][1]})" if len(rows) == 1 and rows[0][1] else ""
        sentences.append(f"{fault}: {rows_in_words(number for number, _ in rows)}{name}.")
    return sentences


def first_findings(findings: Sequence[str]) -> list[str]:
    more = len(findings) - MAX_FINDINGS
    return [*findings[:MAX_FINDINGS], *([f"And {more} more."] if more > 0 else [])]


class TableForm(forms.Form):
    """A file. When valid, the form has its `rows`, and `notes` for the user."""

    synonyms: ClassVar[Synonyms]
    required_column: ClassVar[str]
    named_by: ClassVar[Collection[str]]
    labels: ClassVar[Mapping[str, str]]  # of columns for which the user may choose a heading
    limit: ClassVar[str]  # how many rows, in words
    required_css_class = "required"

    file = forms.FileField(widget=forms.FileInput(attrs={"accept": ACCEPTED}))
    sheet = forms.CharField(
        required=False, help_text="Of a workbook. Leave empty for the first visible one."
    )
    check = forms.BooleanField(label="Let me choose the columns", required=False)

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.notes: list[str] = []
        limits = f"at most {MAX_MB} MB and {self.limit}"
        self.fields["file"].help_text = f"An Excel workbook (.xlsx) or a CSV file of {limits}."
        for column, label in self.labels.items():
            self.fields[f"column-{column}"] = forms.CharField(
                label=label, required=False, widget=forms.Select
            )

    def read_rows(self, table: Table) -> list[dict[str, Any]]:
        """Return the rows of a table. Raises TableFault with the faults of all rows."""
        raise NotImplementedError("Subclasses must provide a read_rows() method.")

    @property
    def file_fields(self) -> list[forms.BoundField]:
        return [field for field in self if not field.name.startswith("column-")]

    @property
    def column_fields(self) -> list[forms.BoundField]:
        return [self[f"column-{column}"] for column in self.labels]

    def clean(self) -> None:
        file = self.cleaned_data.get("file")
        if file and file.size > MAX_MB * 1024**2:
            self.add_error("file", f"The file is larger than {MAX_MB} MB.")
        elif file:
            self.read(file.read())

    def read(self, content: bytes, field: str = "file") -> None:
        """Set `rows` and `notes`, or add the faults of all rows as errors of a field."""
        chosen = ((column, self.cleaned_data[f"column-{column}"]) for column in self.labels)
        mapping = {column: heading for column, heading in chosen if heading}
        sheet, headings = self.cleaned_data["sheet"], list[str]()
        try:
            table = read_table(
                content,
                self.synonyms,
                self.required_column,
                self.named_by,
                mapping=mapping,
                sheet=sheet,
            )
            headings, self.notes = table.headings, table.notes
            if self.cleaned_data["check"] and not mapping:
                raise TableFault(
                    "Choose the columns below, and a file once more: browsers don't keep it."
                )
            self.rows = self.read_rows(table)
        except TableFault as fault:
            self.add_error(field, ValidationError(first_findings(fault.findings)))
            headings = fault.headings or headings
        if headings:
            choices = [("", "As recognised"), ("-", "None")]
            for bound in self.column_fields:
                bound.field.widget.choices = [*choices, *((name, name) for name in headings)]
