"""A catalogue file: rows out, or every fault with its line."""

import csv

import pytest
from hypothesis import given
from hypothesis import strategies as st

from assessments.catalogue.course_rows import LABELS, parse
from assessments.catalogue.headers import NAME_PART, Choices
from assessments.catalogue.workbook import TableFault
from tests.assessments.catalogues import (
    GOOD,
    HEADER,
    faults,
    file,
    sheets,
    table_of,
    workbook,
    workbook_of,
)

SPELLINGS = {
    "mark": b"\xef\xbb\xbf" + file(GOOD),
    "crlf": file(GOOD).replace(b"\n", b"\r\n"),
    "blank lines": file(GOOD, "", ",,", "  ,,"),
    "pipes": file(GOOD, header=HEADER).replace(b",", b"|"),
    "a named separator": b"sep=;\r\n" + file(GOOD, header=HEADER).replace(b",", b";"),
    "UTF-16 without a mark": file(GOOD, header=HEADER).decode().encode("utf-16-le"),
    "spaces before a quote": file('BOT, "B.Sc. Botany", 10'),
    "line breaks and entities": file(
        'BOT,"B.Sc.\n\u00a0Bot&shy;any\u200b",1.0e1'.replace("1.0e1", "10.0")
    ),
    "title rows": b"Courses of 2026,,\n,,\n" + file(GOOD),
    "a header of two rows": b"Course,,Serial\nCode,Name,Order\n" + file(GOOD).split(b"\n", 1)[1],
    "other headings": file(GOOD, header="Programme Code,Name of the Course,Order"),
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
        (",Botany,1", "Code is empty: row 3 (Botany)."),
        (f"{'x' * 33},Botany,1", "Code: Ensure this value has at most 32 characters (it"),
        ("B\0T,Botany,1", "Code: The text contains a character that can't be shown (U+0000,"),
        ("BOT,Botany,1.5", "Order is “1.5”, not a whole number: row 3"),
        ("BOT,Botany,9999999999", "Order is “9999999999”, not a whole number: row 3 (Botany)."),
        ("BOT,Botany,1,5", "There are more cells than headings: row 3 (Botany)."),
        ("1E10,Botany,1", "Code is the number 1E10, which a spreadsheet program made of it: row 3"),
        ("BOT,TRUE,1", "Name is TRUE, which a spreadsheet program made of it: row 3"),
        ("#N/A,Botany,1", "Code is the error #N/A: row 3 (Botany)."),
        ("BOT,??? ????,1", "Name has question marks where letters were: row 3"),
        ("ok,Botany,1", "Rows 2-3 have the same code, OK or ok. Give each course its own."),
    ],
)
def test_a_bad_row_is_named_with_its_row_and_name(row, fault):
    findings = faults(file(GOOD.replace("BOT", "OK"), row))

    assert any(finding.startswith(fault) for finding in findings), findings


def test_every_fault_of_every_row_is_named_at_once():
    findings = faults(with_cells("fields", "BOT,,x", GOOD, "ZOO,Zoology,9,x"))

    assert findings == [
        "Name is empty: row 2.",
        "Order is “x”, not a whole number: row 2.",
        "Fields of work has “x”, which is unknown: row 4 (Zoology).",
        "Rows 2-3 have the same code, BOT. Give each course its own.",
    ]


@pytest.mark.parametrize(
    ("content", "fault"),
    [
        (b"", "The file is empty."),
        (file("1,2", header="Kurs,Fee"), "No column for the name was found, such as Name, Course"),
        (file("1,2", header="Roll,Marks"), "No column for the name was found"),
        (b"<html><table><tr><td>Name</td></tr></table></html>", "This is a web page"),
        (file(GOOD).decode().encode("utf-16")[:-1], "The file is not UTF-8 text"),
        (file("X,B\xe9").decode().encode("latin-1"), "The file is not UTF-8 text"),
        (file(f"{GOOD},Other", header=f"{HEADER},name"), "Several columns are headed “name”."),
        (file('BOT,"Botany,1'), "Line 2: a quotation mark opens there and is never closed."),
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
        ("entry level,streams", "after class 12,PCM;PCMB", "class-12,science-maths;PCMB"),
        ("required_streams", "Science with biology (PCB)", "science-biology"),
        ("Required subjects", "any", ""),
        ("Fields of work", '"Health care, Biology"', "care;life_science"),
    ],
)
def test_spellings_of_the_same_facts(columns, cells, same):
    one, other = (parse(with_cells(columns, f"{GOOD},{each}")) for each in (cells, same))

    assert one == other


