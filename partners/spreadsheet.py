"""Write CSV files in which no spreadsheet finds a formula, and read them again. Pure functions."""

import csv
import unicodedata
from collections.abc import Iterable, Iterator, Sequence
from typing import Any

# A cell that begins with one of these is, or may hide, a formula.
FORMULA_STARTS = frozenset("=+-@\t\r\n＝＋－＠")
# Unicode categories (spaces, control and format characters) that some programs skip at the
# beginning of a cell.
SKIPPED = frozenset({"Zs", "Zl", "Zp", "Cc", "Cf"})
# Without it Excel does not recognise UTF-8 and garbles names in Hindi.
BYTE_ORDER_MARK = "\ufeff"


def harmless(cell: Any) -> Any:
    """Return the cell, with an apostrophe before text that a spreadsheet would execute."""
    if not isinstance(cell, str):
        return cell
    for character in cell:
        if character in FORMULA_STARTS:
            return f"'{cell}"
        if unicodedata.category(character) not in SKIPPED:
            break
    return cell


def without_guard(cell: str) -> str:
    """Return the cell as it was before `harmless`."""
    bare = cell[1:]
    return bare if cell.startswith("'") and harmless(bare) == cell else cell


class _Line:
    def write(self, line: str) -> str:
        return line


def csv_lines(header: Sequence[str], rows: Iterable[Sequence[Any]]) -> Iterator[str]:
    """Yield the lines of a CSV file: a byte order mark, then every cell in quotes."""
    writer = csv.writer(_Line(), quoting=csv.QUOTE_ALL, lineterminator="\r\n")
    yield BYTE_ORDER_MARK + writer.writerow(header)
    for row in rows:
        yield writer.writerow([harmless(cell) for cell in row])
