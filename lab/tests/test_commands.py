"""The commands of the lab, from a file of answers to a new bank or a table."""

import csv
import io
import json
import random
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from lab.__main__ import main
from lab.answers import COLUMNS, read_answers
from lab.generators.build import SHIPPED
from lab.refusal import Refusal
from measurement.ability import probability
from measurement.bank import Bank
from measurement.bank_validation import validate
from measurement.fields import fields_to_ask
from measurement.scales import INSTRUCTED

WHOLE = json.loads(SHIPPED.read_bytes())
BANK = Bank.from_json(WHOLE)
VERSION = WHOLE["version"]
STUDENTS = 320
EASY = "apt-series-01"
Row = dict[str, Any]


def sitting(number, draw):
    """Yield the rows of a student who takes the whole bank, with ten puzzles and EASY."""
    theta = draw.gauss(0, 1)
    language = "hi" if number % 3 == 0 else "en"
    answers = {code: draw.randint(1, 5) for code in BANK.interests}
    asked = (*fields_to_ask(BANK, answers), INSTRUCTED)
    puzzles = {EASY, *draw.sample(sorted(BANK.aptitude), 10)}
    for position, item in enumerate(WHOLE["items"], start=1):
        code, section = item["code"], item["section"]
        if section == "aptitude":
            if code not in puzzles:
                continue
            # EASY is much harder in Hindi.
            b = item["b"] + (2.5 if code == EASY and language == "hi" else 0.0)
            is_right = draw.random() < probability(theta, item["a"], b, item["c"])
            choice = item["key"] if is_right else 0
        elif section == "fields" and item["scale"] not in asked:
            continue
        else:
            choice = item.get("expected") or answers.get(code) or draw.randint(1, 5)
        yield {
            "attempt": number, "bank": VERSION, "completed": 1, "valid": 1, "item": code,
            "position": position, "choice": choice, "language": language, "replaced": 0,
            "seconds": 30 if section == "aptitude" else 4, "leading_fields": "",
            "considered": "7:B A\nother" if number % 2 else "",
            **({"taken": "7:B A", "place": number % 5, "place_unnamed": 0} if number < 10 else {}),
        }  # fmt: skip


@pytest.fixture(scope="module")
def rows():
    draw = random.Random("sittings")
    return [row for number in range(STUDENTS) for row in sitting(number, draw)]


Write = Callable[[list[Row]], Path]


@pytest.fixture
def write(tmp_path):
    def write(rows):
        path = tmp_path / "answers.csv"
        with path.open("w", newline="") as file:
            writer = csv.DictWriter(file, rows[0])
            writer.writeheader()
            writer.writerows(rows)
        return path

    return write


def test_norms_make_a_bank_that_succeeds(rows, write, tmp_path):
    careless = [{**row, "attempt": row["attempt"] + 1000, "valid": 0, "choice": 1} for row in rows]
    output = tmp_path / "bank.json"

    assert main(["norms", str(write(rows + careless)), "-o", str(output)]) is None

    new = json.loads(output.read_bytes())
    assert (new["version"], new["succeeds"]) == (f"{VERSION}-n1", VERSION)
    assert new["norms_from"] == STUDENTS
    assert validate(new) == []
    statement = next(iter(BANK.interests))
    answers = [row["choice"] for row in rows if row["item"] == statement]
    norms = {norm["code"]: norm for norm in new["norms"]["statements"]}
    start = BANK.statement_norms[statement].mean
    blended = (sum(answers) + 5 * start) / (len(answers) + 5)
    assert norms[statement]["mean"] == pytest.approx(blended, abs=1e-4)
    assert new["items"] == WHOLE["items"]


def test_calibrate_makes_a_bank_with_new_parameters(rows, write, capsys):
    assert main(["calibrate", str(write(rows))]) is None

    printed = capsys.readouterr()
    new = json.loads(printed.out)
    assert (new["version"], new["succeeds"]) == (f"{VERSION}-c1", VERSION)
    assert new["reference"] == "students"
    assert validate(new) == []
    old = {item["code"]: item for item in WHOLE["items"]}
    for item in new["items"]:
        if item["section"] != "aptitude":
            assert item == old[item["code"]]
    changed = next(item for item in new["items"] if item["code"] == EASY)
    assert changed["b"] > old[EASY]["b"] + 0.2
    assert changed["b_rule"] == old[EASY]["b"]
    assert 0 < changed["b_sd"] < WHOLE["difficulty_sd"]["series"]
    assert "items have fewer than 30 answers" in printed.err
    assert changed["seconds"] == 30
    assert f"{EASY} " in printed.err
    assert new["norms"] == WHOLE["norms"]


