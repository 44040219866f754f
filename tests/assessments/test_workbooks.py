"""Workbooks: read as they are seen, or refused in words before they cost too much."""

import io
import zipfile
from datetime import date

import pytest
from openpyxl import Workbook

from assessments.catalogue import workbook as workbook_module
from assessments.catalogue.course_rows import parse
from assessments.catalogue.headers import Choices
from assessments.catalogue.workbook import MAX_UNPACKED_BYTES
from tests.assessments.catalogues import GOOD, faults, file, sheets, table_of, workbook, workbook_of


def test_a_fault_in_a_workbook_is_named_with_its_row():
    cells = [date(2026, 3, 1), "Botany", 1.5, None, True]
    rows = [["Code", "Name", "Order", "Department", "About"], [], cells]

    findings = faults(workbook_of(rows))

    assert findings == [
        "Code is the date 2026-03-01, which a spreadsheet program made of it: row 3 (Botany).",
        "Order is “1.5”, not a whole number: row 3 (Botany).",
    ]


def with_part(name, content, book=None):
    """Return a workbook, by default a good one, in which one part is replaced or added."""
    old, new = zipfile.ZipFile(io.BytesIO(book or workbook(file(GOOD)))), io.BytesIO()
    with zipfile.ZipFile(new, "w", zipfile.ZIP_DEFLATED) as archive:
        for part in old.infolist():
            if part.filename != name:
                archive.writestr(part.filename, old.read(part))
        archive.writestr(name, content)
    return new.getvalue()


SHEET = "xl/worksheets/sheet1.xml"
FAR_DOWN = (
    b'<worksheet xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"><sheetData>'
    b'<row r="1048576"><c r="XFD1048576" t="inlineStr"><is><t>x</t></is></c></row>'
    b"</sheetData></worksheet>"
)


def of_sheet_data(cells, before=b""):
    space = b"http://schemas.openxmlformats.org/spreadsheetml/2006/main"
    sheet = b'<worksheet xmlns="%b"><sheetData>%b</sheetData></worksheet>' % (space, cells)
    return with_part(SHEET, before + sheet)


def of_sheets(count):
    """Return a workbook that names its sheet so many times."""
    archive = zipfile.ZipFile(io.BytesIO(workbook(file(GOOD))))
    names = b"".join(b'<sheet name="S%d" sheetId="%d"/>' % (n, n) for n in range(2, count))
    book = archive.read("xl/workbook.xml")
    return with_part("xl/workbook.xml", book.replace(b"</sheets>", names + b"</sheets>"))


def nested_zip():
    inner = io.BytesIO()
    with zipfile.ZipFile(inner, "w") as archive:
        archive.writestr("zeros", bytes(MAX_UNPACKED_BYTES))
    return with_part("xl/embeddings/book.xlsx", inner.getvalue())


ENTITIES = b"""<!DOCTYPE x [<!ENTITY a "aaaaaaaaaa"><!ENTITY b "&a;&a;&a;&a;&a;&a;&a;&a;&a;&a;">
<!ENTITY c "&b;&b;&b;&b;&b;&b;&b;&b;&b;&b;"><!ENTITY d "&c;&c;&c;&c;&c;&c;&c;&c;&c;&c;">
<!ENTITY e "&d;&d;&d;&d;&d;&d;&d;&d;&d;&d;"><!ENTITY f "&e;&e;&e;&e;&e;&e;&e;&e;&e;&e;">
<!ENTITY g "&f;&f;&f;&f;&f;&f;&f;&f;&f;&f;"><!ENTITY h "&g;&g;&g;&g;&g;&g;&g;&g;&g;&g;">
]><worksheet><sheetData><row r="1"><c t="inlineStr"><is><t>&h;</t></is></c></row></sheetData>
</worksheet>"""


