"""The next bank to ship: built by the code, to the byte, and put together as a student takes it."""

import json
import re
import subprocess
import sys
from functools import cache
from pathlib import Path

import pytest

from assessments import banks
from lab import __main__ as commands
from lab.__main__ import main
from lab.generators import build as building
from lab.generators.build import FAMILIES, SHIPPED, VERSION, build, to_text
from measurement.bank import Bank
from measurement.bank_validation import validate
from measurement.fields import FIELDS
from measurement.layout import Layout

ROOT = Path(__file__).resolve().parents[3]


@cache
def written():
    """Return the content of the file. Never change it."""
    return json.loads(SHIPPED.read_bytes())


def items(section):
    return [item for item in written()["items"] if item["section"] == section]


@pytest.fixture
def _built_before(monkeypatch):
    """Skip the building, which one test below does."""
    monkeypatch.setattr(commands, "build", written)


def test_another_process_builds_the_same_bytes():
    # The order of a set of texts differs from process to process; nothing may depend on it.
    code = (
        "import sys; from lab.generators.build import build, to_text; "
        "sys.stdout.buffer.write(to_text(build()).encode())"
    )

    elsewhere = subprocess.run(
        [sys.executable, "-c", code],
        cwd=ROOT,
        env={"PYTHONHASHSEED": "4711"},
        capture_output=True,
        check=True,
    ).stdout

    assert elsewhere == SHIPPED.read_bytes()


def test_the_file_is_sound():
    assert validate(written()) == []


def test_the_file_has_the_version_that_it_is_named_for():
    assert written()["version"] == VERSION
    assert banks.SHIPPED == SHIPPED


def test_the_file_has_an_item_a_line_and_stays_readable():
    lines = SHIPPED.read_text(encoding="utf-8").splitlines()

    assert len([line for line in lines if line.startswith('{"code": ')]) == len(written()["items"])
    assert json.loads(to_text(written())) == written()
    assert SHIPPED.stat().st_size < 700_000


def test_sections_come_in_order_with_their_lengths():
    sections = [
        (section["code"], section["items_given"], section["per_page"])
        for section in written()["sections"]
    ]

    assert sections == [
        ("interests", 37, 8),
        ("fields", 25, 7),
        ("aptitude", 10, 1),
        ("preferences", 8, 4),
    ]
    assert [len(items(code)) for code, _, _ in sections] == [37, 45, 360, 8]
    assert [item["order"] for item in written()["items"]] == list(range(1, 451))


def test_an_attempt_takes_at_most_eighty_questions_and_thirteen_and_a_half_minutes():
    sections = written()["sections"]

    assert sum(section["items_given"] for section in sections) <= 80
    assert sum(section["seconds"] for section in sections) <= 13.5 * 60


COUNTED = re.compile(
    r"\b([1-9][0-9]+)(?: short| interest| study-preference| more)?"
    r" (questions|statements|puzzles|minutes)\b(?! each| of reading)"
)
# Documents that speak of what an attempt asks, and how long it takes.
TELLING = [
    *("README.md", "CHANGELOG.md", "docs/measurement.md", "docs/student-pages.md"),
    *("docs/scaling.md", "docs/decisions/0014-what-partners-see.md"),
]
# Of other statements: those of a study.
OTHERS = {("48", "statements")}


def counts_of_the_bank():
    """Return the numbers that a document may give, by what is counted."""
    layout = Layout.from_sections(written()["sections"])
    given = {section.code: section.total for section in layout.sections}
    bank = Bank.from_json(written())
    return {
        "questions": {layout.total},
        "puzzles": {given["aptitude"], len(bank.aptitude)},
        "statements": {
            given["interests"] + given["fields"],
            len(bank.interests),
            given["fields"] - 1,
            given["preferences"],
        },
        "minutes": {layout.minutes},
    }


@pytest.mark.parametrize("name", TELLING)
def test_documents_give_the_counts_and_minutes_of_the_bank(name):
    text = " ".join((ROOT / name).read_text(encoding="utf-8").split())
    told = [each for each in COUNTED.findall(text) if each not in OTHERS]

    assert told
    expected = counts_of_the_bank()
    assert [(n, of) for n, of in told if int(n) not in expected[of]] == []


def test_no_text_for_students_types_a_count():
    """Pages take counts and minutes from the bank, and so do its own introductions."""
    words = "questions|statements|puzzles|minutes|सवाल|पहेलियाँ|मिनट"
    typed = re.compile(rf"\b([1-9][0-9]*|twelve|ten|eighty|seventy) (?:{words})")
    files = [
        *(ROOT / "templates" / "student").glob("*.html"),
        *(ROOT / "measurement").glob("words_*.toml"),
        ROOT / "locale" / "hi" / "LC_MESSAGES" / "django.po",
        ROOT / "lab" / "generators" / "section_words.py",
    ]
    found = {
        (path.name, match[0])
        for path in files
        for match in typed.finditer(path.read_text(encoding="utf-8"))
    }

    assert found == {("_this_week.html", "ten minutes"), ("django.po", "ten minutes")}


