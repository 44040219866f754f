"""A catalogue file: rows out, or every fault with its line."""

import csv
import io
import zipfile
from datetime import date

import hypothesis
import pytest
from hypothesis import given
from hypothesis import strategies as st

from assessments.content import table_file
from assessments.content.courses_file import CatalogueFault, parse
from tests.assessments.catalogues import GOOD, HEADER, file, workbook, workbook_of


def faults(content):
    with pytest.raises(CatalogueFault) as refused:
        parse(content)
    assert str(refused.value) == "\n".join(refused.value.findings)
    return refused.value.findings


SPELLINGS = {
    "mark": b"\xef\xbb\xbf" + file(GOOD),
    "crlf": file(GOOD).replace(b"\n", b"\r\n"),
    "blank lines": file(GOOD, "", ",,", "  ,,"),
    "spaces": file(" BOT , B.Sc. Botany , 10 "),
    "more columns": file(f"{GOOD},x,y", header=f"{HEADER},campus,remarks"),
    "capitals": file(GOOD, header=HEADER.title()),
    "tabs": file('"BOT"\t"B.Sc. Botany"\t10', header=HEADER.replace(",", "\t")),
    "tabs in UTF-16": file(GOOD, header=HEADER).decode().replace(",", "\t").encode("utf-16"),
    "workbook with empty rows": workbook(file(GOOD, "", ",,")),
    "workbook of texts": workbook_of(csv.reader([HEADER, GOOD]), "Fees", "Teachers"),
}


@pytest.mark.parametrize("content", SPELLINGS.values(), ids=SPELLINGS)
def test_spellings_of_the_same_file(content):
    assert parse(content) == parse(file(GOOD))


@pytest.mark.parametrize(
    ("row", "fault"),
    [
        (",Botany,1", "code is empty."),
        (f"{'x' * 33},Botany,1", "code is longer than 32 characters."),
        ("B\0T,Botany,1", "code holds a character that can't be shown (U+0000,"),
        ("BOT,Botany,1.5", "order is '1.5', it must be a whole number 0-100000."),
        ("BOT,Botany,100001", "order is '100001', it must be"),
        ("BOT,Botany,1,5", "it has more fields than the header."),
    ],
)
def test_a_bad_row_is_named_with_its_line(row, fault):
    findings = faults(file(GOOD.replace("BOT", "OK"), row))

    assert any(finding.startswith(f"Line 3: {fault}") for finding in findings), findings


def test_every_fault_of_every_row_is_named_at_once():
    findings = faults(file("BOT,,x", GOOD, "ZOO,Zoology,9999999"))

    assert findings == [
        "Line 2: name is empty.",
        "Line 2: order is 'x', it must be a whole number 0-100000.",
        "Line 4: order is '9999999', it must be a whole number 0-100000.",
        "Lines 2 and 3 both have the code BOT. Give each course its own.",
    ]


@pytest.mark.parametrize(
    ("content", "fault"),
    [
        (b"", "The header lacks code, name, order."),
        (file(GOOD, header=HEADER.replace(",", "|")), "The header lacks code, name"),
        (file(GOOD).decode().encode("utf-16")[:-1], "The file is not UTF-8 text"),
        (file("X,B\xe9").decode().encode("latin-1"), "The file is not UTF-8 text"),
        (file(f"{GOOD},Other", header=f"{HEADER},name"), "The header has name more than once."),
        (file('BOT,"Botany,1'), "Line 2: not readable as CSV"),
    ],
)  # fmt: skip
def test_a_file_that_cannot_be_read(content, fault):
    assert any(finding.startswith(fault) for finding in faults(content))


LEVELS = (
    "numerical_level,numerical_importance,abstract_level,abstract_importance,verbal_level,"
    "verbal_importance"
)


def with_cells(columns, *rows):
    return file(*rows, header=f"{HEADER},{columns}")


@pytest.mark.parametrize(
    ("columns", "cells", "same"),
    [
        (LEVELS, "Basic,1,,,,", "basic,1,none,0,none,0"),
        ("entry_level,streams,delivery", "CLASS-12,Arts;arts,Group", "class-12,arts,group"),
    ],
)
def test_spellings_of_the_same_facts(columns, cells, same):
    one, other = (parse(with_cells(columns, f"{GOOD},{each}")) for each in (cells, same))

    assert one == other