TOO_LARGE = "The workbook is too large."
LONG = b"x" * 8_000_000
HOSTILE = {
    "bytes": (with_part(SHEET, b" " * (MAX_UNPACKED_BYTES + 1)), TOO_LARGE),
    "cells": (of_sheet_data(b"<row>" + b"<c/>" * 5_200_000 + b"</row>"), TOO_LARGE),
    "rows": (of_sheet_data(b"<row/>" * 100_001), TOO_LARGE),
    "rules": (of_sheet_data(b"</sheetData>" + b"<dataValidation/>" * 100_001), TOO_LARGE),
    "strings": (with_part("xl/sharedStrings.xml", b"<sst>" + b"<si/>" * 700_001), TOO_LARGE),
    "styles": (with_part("xl/styles.xml", b"<styleSheet>" + b"<xf/>" * 100_000), TOO_LARGE),
    "another encoding": (
        of_sheet_data(b"", b"<?xml version='1.0' encoding='cp037'?>"),
        "The workbook can't be read.",
    ),
    "DTD": (of_sheet_data(b"", b"<!DOCTYPE worksheet SYSTEM 'https://example.com/'>"), TOO_LARGE),
    "sheets": (of_sheets(2_002), TOO_LARGE),
    "nested zips": (nested_zip(), TOO_LARGE),
    "truncated": (workbook(file(GOOD))[:-40], "The workbook can't be read."),
    "far down": (with_part(SHEET, FAR_DOWN), TOO_LARGE),
    "entities": (with_part(SHEET, ENTITIES), TOO_LARGE),
    "entities without a word of it": (
        with_part(SHEET, b"<!--%b-->" % bytes(70_000).replace(b"\0", b"-x") + ENTITIES),
        TOO_LARGE,
    ),
    "no sheets": (with_part("xl/workbook.xml", b"<x/>"), "The workbook can't be read."),
    "attribute": (of_sheet_data(b'<row x="%b"/>' % LONG), TOO_LARGE),
    "element": (of_sheet_data(b"<%b/>" % LONG), TOO_LARGE),
    "comment": (of_sheet_data(b"<!--%b-->" % LONG), TOO_LARGE),
    "instruction": (of_sheet_data(b"<?x %b?>" % LONG), TOO_LARGE),
    "open tag": (of_sheet_data(b'<row x="%b' % LONG), "The workbook can't be read."),
    "broken tag": (of_sheet_data(b'<row x="%b"<' % LONG), "The workbook can't be read."),
    "empty": (workbook(b""), "The file is empty."),
    "cut off": (b"PK\x03\x04", "The workbook can't be read."),
    "old": (b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1", "This is an Excel 97-2003 workbook (.xls)."),
}


@pytest.mark.parametrize(("content", "says"), HOSTILE.values(), ids=HOSTILE)
def test_a_hostile_or_foreign_workbook_is_refused_in_words(content, says):
    (fault,) = faults(content)

    assert fault.startswith(says)


def test_what_only_one_of_two_sheets_has_is_read():
    one = [["Course", "Branch"], ["B.Sc.", "Botany"], ["B.Sc.", "Zoology"]]
    two = [["Course"], ["M.A."], ["M.B.A."]]
    for chosen in ({"UG": one, "PG": two}, {"UG": two, "PG": one}):
        read = parse(sheets(**chosen), Choices(sheets=["UG", "PG"]))
        assert {row["name"] for row in read} == {"B.Sc. Botany", "B.Sc. Zoology", "M.A.", "M.B.A."}


@pytest.mark.parametrize("content", [b"\n\n", b"name" + b"," * 800 + b"x\nBotany\n"])
def test_choices_of_a_file_without_lines_or_with_too_many_columns(content):
    for header in (None, 0, 1):
        assert faults(content, header=header)


def test_a_picture_in_a_workbook_is_passed_over():
    picture = b"\x89PNG\r\n\x1a\n" + bytes(70_000)

    assert parse(with_part("xl/media/image1.png", picture)) == parse(workbook(file(GOOD)))


def of_sheet(*rows, hidden=(), formats=None, title="Courses"):
    """Return a workbook with a hidden sheet before this one."""
    book = Workbook()
    book.active.title, book.active.sheet_state = "Old", "hidden"
    book.active.append(["Code", "Name"])
    sheet = book.create_sheet(title)
    for row in rows:
        sheet.append(row)
    for number in hidden:
        sheet.row_dimensions[number].hidden = True
    for cell, shown in (formats or {}).items():
        sheet[cell].number_format = shown
    book.active = 1
    content = io.BytesIO()
    book.save(content)
    return content.getvalue()


def test_a_workbook_is_read_as_it_is_seen():
    rows = [["Code", "Name"], [1, "Botany"], [2, "Zoology"], [1e10, "Law"], [True, "Art"]]
    content = of_sheet(*rows, hidden=[3], formats={"A2": "000", "A4": "0.00E+00"})

    assert faults(content) == [
        "Code is the number 1E+10, which a spreadsheet program made of it: row 4 (Law).",
        "Code is TRUE, which a spreadsheet program made of it: row 5 (Art).",
    ]
    table = table_of(of_sheet(*rows[:3], hidden=[3], formats={"A2": "000"}))
    assert [row["code"] for row in table.values] == ["001"]
    assert table.notes[:2] == ["Sheet Courses, not Old.", "Hidden rows were left out: 3."]


def test_a_text_that_many_cells_share_is_too_large():
    space = "http://schemas.openxmlformats.org/spreadsheetml/2006/main"
    kind = "application/vnd.openxmlformats-officedocument.spreadsheetml.sharedStrings+xml"
    text = f'<sst xmlns="{space}"><si><t> {"x" * 30_000}</t></si></sst>'.encode()
    book = of_sheet_data(b'<row><c t="s"><v>0</v></c></row>' * 800)
    types = zipfile.ZipFile(io.BytesIO(book)).read("[Content_Types].xml").decode()
    part = f'<Override PartName="/xl/sharedStrings.xml" ContentType="{kind}"/></Types>'
    book = with_part("[Content_Types].xml", types.replace("</Types>", part).encode(), book)

    content = with_part("xl/sharedStrings.xml", text, book)

    assert len(content) < 20_000
    assert faults(content)[0].startswith(TOO_LARGE)


def test_a_remark_beside_the_table_refuses_no_workbook():
    [row] = parse(sheets(Courses=[["Name"], ["Botany", "", "", "provisional"]]))

    assert row == {"name": "Botany"}


def test_hidden_rows_do_not_take_the_place_of_others(monkeypatch):
    monkeypatch.setattr(workbook_module, "MAX_ROWS", 3)
    monkeypatch.setattr(workbook_module, "HEADER_WITHIN", 1)
    rows = [["Name"], *([f"Course {number}"] for number in range(5))]

    assert len(parse(of_sheet(*rows, hidden=[2, 3]))) == 3
    assert faults(of_sheet(*rows))[0].startswith("There are more than 3 rows")
    assert faults("\n".join(name for [name] in rows).encode())
