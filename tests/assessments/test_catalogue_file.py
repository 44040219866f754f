"""A catalogue file: rows out, or every fault with its line."""

from __future__ import annotations

import hypothesis
import pytest
from hypothesis import given
from hypothesis import strategies as st

from assessments.catalogue.courses_file import CatalogueFault, parse

HEADER = "code,name,order,realistic,investigative,artistic,social,enterprising,conventional"
GOOD = "BOT,B.Sc. Botany,10,2,3,0,0,0,1"


def file(*rows: str, header: str = HEADER) -> bytes:
    return "\n".join([header, *rows, ""]).encode()


def faults(content: bytes) -> list[str]:
    with pytest.raises(CatalogueFault) as refused:
        parse(content)
    assert str(refused.value) == "\n".join(refused.value.findings)
    return refused.value.findings


def test_it_works() -> None:
    (row,) = parse(file(GOOD))

    assert row == {
        "code": "BOT",
        "name": "B.Sc. Botany",
        "order": 10,
        "realistic": 2,
        "investigative": 3,
        "artistic": 0,
        "social": 0,
        "enterprising": 0,
        "conventional": 1,
    }


@pytest.mark.parametrize(
    "content",
    [
        b"\xef\xbb\xbf" + file(GOOD),
        file(GOOD).replace(b"\n", b"\r\n"),
        file(GOOD).rstrip(b"\n"),
        file(GOOD, "", ",,,,,,,,", "  ,,,,,,,,"),
        file(" BOT , B.Sc. Botany , 10 , 2 , 3 , 0 , 0 , 0 , 1 "),
        file('"BOT","B.Sc. Botany","10","2","3","0","0","0","1"'),
        file(f"{GOOD},x,y", header=f"{HEADER},campus,remarks"),
        file(f"{GOOD},,", header=f"{HEADER},,"),
        file(
            "1,10,B.Sc. Botany,2,3,0,0,0,BOT",
            header="conventional,order,name,realistic,investigative,artistic,social,enterprising,code",
        ),
    ],
    ids=[
        "mark",
        "crlf",
        "no end",
        "blank lines",
        "spaces",
        "quotes",
        "more columns",
        "nameless columns",
        "order",
    ],
)
def test_spellings_of_the_same_file(content: bytes) -> None:
    assert parse(content) == parse(file(GOOD))


@pytest.mark.parametrize(
    ("row", "fault"),
    [
        (",Botany,1,2,3,0,0,0,1", "code is empty."),
        ("BOT,,1,2,3,0,0,0,1", "name is empty."),
        (f"{'x' * 33},Botany,1,2,3,0,0,0,1", "code is longer than 32 characters."),
        (f"BOT,{'x' * 201},1,2,3,0,0,0,1", "name is longer than 200 characters."),
        ("BOT,Bot\u202eany,1,2,3,0,0,0,1", "name holds a character that can't be shown (U+202E,"),
        ("B\0T,Botany,1,2,3,0,0,0,1", "code holds a character that can't be shown (U+0000,"),
        ("BOT,Botany,,2,3,0,0,0,1", "order is '', it must be a whole number 0-100000."),
        ("BOT,Botany,-1,2,3,0,0,0,1", "order is '-1', it must be a whole number 0-100000."),
        ("BOT,Botany,1.5,2,3,0,0,0,1", "order is '1.5', it must be a whole number 0-100000."),
        ("BOT,Botany,100001,2,3,0,0,0,1", "order is '100001', it must be"),
        ("BOT,Botany,1,4,3,0,0,0,1", "realistic is '4', it must be a whole number 0-3."),
        ("BOT,Botany,1,2,x,0,0,0,1", "investigative is 'x', it must be a whole number 0-3."),
        ("BOT,Botany,1,2,3,٣,0,0,1", "artistic is '٣', it must be a whole number 0-3."),
        ("BOT,Botany,1,2,3,0", "social is '', it must be a whole number 0-3."),
        ("BOT,Botany,1,,,,,,1", "realistic is '', it must be a whole number 0-3."),
        ("BOT,Botany,1,1,1,0,0,0,1", "rate at least one interest 2 or 3."),
        ("BOT,Botany,1,0,0,0,0,0,0", "rate at least one interest 2 or 3."),
        ("BOT,Botany,1,3,3,3,3,3,3", "all six ratings are equal; change at least one."),
        ("BOT,Botany,1,2,3,0,0,0,1,5", "it has more fields than the header."),
    ],
)
def test_a_bad_row_is_named_with_its_line(row: str, fault: str) -> None:
    findings = faults(file(GOOD.replace("BOT", "OK"), row))

    assert any(finding.startswith(f"Line 3: {fault}") for finding in findings), findings


