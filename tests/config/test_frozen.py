"""What a release froze can't be edited in place; what is new can be added."""

import importlib.util
import json
import shutil
from dataclasses import replace
from pathlib import Path

import pytest

from assessments.banks import SHIPPED
from assessments.management.commands.purge import Command
from config import env

ROOT = Path(__file__).resolve().parents[2]
SPEC = importlib.util.spec_from_file_location("frozen", ROOT / ".ci" / "frozen.py")
frozen = importlib.util.module_from_spec(SPEC)
SPEC.loader.exec_module(frozen)
MIGRATION, BANK = "tokens/migrations/0001_initial.py", str(SHIPPED.relative_to(ROOT))
OPENAPI = "templates/docs/built/openapi.json"
URL = "/partner/cancel-links"


@pytest.fixture
def copy(tmp_path, monkeypatch):
    """A folder with copies of some frozen files, and a record of them."""
    for file in (MIGRATION, BANK, OPENAPI):
        (tmp_path / file).parent.mkdir(parents=True)
        shutil.copy(ROOT / file, tmp_path / file)
    monkeypatch.setattr(frozen, "ROOT", tmp_path)
    monkeypatch.setattr(frozen, "KEPT", tmp_path / "frozen.txt")
    frozen.main([])
    return tmp_path


def assert_refused(*starts):
    """The message has recorded lines with these starts alone, and nothing is recorded."""
    recorded = frozen.KEPT.read_text()
    with pytest.raises(SystemExit) as refusal:
        frozen.main([])
    named = set(recorded.splitlines()).intersection(str(refusal.value).splitlines())
    assert {next(filter(line.startswith, starts), line) for line in named} == set(starts)
    assert frozen.KEPT.read_text() == recorded


def test_an_edited_or_removed_migration_or_bank_is_refused(copy):
    for file, line in ((MIGRATION, f"migration {MIGRATION} "), (BANK, f"bank {BANK} ")):
        (copy / file).write_bytes((ROOT / file).read_bytes() + b"\n")
        assert_refused(line)
        (copy / file).unlink()
        assert_refused(line)
        shutil.copy(ROOT / file, copy / file)


def test_renamed_settings_and_options_and_newly_required_settings_are_refused(copy, monkeypatch):
    renamed = replace(env.TABLE[-1], name="LEVEL", is_required=True)
    monkeypatch.setattr(env, "TABLE", (*env.TABLE[:-1], renamed))
    monkeypatch.setattr(Command, "add_arguments", lambda self, parser: parser.add_argument("--do"))

    assert_refused("setting LOG_LEVEL 'INFO'", "setting required: ", "command purge takes --")


def test_an_operation_that_takes_or_gives_less_is_refused(copy):
    document = json.loads((copy / OPENAPI).read_text())
    call, schemas = document["paths"][URL]["post"], document["components"]["schemas"]
    call["responses"].pop("409")
    call["parameters"][0]["required"] = True
    schemas["CancelRequest"]["required"].append("email")
    schemas["CheckRequest"]["properties"]["projectId"]["maxLength"] = 10
    schemas["Cancelled"]["properties"].clear()
    schemas["Recorded"]["required"].clear()
    schemas["Outcome"]["properties"]["Stage"]["enum"].remove("applied")
    schemas["Problem"]["properties"]["code"]["x-codes"].pop()
    (copy / OPENAPI).write_text(json.dumps(document))

    assert_refused(
        *(f"operation POST {URL} {start}" for start in ("409 {", "409 has ", "needs ")),
        *("schema CancelRequest needs ", "schema CheckRequest.projectId "),
        *("schema Cancelled.Cancelled ", "schema Recorded always has Recorded"),
        *("schema Outcome.Stage = applied", "schema Problem.code = internal_error 500"),
    )


def test_what_is_new_passes_and_is_recorded_with_the_next_version(copy, monkeypatch):
    (copy / MIGRATION).with_name("0002_second.py").touch()
    (copy / BANK).with_name("2027.1.json").touch()
    document = json.loads((copy / OPENAPI).read_text())
    document["components"]["schemas"]["CancelRequest"]["properties"]["why"] = {"type": "string"}
    (copy / OPENAPI).write_text(json.dumps(document))
    monkeypatch.setattr(env, "TABLE", (*env.TABLE, env.Setting("NEW")))
    before = frozen.KEPT.read_text()

    frozen.main(["--check"])
    monkeypatch.setattr(env, "VERSION", "9.0.0")
    with pytest.raises(SystemExit, match="not recorded"):
        frozen.main(["--check"])
    frozen.main([])

    version, *added = frozen.KEPT.read_text().removeprefix(before).splitlines()
    assert version == "# 9.0.0"
    assert [line.split()[0] for line in added] == ["bank", "migration", "schema", "setting"]