def test_dif_finds_what_is_harder_in_a_language(rows, write, capsys):
    more = [{**row, "attempt": row["attempt"] + 1000} for row in rows]
    wrong = {"valid": 0, "language": "en", "choice": 0}
    careless = [{**row, **wrong, "attempt": -1 - row["attempt"]} for row in rows]

    assert main(["dif", str(write(rows + more + careless))]) is None

    printed = capsys.readouterr()
    table = {row["item"]: row for row in csv.DictReader(io.StringIO(printed.out))}
    assert (table[EASY]["language"], table[EASY]["grade"]) == ("hi", "C")
    assert float(table[EASY]["delta"]) < -1.5
    assert "of them none. Wait for more." in printed.err
    assert len(table) > len(BANK.interests)


def test_statements_lists_every_item_with_its_findings(rows, write, capsys):
    mine = [row for row in rows if row["attempt"] == 0]
    left = [{**row, "attempt": "left", "completed": 0, "valid": 0} for row in mine[:6]]
    left[5] |= {"choice": "", "seconds": ""}
    gone = {**left[5], "item": EASY, "replaced": 1}

    assert main(["statements", str(write([*rows, *left, gone]))]) is None

    table = list(csv.DictReader(io.StringIO(capsys.readouterr().out)))
    together = {row["item"]: row for row in table if row["language"] == "all"}
    assert together.keys() == BANK.sections.keys()
    assert together[EASY]["shown"] == together[EASY]["answered"] == str(STUDENTS)
    stopped = together[mine[5]["item"]]
    assert (stopped["shown"], stopped["stopped_here"]) == (str(STUDENTS + 1), "1")
    # Everybody answers as they like, so no statement goes with its scale.
    assert together[next(iter(BANK.interests))]["findings"] in ("weak", "turned_round")
    assert {row["language"] for row in table if row["item"] == EASY} == {"all", "en", "hi"}


def test_outcomes_tell_where_the_courses_taken_stood(rows, write, capsys):
    some = [row for row in rows if row["attempt"] < 10]

    assert main(["outcomes", str(write(some))]) is None

    printed = capsys.readouterr().out
    assert re.search(r"the course taken among the first 3, with the naming +0\.6 ", printed)
    assert re.search(r"the course taken among the first 5, without the naming +0 ", printed)


def test_attempts_count_on_every_bank_with_the_same_questions(rows, write):
    changed = [
        {**row, "bank": {0: VERSION, 1: f"{VERSION}-n1", 2: "2027.1"}[row["attempt"]]}
        for row in rows
        if row["attempt"] < 3
    ]

    assert len(read_answers(write(changed), WHOLE)) == 2


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"bank": "1999.1"}, "has no attempts on bank"),
        ({"item": "apt-unknown-01"}, "apt-unknown-01 is not in the bank"),
        ({"choice": "often"}, "is not an export of answers"),
    ],
)
def test_other_files_are_refused(rows, write, change, message):
    path = write([{**rows[0], **change}])

    with pytest.raises(Refusal, match=message):
        read_answers(path, WHOLE)
    refusal = main(["norms", str(path)])
    assert refusal is not None
    assert message in refusal


def test_a_file_without_a_column_is_refused(write, tmp_path):
    with pytest.raises(Refusal, match=f"lacks columns: {', '.join(sorted(COLUMNS - {'item'}))}"):
        read_answers(write([{"item": EASY}]), WHOLE)
    with pytest.raises(Refusal, match="can't be read"):
        read_answers(tmp_path / "missing.csv", WHOLE)


def test_too_few_attempts_make_no_norms(rows, write):
    path = write([row for row in rows if row["attempt"] < 9])

    assert "need 10 attempts" in (main(["norms", str(path)]) or "")
    assert "9 valid attempts" in (main(["calibrate", str(path)]) or "")