@pytest.mark.parametrize(
    ("columns", "cells", "fault"),
    [
        (LEVELS, "high,1,,,,", "Numerical level has “high”, which is unknown"),
        (LEVELS, ",,basic,3,,", "Abstract importance: Value 3 is not a valid choice"),
        (LEVELS, ",,,,basic,0", "Verbal importance: The verbal level and its importance go"),
        (LEVELS, ",,,,none,1", "Verbal level: The verbal level and its importance go together"),
        ("entry_level", "class 9", "Entry level has “class 9”, which is unknown"),
        ("delivery", "group;labs", "Taught has “labs”, which is unknown"),
        ("fields", "botany", "Fields of work has “botany”, which is unknown"),
        ("fields", "art;design;writing;media", "Fields of work: Give at most 3 fields"),
    ],
)
def test_a_bad_fact_is_named_with_its_line(columns, cells, fault):
    good = "OK" + GOOD + "," * (columns.count(",") + 1)

    [finding] = faults(with_cells(columns, good, f"{GOOD},{cells}"))

    assert finding.startswith(fault)
    assert finding.endswith(": row 3 (B.Sc. Botany).")


@given(st.binary(max_size=200) | st.text(max_size=200).map(lambda text: file(text)))
def test_any_file_is_read_or_refused_in_words(content):
    try:
        rows = parse(content)
    except TableFault as fault:
        assert fault.findings
        assert all(isinstance(finding, str) for finding in fault.findings)
    else:
        assert all(row["code"] and row["name"] for row in rows)


def test_names_alone_are_a_catalogue():
    rows = parse("Programme\nB.Sc. Nursing\nबी.एड.\n".encode())

    assert rows == [{"name": "B.Sc. Nursing"}, {"name": "बी.एड."}]


@pytest.mark.parametrize(
    ("columns", "row"),
    [
        ({"code": "Short", "name": "Long"}, {"code": "BOT", "name": "Botany"}),
        ({"code": "B", "name": "c"}, {"code": "BOT", "name": "Botany"}),
        ({"code": "", "name": "Long"}, {"name": "Botany"}),
        ({"name": "A", "order": "Roll"}, {"name": "7", "order": 7}),
    ],
)
def test_a_column_is_chosen_by_its_heading_or_its_letter(columns, row):
    [read] = parse(file("7,BOT,Botany", header="Roll,Short,Long"), Choices(columns=columns))

    assert read == row


def test_a_column_that_was_chosen_and_is_not_there_is_named():
    content = file("7,Botany", header="Roll,Long")
    [fault] = faults(content, columns={"name": "Longer"})
    assert fault == "No column is headed Longer. Row 1 has: Roll, Long."
    assert faults(content, columns={"name": ""})[0].startswith("No column for the name")


@pytest.mark.parametrize("code", ["Code", "B"])  # a heading that looks like a letter
def test_of_columns_with_one_heading_one_is_chosen_by_its_letter(code):
    content = file("1,Botany,Old", header=f"{code},Name,Name")
    assert faults(content)[-1] == "Several columns are headed “Name”. Choose one by its letter."
    assert parse(content, Choices(columns={"name": "B"}))[0]["name"] == "Botany"


@pytest.mark.parametrize(
    "lines",
    [
        ["1,BBA,3 years,Commerce", "2,BCA,3 years,Science", "3,B.Sc. Botany,3 years,Science"],
        ["BBA,3 years", "BCA,3 years", "B.Sc. Botany,3 years"],
    ],
)
def test_a_file_without_headings_loses_no_course(lines):
    content = "\n".join(lines).encode()

    table = table_of(content)
    [fault] = table.faults
    assert fault.startswith("The first line looks like the others")
    assert table.header == 0
    name = table.headings[table.places["name"]]
    rows = parse(content, Choices(header=0, columns={"name": name}))
    assert [row["name"] for row in rows] == ["BBA", "BCA", "B.Sc. Botany"]


def test_the_line_of_the_headings_is_chosen():
    content = b"Name,Code\nTitle,Short\nBotany,BOT\n"

    assert [row["name"] for row in parse(content, Choices(header=2))] == ["Botany"]
    assert faults(content, header=9) == [
        "Row 9 is empty or too far down, so it can't have the headings."
    ]


