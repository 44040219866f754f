"""Catalogue files for tests, as text and as Excel workbooks."""

import csv
import io

from openpyxl import Workbook

HEADER = "code,name,order"
GOOD = "BOT,B.Sc. Botany,10"


def file(*rows, header=HEADER):
    return "\n".join([header, *rows, ""]).encode()


def workbook_of(rows, *others):
    """Return a workbook with these rows in its first sheet, and empty sheets of other names."""
    book = Workbook(write_only=True)
    sheet = book.create_sheet("Courses")
    for row in rows:
        sheet.append(row)
    for name in others:
        book.create_sheet(name)
    content = io.BytesIO()
    book.save(content)
    return content.getvalue()


def workbook(text):
    """Return a workbook with the cells of a CSV file; numbers are numbers, as people type them."""
    rows = csv.reader(io.StringIO(text.decode(), newline=""))
    return workbook_of([[int(cell) if cell.isdecimal() else cell for cell in row] for row in rows])