def test_attention_checks_stand_within_both_stages():
    first = [item["scale"] for item in items("interests")]
    second = [item["scale"] for item in items("fields")]

    assert [n for n, scale in enumerate(first, start=1) if scale == "instructed"] == [21]
    assert second == [*FIELDS, "instructed", *FIELDS]


def test_fields_of_one_type_go_together_more_than_those_of_distant_types():
    bank = Bank.from_json(written())
    fields = dict(zip(bank.fields, bank.field_covariances, strict=True))
    machines = dict(zip(bank.fields, fields["machines"], strict=True))

    assert machines["machines"] == 0.5 == bank.matching.noise
    assert machines["building"] == 0.25
    assert machines["computers"] == pytest.approx(0.25 * (1 + 0.35) / 2, abs=2e-3)
    assert machines["helping"] == pytest.approx(0.25 * 0.05, abs=2e-3)


def test_families_take_turns_from_easy_to_hard():
    names = [family.FAMILY for family in FAMILIES]
    puzzles = items("aptitude")

    assert [item["family"] for item in puzzles] == names * 60
    for name in names:
        own = [item for item in puzzles if item["family"] == name]
        assert [item["code"] for item in own] == [f"apt-{name}-{n:02}" for n in range(1, 61)]
        assert [item["b"] for item in own] == sorted(item["b"] for item in own)


def test_six_worked_examples_stand_before_the_puzzles_and_are_none_of_them():
    sections = {section["code"]: section for section in written()["sections"]}
    stems = [(item["text"], item.get("lines"), item.get("figure")) for item in items("aptitude")]

    assert [code for code, section in sections.items() if section.get("examples")] == ["aptitude"]
    assert len(sections["aptitude"]["examples"]) == 6
    for example in sections["aptitude"]["examples"]:
        told = (example["text"], example.get("lines"), example.get("figure"))
        passages = [item.get("passage") for item in items("aptitude")]
        assert told not in stems or example["passage"] not in passages


def test_a_section_s_time_is_what_its_items_take():
    seconds = {section["code"]: section["seconds"] for section in written()["sections"]}
    mean = sum(item["seconds"] for item in items("aptitude")) / 360

    assert seconds["aptitude"] == round(10 * mean)
    assert all(10 <= item["seconds"] <= 120 for item in items("aptitude"))
    assert seconds["interests"] < seconds["aptitude"]


def test_nothing_but_the_key_field_gives_the_key_away():
    for item in items("aptitude"):
        for option in item["options"]:
            assert set(option) in ({"value", "label"}, {"value", "label", "figure"})


def test_a_family_that_repeats_itself_is_refused(monkeypatch):
    class Parrot:
        FAMILY, RULES, EXAMPLE = "problems", ("one",), building.problems.EXAMPLE
        draft = building.problems.generate("total", 1, 1)

        def generate(self, *recipe):
            return self.draft

    monkeypatch.setattr(building, "FAMILIES", (Parrot(),))

    with pytest.raises(building.CannotGenerate, match="problems one: nothing that is not"):
        build()


@pytest.mark.usefixtures("_built_before")
def test_the_command_writes_the_file(tmp_path):
    target = tmp_path / "bank.json"

    assert main(["bank", "-o", str(target)]) is None

    assert target.read_bytes() == SHIPPED.read_bytes()


@pytest.mark.usefixtures("_built_before")
@pytest.mark.parametrize(("content", "is_same"), [(None, False), (b"{}", False), ("same", True)])
def test_check_compares_and_writes_nothing(tmp_path, content, is_same):
    target = tmp_path / "bank.json"
    before = SHIPPED.read_bytes() if content == "same" else content
    if before is not None:
        target.write_bytes(before)

    refusal = main(["bank", "-o", str(target), "--check"])

    assert (refusal is None) is is_same
    assert (target.read_bytes() if target.exists() else None) == before


def test_an_invalid_bank_is_not_written(tmp_path, monkeypatch):
    first, *others = written()["items"]
    unsound = {**written(), "items": [{**first, "scale": "strength"}, *others]}
    monkeypatch.setattr(commands, "build", lambda: unsound)

    refusal = main(["bank", "-o", str(tmp_path / "bank.json")])

    assert refusal is not None
    assert "1 (int-mixer), scale: 'strength' is not one of" in refusal
    assert not (tmp_path / "bank.json").exists()