def test_several_sheets_with_courses_are_chosen_among_and_read_together():
    content = sheets(
        UG=[["Code", "Course"], ["U1", "B.A."], ["U2"]],
        PG=[["Kolej"], ["Course", "Code"], ["M.A.", "P1"], ["", "P2"]],
        Fees=[["Fee"], [12]],
    )

    assert faults(content) == ["Several sheets have a list: UG, PG. Choose which to read."]
    assert faults(content, sheets=["UG", "PG"]) == ["Name is empty: row 3 of UG and row 4 of PG."]
    [row] = parse(sheets(UG=[["Course"]], PG=[["Course"], ["M.A."]]), Choices(sheets=["UG", "PG"]))
    assert row == {"name": "M.A."}
    assert faults(content, sheets=["Arts"]) == ["No sheet Arts. There is: UG, PG, Fees."]


@pytest.mark.parametrize(
    ("below", "codes", "said"),
    [
        ([",Total programmes: 7,"], [], "Left out, totals: row 4."),
        (["Grand total,,240"], [], "Left out, totals: row 4."),
        ([",Total Quality Management,2"], [""], ""),
        (["PG PROGRAMMES,,"], [], "Left out, headings or remarks: row 4."),
        (["", "*  provisional,,"], [], "Left out, headings or remarks: row 5."),
        ([",,2", ",,3"], [], "Left out, headings or remarks: rows 4-5."),
        ([",,2,more"], [], "Left out, without code and name: row 4."),
        (["B,,", "C,,", "D,,"], ["B", "C", "D"], ""),
        (["", "CHE,Chemistry,2"], ["CHE"], ""),
    ],
)
def test_rows_that_are_no_courses_are_left_out_and_named(below, codes, said):
    table = table_of(file(GOOD, "ZOO,Zoology,2", *below))

    assert [row.cells["code"] for row in table.rows] == ["BOT", "ZOO", *codes]
    assert said in table.describe(LABELS)[-1]


@pytest.mark.parametrize(
    ("rows", "mapping", "names"),
    [
        (["B.Tech,Civil", "B.Tech,Computer Science", "BBA,", "BBA,-"],
         {}, ["B.Tech Civil", "B.Tech Computer Science", "BBA", "BBA"]),
        (["B.Tech,Civil", ",Law", "BBA,"], {}, ["B.Tech Civil", "B.Tech Law", "BBA"]),
        (["B.Tech,Civil", ",Law", "BBA,"], {NAME_PART: ""}, ["B.Tech", "BBA"]),
        (["B.Tech Civil,Civil", "M.Tech,Civil"], {}, ["B.Tech Civil", "M.Tech"]),
        (["B.Tech,Civil", "M.Tech,Civil"],
         {NAME_PART: "Branch"}, ["B.Tech Civil", "M.Tech Civil"]),
        (["B.Tech,Civil", "B.Tech,Law"], {NAME_PART: ""}, ["B.Tech", "B.Tech"]),
    ],
)  # fmt: skip
def test_a_name_has_two_parts_if_the_first_repeats_or_the_user_says_so(rows, mapping, names):
    read = parse(file(*rows, header="Course,Branch"), Choices(columns=mapping))

    assert [row["name"] for row in read] == names


def test_if_no_line_is_recognised_the_fullest_one_has_the_headings():
    table = table_of(b"College,,\n,,\nRoll,Kurs,Seats\n1,Botany,60\n2,Zoology,60\n")

    assert (table.header, table.headings) == (3, ["Roll", "Kurs", "Seats"])
    assert table.faults


def test_hindi_headings_are_known():
    [row] = parse(file("7,बी.ए. हिंदी,कला", header="कोड,पाठ्यक्रम का नाम,संकाय"))

    assert (row["code"], row["name"], row["department"]) == ("7", "बी.ए. हिंदी", "कला")


def test_in_two_columns_a_cell_alone_is_a_course_that_lacks_something():
    content = file("BOT,Botany", ",Zoology", "CHE,Chemistry", header="Code,Name")

    assert faults(content) == ["Code is empty: row 3 (Zoology)."]


def test_a_column_that_only_looks_like_ours_is_left_out_and_named():
    long, header = "x" * 200, f"{HEADER},Description,Required Stream"
    content = file(f"{GOOD},{long},Science", f"ZOO,Zoology,2,{long},Any", header=header)

    table = table_of(content)
    rows = table.values

    assert [row["code"] for row in rows] == ["BOT", "ZOO"]
    assert not any("about" in row for row in rows)
    assert table.describe(LABELS)[-1].endswith("Not used: Description, Required Stream.")
    assert faults(content, columns={"about": "Description"})
    assert faults(with_cells("about", f"{GOOD},{long}"))


def test_an_address_keeps_what_only_looks_like_an_entity():
    [row] = parse(with_cells("url", f"{GOOD},https://college.example/a?b=1&amp;copy=2"))

    assert row["url"] == "https://college.example/a?b=1&copy=2"
