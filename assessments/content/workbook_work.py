"""How much work an Excel workbook makes, found before openpyxl sees it; and which rows it hides.

A part of a few kilobytes unpacks to millions of elements, each of which becomes an object. So the
elements are counted while each part is unpacked, and those of a sheet by an event parser, which
keeps none of them.
"""

from __future__ import annotations

import posixpath
import zipfile
from typing import IO
from xml.sax import ContentHandler
from xml.sax.xmlreader import AttributesImpl

from defusedxml.ElementTree import fromstring
from defusedxml.sax import parse

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
_BLOCK = 64 * 1024


class TooMuchWork(Exception):
    """The workbook would take more memory and time than any list of courses."""


def check_work(archive: zipfile.ZipFile) -> None:
    """Raise TooMuchWork if openpyxl should not read this workbook."""
    parts = archive.infolist()
    if len(parts) > MOST_PARTS or sum(part.file_size for part in parts) > MOST_UNPACKED_BYTES:
        raise TooMuchWork
    for part in parts:
        most = [most for name, most in MOST_OF_CELLS.items() if part.filename.startswith(name)]
        _check_part(archive, part, most[0] if most else MOST_OTHERS)
    # openpyxl takes these from wherever the list of parts says, so perhaps from a large part.
    for name in (_book(archive), _relations_of(_book(archive))):
        _check_part(archive, archive.getinfo(name), MOST_SHEETS_AND_NAMES)


def _check_part(archive: zipfile.ZipFile, part: zipfile.ZipInfo, most: int) -> None:
    elements = 0
    with archive.open(part) as opened:
        block = opened.read(_BLOCK)
        if b"<!DOCTYPE" in block:
            raise TooMuchWork
        while block:
            # An end may be cut in two by a block, which counts it as an element more.
            elements += block.count(b"<") - block.count(b"</")
            if elements > most:
                raise TooMuchWork
            block = opened.read(_BLOCK)


def hidden_rows(archive: zipfile.ZipFile, title: str) -> set[int]:
    """Return the numbers of a sheet's hidden rows. Raise TooMuchWork for a row of too much."""
    book = _book(archive)
    (key,) = (
        value
        for sheet in fromstring(archive.read(book)).findall(".//{*}sheet")
        if sheet.get("name") == title
        for name, value in sheet.items()
        if name.endswith("}id")
    )
    (target,) = (
        each.get("Target")
        for each in fromstring(archive.read(_relations_of(book)))
        if each.get("Id") == key
    )
    path = posixpath.normpath(posixpath.join("/", posixpath.dirname(book), target))
    with archive.open(path.lstrip("/")) as opened:
        return _hidden(opened)


def _hidden(sheet: IO[bytes]) -> set[int]:
    rows = _Rows()
    parse(sheet, rows)
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
                raise TooMuchWork
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
            raise TooMuchWork

    def endElement(self, name: str) -> None:  # noqa: N802  as xml.sax calls it
        if name.rpartition(":")[2] == "row":
            self._in_row = False


def _book(archive: zipfile.ZipFile) -> str:
    """Return the part that lists the sheets, as the list of parts says."""
    parts = fromstring(archive.read("[Content_Types].xml"))
    (name,) = {
        part.get("PartName")
        for part in parts
        if part.get("PartName") and part.get("ContentType", "").endswith("main+xml")
    }
    return str(name).lstrip("/")


def _relations_of(part: str) -> str:
    folder, name = posixpath.split(part)
    return f"{folder}/_rels/{name}.rels"
