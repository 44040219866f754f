"""Write files in which no spreadsheet finds a formula, and read their cells again."""

import csv
import io
import re
import unicodedata
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

# A cell that begins with one of these is, or may hide, a formula.
FORMULA_STARTS = frozenset("=+-@\t\r\n＝＋－＠")
# Unicode categories (spaces, control and format characters) that some programs skip at the
# beginning of a cell.
SKIPPED = frozenset({"Zs", "Zl", "Zp", "Cc", "Cf"})
# A telephone number: as a formula, it is the number itself.
PLUS_AND_DIGITS = re.compile(r"\+[0-9]+")
# Without it Excel does not recognise UTF-8 and garbles names in Hindi.
BYTE_ORDER_MARK = "\ufeff"
CONTENT_TYPES = {
    "csv": "text/csv; charset=utf-8",
    "xlsx": "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
}


def harmless(cell: Any) -> Any:
    """Return the cell, with an apostrophe before text that a spreadsheet would execute."""
    if not isinstance(cell, str) or PLUS_AND_DIGITS.fullmatch(cell):
        return cell
    return f"'{cell}" if _begins_a_formula(cell) else cell


def without_guard(cell: str) -> str:
    """Return the cell without the apostrophe of `harmless`, or of who typed +91 into Excel."""
    bare = cell[1:]
    return bare if cell.startswith("'") and _begins_a_formula(bare) else cell


def _begins_a_formula(cell: str) -> bool:
    for character in cell:
        if character in FORMULA_STARTS:
            return True
        if unicodedata.category(character) not in SKIPPED:
            break
    return False


class _Line:
    def write(self, line: str) -> str:
        return line


def csv_lines(header: Sequence[str], rows: Iterable[Sequence[Any]]) -> Iterator[str]:
    """Yield the lines of a CSV file: a byte order mark, then every cell in quotes."""
    writer = csv.writer(_Line(), quoting=csv.QUOTE_ALL, lineterminator="\r\n")
    yield BYTE_ORDER_MARK + writer.writerow(header)
    for row in rows:
        yield writer.writerow([harmless(cell) for cell in row])


def text_workbook(sheets: Mapping[str, Iterable[Sequence[str]]]) -> io.BytesIO:
    """Return an Excel workbook by the titles of its sheets. As texts, cells need no apostrophe."""
    # Imported here: few web processes ever need it.
    from openpyxl import Workbook
    from openpyxl.cell import WriteOnlyCell

    book, content = Workbook(write_only=True), io.BytesIO()
    for title, rows in sheets.items():
        sheet = book.create_sheet(title)
        for row in rows:
            cells = [WriteOnlyCell(sheet, value=text) for text in row]
            for cell in cells:
                cell.data_type, cell.number_format = "s", "@"  # no formula, and zeros stay
            sheet.append(cells)
    book.save(content)
    content.seek(0)
    return content