def test_every_fault_of_every_row_is_named_at_once() -> None:
    findings = faults(
        file("BOT,,x,2,3,0,0,0,1", GOOD, "ZOO,Zoology,1,9,8,0,0,0,0", "CHE,Chemistry,1,1,1,1,1,1,1")
    )

    assert findings == [
        "Line 2: name is empty.",
        "Line 2: order is 'x', it must be a whole number 0-100000.",
        "Line 4: realistic is '9', it must be a whole number 0-3.",
        "Line 4: investigative is '8', it must be a whole number 0-3.",
        "Line 5: rate at least one interest 2 or 3.",
        "Lines 2 and 3 both have the code BOT. Give each course its own.",
    ]


@pytest.mark.parametrize(
    ("content", "fault"),
    [
        (b"", "The header lacks code, name, order."),
        (file(GOOD, header=HEADER.replace("social,", "")), "The header lacks social."),
        (file(GOOD, header=HEADER.replace("code", "Code")), "The header lacks code."),
        (file(GOOD, header=HEADER.replace(",", ";")), "The header lacks code, name"),
        (file(GOOD).decode().encode("utf-16"), "The file is not UTF-8 text."),
        (file("X,B\xe9".encode("latin-1").decode("latin-1")).decode().encode("latin-1"),
         "The file is not UTF-8 text."),
        (file(f"{GOOD},Other", header=f"{HEADER},name"), "The header has name more than once."),
        (file(f"{GOOD},A,B", header=f"{HEADER},department,department"),
         "The header has department more than once."),
        (file('BOT,"Botany,1,2,3,0,0,0,1'), "Line 2: not readable as CSV"),
        (file('BOT,"Bot"any,1,2,3,0,0,0,1'), "Line 2: not readable as CSV"),
    ],
)  # fmt: skip
def test_a_file_that_cannot_be_read(content: bytes, fault: str) -> None:
    assert any(finding.startswith(fault) for finding in faults(content))


FACTS = (
    "numerical_level,numerical_importance,abstract_level,abstract_importance,verbal_level,"
    "verbal_importance,entry_level,streams,department,delivery"
)
WITH_FACTS = f"{HEADER},{FACTS}"


@pytest.mark.parametrize(
    ("cells", "same"),
    [
        ("Basic,1,,,,,CLASS-12,Arts,,Group", "basic,1,none,0,none,0,class-12,arts,,group"),
        (" basic , 1 ,,,,,, ; arts ; ,,", "basic,1,none,0,none,0,,arts,,"),
        (",,,,,,,arts;arts,,", ",,,,,,,arts,,"),
    ],
)
def test_spellings_of_the_same_facts(cells: str, same: str) -> None:
    assert parse(file(f"{GOOD},{cells}", header=WITH_FACTS)) == parse(
        file(f"{GOOD},{same}", header=WITH_FACTS)
    )


@pytest.mark.parametrize(
    ("cells", "fault"),
    [
        ("high,1,,,,,,,,", "numerical_level has 'high', it must be one of: none, basic, average,"),
        ("2,1,,,,,,,,", "numerical_level has '2', it must be one of:"),
        (",,basic,3,,,,,,", "abstract_importance is '3', it must be 0, 1 or 2."),
        (",,basic,x,,,,,,", "abstract_importance is 'x', it must be 0, 1 or 2."),
        (",,,,basic,0,,,,", "verbal_level is basic and verbal_importance is 0; none goes with 0"),
        (",,,,none,1,,,,", "verbal_level is none and verbal_importance is 1; none goes with 0"),
        (",,,,basic,,,,,", "verbal_level is basic and verbal_importance is 0; none goes with 0"),
        (",,,,,,class 12,,,", "entry_level has 'class 12', it must be one of: class-10, class-12"),
        (",,,,,,,arts/commerce,,", "streams has 'arts/commerce', it must be one of:"),
        (f",,,,,,,,{'x' * 101},", "department is longer than 100 characters."),
        (
            ",,,,,,,,Life\u202eSciences,",
            "department holds a character that can't be shown (U+202E,",
        ),
        (",,,,,,,,,group;labs", "delivery has 'labs', it must be one of: alone, group, doing"),
    ],
)
def test_a_bad_fact_is_named_with_its_line(cells: str, fault: str) -> None:
    findings = faults(file(f"OK{GOOD},,,,,,,,,,", f"{GOOD},{cells}", header=WITH_FACTS))

    assert len(findings) == 1
    assert findings[0].startswith(f"Line 3: {fault}")


@hypothesis.settings(deadline=None)
@given(st.binary(max_size=200) | st.text(max_size=200).map(lambda text: file(text)))
def test_any_file_is_read_or_refused_in_words(content: bytes) -> None:
    try:
        rows = parse(content)
    except CatalogueFault as fault:
        assert fault.findings
        assert all(isinstance(finding, str) for finding in fault.findings)
    else:
        assert all(row["code"] and row["name"] for row in rows)
