from __future__ import annotations

import json
import subprocess
import sys
from io import StringIO
from pathlib import Path

import pytest
from django.core.management import CommandError, call_command

from assessments.itembank.build import VERSION, build, to_text
from assessments.itembank.validation import validate

ROOT = Path(__file__).resolve().parents[3]
SHIPPED = ROOT / "assessments" / "banks" / f"{VERSION}.json"


def test_the_shipped_file_is_what_the_code_builds() -> None:
    assert SHIPPED.read_bytes() == to_text(build()).encode()


def test_the_shipped_file_is_sound() -> None:
    assert validate(json.loads(SHIPPED.read_text(encoding="utf-8"))) == []


@pytest.mark.parametrize("hash_seed", ["0", "1", "4711"])
def test_another_process_builds_the_same_bytes(hash_seed: str) -> None:
    # The order of a set of texts differs from process to process; nothing may depend on it.
    code = (
        "import sys; from assessments.itembank.build import build, to_text; "
        "sys.stdout.buffer.write(to_text(build()).encode())"
    )

    written = subprocess.run(
        [sys.executable, "-c", code],
        cwd=ROOT,
        env={"PYTHONHASHSEED": hash_seed},
        capture_output=True,
        check=True,
    ).stdout

    assert written == SHIPPED.read_bytes()


def test_sections_come_in_order_with_their_lengths() -> None:
    sections = [
        (section["code"], section["items_given"], section["per_page"])
        for section in build()["sections"]
    ]

    assert sections == [("interests", 24, 6), ("aptitude", 12, 1), ("preferences", 8, 4)]
    assert [item["order"] for item in build()["items"]] == list(range(1, 45))


def test_nothing_but_the_key_field_gives_the_key_away() -> None:
    for item in build()["items"]:
        for option in item.get("options", []):
            assert set(option) == {"value", "label"}


def test_generate_items_writes_the_file(tmp_path: Path) -> None:
    target, out, err = tmp_path / "bank.json", StringIO(), StringIO()

    call_command("generate_items", output=target, json=True, stdout=out, stderr=err)

    assert target.read_bytes() == SHIPPED.read_bytes()
    assert json.loads(out.getvalue()) == {
        "version": "2026.1",
        "items": {"interests": 24, "aptitude": 12, "preferences": 8},
    }
    assert "24 interests, 12 aptitude, 8 preferences" in err.getvalue()


def test_generate_items_says_nothing_on_stdout_by_default(tmp_path: Path) -> None:
    out = StringIO()

    call_command("generate_items", output=tmp_path / "b.json", stdout=out, stderr=StringIO())

    assert out.getvalue() == ""


def test_check_passes_on_the_shipped_file_and_writes_nothing() -> None:
    before = SHIPPED.stat().st_mtime_ns

    call_command("generate_items", check=True, stderr=StringIO())

    assert SHIPPED.stat().st_mtime_ns == before


@pytest.mark.parametrize("content", [None, b"", b"{}"])
def test_check_fails_on_a_missing_or_different_file(tmp_path: Path, content: bytes | None) -> None:
    target = tmp_path / "bank.json"
    if content is not None:
        target.write_bytes(content)

    with pytest.raises(CommandError, match="differs"):
        call_command("generate_items", output=target, check=True, stderr=StringIO())

    assert target.exists() is (content is not None)


def test_an_unsound_bank_is_not_written(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    unsound = build()
    unsound["items"][0]["scale"] = "strength"
    monkeypatch.setattr("assessments.management.commands.generate_items.build", lambda: unsound)

    with pytest.raises(CommandError, match=r"item 1 \(int-R-01\): unknown scale strength"):
        call_command("generate_items", output=tmp_path / "bank.json", stderr=StringIO())

    assert not (tmp_path / "bank.json").exists()
