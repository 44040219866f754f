"""CSV that a spreadsheet shows and never executes. Pure functions."""

from __future__ import annotations

import csv
import unicodedata
from collections.abc import Iterable, Iterator, Sequence
from typing import Any

# With one of these a cell becomes a formula, or something that a formula hides in.
EXECUTED = frozenset("=+-@\t\r\n＝＋－＠")
# Spaces, controls and invisible signs, which some programs pass over at the beginning of a cell.
PASSED_OVER = frozenset({"Zs", "Zl", "Zp", "Cc", "Cf"})
# Without it Excel reads UTF-8 as something else, and no name in Hindi is a name any more.
BYTE_ORDER_MARK = "\ufeff"


def harmless(cell: Any) -> Any:
    """Return the cell with an apostrophe before a text that a spreadsheet would execute.

    A number is left alone: it is ours, and -0.5 has to stay one.
    """
    if not isinstance(cell, str):
        return cell
    start = 0
    while start < len(cell) and unicodedata.category(cell[start]) in PASSED_OVER:
        if cell[start] in EXECUTED:
            return f"'{cell}"
        start += 1
    return f"'{cell}" if cell[start : start + 1] in EXECUTED else cell


class _Line:
    """What csv.writer writes to: it hands each line back."""

    def write(self, line: str) -> str:
        return line


def csv_lines(header: Sequence[str], rows: Iterable[Sequence[Any]]) -> Iterator[str]:
    """Yield the lines of a CSV file in UTF-8 with a byte order mark, each cell in quotes."""
    writer = csv.writer(_Line(), quoting=csv.QUOTE_ALL, lineterminator="\r\n")
    yield BYTE_ORDER_MARK + writer.writerow(header)
    for row in rows:
        yield writer.writerow([harmless(cell) for cell in row])
