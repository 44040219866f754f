"""Catalogue files for tests, as text and as Excel workbooks, and what is wrong with them."""

import csv
import io

import pytest
from openpyxl import Workbook

from assessments.catalogue.course_rows import COURSES, parse
from assessments.catalogue.headers import Choices, read_table
from assessments.catalogue.workbook import TableFault

HEADER = "code,name,order"
GOOD = "BOT,B.Sc. Botany,10"


def file(*rows, header=HEADER):
    return "\n".join([header, *rows, ""]).encode()


def workbook_of(rows, *others):
    """Return a workbook with these rows in its first sheet, and empty sheets of other names."""
    return sheets(Courses=rows, **dict.fromkeys(others, ()))


def workbook(text):
    """Return a workbook with the cells of a CSV file; numbers are numbers, as people type them."""
    rows = csv.reader(io.StringIO(text.decode(), newline=""))
    return workbook_of([[int(cell) if cell.isdecimal() else cell for cell in row] for row in rows])


def sheets(**rows_by_title):
    book = Workbook(write_only=True)
    for title, rows in rows_by_title.items():
        sheet = book.create_sheet(title)
        for row in rows:
            sheet.append(row)
    content = io.BytesIO()
    book.save(content)
    return content.getvalue()


def table_of(content, **choices):
    return read_table(content, COURSES, Choices(**choices))


def faults(content, **choices):
    with pytest.raises(TableFault) as refused:
        parse(content, Choices(**choices))
    assert str(refused.value) == "\n".join(refused.value.findings)
    return refused.value.findings