@pytest.mark.parametrize(
    ("columns", "cells", "fault"),
    [
        (LEVELS, "high,1,,,,", "numerical_level has 'high', it must be one of: none, basic, avera"),
        (LEVELS, ",,basic,3,,", "abstract_importance is '3', it must be 0, 1 or 2."),
        (LEVELS, ",,,,basic,0", "verbal_level is basic and verbal_importance is 0; none goes with"),
        (LEVELS, ",,,,none,1", "verbal_level is none and verbal_importance is 1; none goes with 0"),
        ("entry_level", "class 12", "entry_level has 'class 12', it must be one of: class-10, cl"),
        ("delivery", "group;labs", "delivery has 'labs', it must be one of: alone, group, doing"),
        ("fields", "botany", "fields has 'botany', it must be one of: machines, building"),
        ("fields", "art;design;writing;media", "fields has 4 fields; give at most 3."),
    ],
)
def test_a_bad_fact_is_named_with_its_line(columns, cells, fault):
    good = "OK" + GOOD + "," * (columns.count(",") + 1)

    [finding] = faults(with_cells(columns, good, f"{GOOD},{cells}"))

    assert finding.startswith(f"Line 3: {fault}")


@hypothesis.settings(deadline=None)
@given(st.binary(max_size=200) | st.text(max_size=200).map(lambda text: file(text)))
def test_any_file_is_read_or_refused_in_words(content):
    try:
        rows = parse(content)
    except CatalogueFault as fault:
        assert fault.findings
        assert all(isinstance(finding, str) for finding in fault.findings)
    else:
        assert all(row["code"] and row["name"] for row in rows)


def test_a_fault_in_a_workbook_is_named_with_its_row():
    cells = ["BOT", "Botany", 1.5, None, True, date(2026, 3, 1)]
    rows = [["Code", "Name", "Order", "Department", "About", "Entry level"], [], cells]

    findings = faults(workbook_of(rows))

    assert findings == [
        "Row 3: entry_level is a date, 2026-03-01. Format the cell as text, and type it again.",
        "Row 3: order is '1.5', it must be a whole number 0-100000.",
        "Row 3: entry_level has '2026-03-01', it must be one of: class-10, class-12, degree.",
    ]


def with_part(name, content):
    """Return a workbook one part of which is replaced."""
    old, new = zipfile.ZipFile(io.BytesIO(workbook(file(GOOD)))), io.BytesIO()
    with zipfile.ZipFile(new, "w", zipfile.ZIP_DEFLATED) as archive:
        for part in old.infolist():
            archive.writestr(part.filename, content if part.filename == name else old.read(part))
    return new.getvalue()


SHEET = "xl/worksheets/sheet1.xml"
FAR_DOWN = (
    b'<worksheet xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"><sheetData>'
    b'<row r="1048576"><c r="XFD1048576" t="inlineStr"><is><t>x</t></is></c></row>'
    b"</sheetData></worksheet>"
)
ENTITIES = b"""<!DOCTYPE x [<!ENTITY a "aaaaaaaaaa"><!ENTITY b "&a;&a;&a;&a;&a;&a;&a;&a;&a;&a;">
<!ENTITY c "&b;&b;&b;&b;&b;&b;&b;&b;&b;&b;"><!ENTITY d "&c;&c;&c;&c;&c;&c;&c;&c;&c;&c;">
<!ENTITY e "&d;&d;&d;&d;&d;&d;&d;&d;&d;&d;"><!ENTITY f "&e;&e;&e;&e;&e;&e;&e;&e;&e;&e;">
<!ENTITY g "&f;&f;&f;&f;&f;&f;&f;&f;&f;&f;"><!ENTITY h "&g;&g;&g;&g;&g;&g;&g;&g;&g;&g;">
]><worksheet><sheetData><row r="1"><c t="inlineStr"><is><t>&h;</t></is></c></row></sheetData>
</worksheet>"""


HOSTILE = {
    "bomb": (with_part(SHEET, b" " * (table_file.MOST_UNPACKED_BYTES + 1)), "The workbook is too "),
    "far down": (with_part(SHEET, FAR_DOWN), "The sheet has more than 100,000 rows, most of them"),
    "entities": (with_part(SHEET, ENTITIES), "The workbook can't be read."),
    "no sheets": (with_part("xl/workbook.xml", b"<x/>"), "The workbook can't be read."),
    "empty": (workbook(b""), "The header lacks code, name, order."),
    "cut off": (b"PK\x03\x04", "The workbook can't be read."),
    "old": (b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1", "This is an Excel 97-2003 workbook (.xls)."),
}


@pytest.mark.slow
@pytest.mark.parametrize(("content", "says"), HOSTILE.values(), ids=HOSTILE)
def test_a_hostile_or_foreign_workbook_is_refused_in_words(content, says):
    (fault,) = faults(content)

    assert fault.startswith(says)
