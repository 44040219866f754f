"""A release brings a new bank where the current one has norms of students."""

from __future__ import annotations

import copy
import io
import json
from collections.abc import Callable
from pathlib import Path
from statistics import fmean
from typing import Any

import pytest
import time_machine
from django.core.management import call_command

from assessments.banks import SHIPPED
from assessments.management.commands import load_items
from assessments.measurement.bank_validation import validate
from assessments.measurement.successor import successor
from assessments.models import Answer, ItemBank
from partners.models import AuditEvent, Project
from tests.assessments.simulated_attempts import simulate_attempts

pytestmark = [pytest.mark.django_db, pytest.mark.sqlite]

Data = dict[str, Any]
Load = Callable[[Data], Data]
FIRST: Data = json.loads(SHIPPED.read_bytes())
ATTEMPTS = 30
STATEMENT = next(item["code"] for item in FIRST["items"] if item["section"] == "interests")


@pytest.fixture
def load(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Load:
    """Return a function that loads a bank as the one that ships, and returns what it prints."""

    def load(data: Data) -> Data:
        assert validate(data) == []
        path = tmp_path / "shipped.json"
        path.write_text(json.dumps(data), encoding="utf-8")
        monkeypatch.setattr(load_items, "SHIPPED", path)
        out = io.StringIO()
        call_command("load_items", "--json", stdout=out, stderr=io.StringIO())
        printed: Data = json.loads(out.getvalue())
        return printed

    return load


@pytest.fixture
def normed(load: Load, project: Project) -> ItemBank:
    """Give the current bank, to which `update_norms` gave norms of students."""
    load(FIRST)
    simulate_attempts(project, ItemBank.objects.current(), ATTEMPTS)
    call_command("update_norms", "--apply", "--yes", stdout=io.StringIO(), stderr=io.StringIO())
    bank = ItemBank.objects.current()
    assert (bank.succeeds, bank.norms_from) == (FIRST["version"], ATTEMPTS)
    return bank


def item(data: Data, code: str) -> Data:
    found: Data = next(each for each in data["items"] if each["code"] == code)
    return found


def next_release(version: str = "2027.1") -> Data:
    """Return a later bank with another key of one puzzle, and all statements unchanged."""
    new = copy.deepcopy(FIRST) | {"version": version}
    puzzle = next(each for each in new["items"] if "key" in each)
    puzzle["key"] = puzzle["key"] % 3 + 1
    return new


def make_current(data: Data, version: str) -> ItemBank:
    bank, _ = ItemBank.objects.publish(successor(data, version), actor="command:tests")
    bank.make_current(actor="command:tests")
    return bank


def test_norms_are_made_again_for_the_new_bank(load: Load, normed: ItemBank) -> None:
    printed = load(next_release())

    assert printed == {
        "version": "2027.1", "items": len(FIRST["items"]), "published": True, "current": False,
        "derived": "2027.1-n1",
    }  # fmt: skip
    current = ItemBank.objects.current()
    assert (current.version, current.succeeds) == ("2027.1-n1", normed.version)
    assert (current.shipped, current.norms_from) == (False, ATTEMPTS)
    assert current.to_file()["items"] == next_release()["items"]
    for section in ("interests", "preferences", "statements"):
        assert current.definition["norms"][section] == normed.definition["norms"][section]
    shipped = ItemBank.objects.get(version="2027.1")
    assert (shipped.shipped, shipped.made_current_at) == (True, None)
    assert not AuditEvent.objects.about(shipped).filter(action="bank.made_current").exists()


def test_a_changed_statement_and_its_scale_keep_the_norms_that_ship(
    load: Load, normed: ItemBank
) -> None:
    new = next_release()
    item(new, STATEMENT)["text"] = {"en": "Something else", "hi": "कुछ और"}
    scale = item(new, STATEMENT)["scale"]

    load(new)

    norms, before = ItemBank.objects.current().definition["norms"], normed.definition["norms"]
    shipped = {each["code"]: each for each in new["norms"]["statements"]}
    for made, old in zip(norms["statements"], before["statements"], strict=True):
        if item(new, made["code"])["section"] == "interests":
            assert made == (shipped[STATEMENT] if made["code"] == STATEMENT else old)
    for name, norm in norms["interests"].items():
        assert norm == (new["norms"] if name == scale else before)["interests"][name]
    assert norms["fields"] == new["norms"]["fields"]
    current, measured, ships = (
        {section["code"]: section["seconds"] for section in sections}
        for sections in (
            ItemBank.objects.current().definition["sections"],
            normed.definition["sections"],
            new["sections"],
        )
    )
    assert current["interests"] == ships["interests"] != measured["interests"]
    assert current["preferences"] == measured["preferences"] != ships["preferences"]


@time_machine.travel("2036-11-22T09:30:00+00:00", tick=False)
def test_the_same_release_again_changes_nothing(load: Load, normed: ItemBank) -> None:
    """Even if all of it happens at one moment, or the clock was set back."""
    load(next_release())
    before = list(ItemBank.objects.values()), AuditEvent.objects.count()

    printed = load(next_release())

    assert (printed["published"], printed["current"]) == (False, False)
    assert printed["derived"] == "2027.1-n1"
    assert (list(ItemBank.objects.values()), AuditEvent.objects.count()) == before


@pytest.mark.slow
def test_answers_on_every_bank_before_count(load: Load, normed: ItemBank, project: Project) -> None:
    simulate_attempts(project, normed, 5)
    load(next_release())
    simulate_attempts(project, ItemBank.objects.current(), 5)

    load(next_release("2027.2") | {"dont_know": {"en": "No idea", "hi": "पता नहीं"}})

    current = ItemBank.objects.current()
    assert (current.version, current.norms_from) == ("2027.2-n1", ATTEMPTS + 10)
    answers = Answer.objects.filter(item__code=STATEMENT).values_list("choice", flat=True)
    assert current.scoring.statement_norms[STATEMENT].mean == pytest.approx(
        fmean(each or 0 for each in answers), abs=1e-4
    )


def test_without_enough_answers_the_bank_is_used_as_it_ships(load: Load, normed: ItemBank) -> None:
    Answer.objects.all().delete()
    normed.assessment_set.all().delete()
    ItemBank.objects.get(version=FIRST["version"]).assessment_set.all().delete()

    printed = load(next_release())

    assert (printed["current"], printed["derived"]) == (True, None)


def test_a_calibrated_bank_is_never_replaced(load: Load, normed: ItemBank) -> None:
    calibrated = normed.to_file()
    puzzle = next(each for each in calibrated["items"] if "key" in each)
    puzzle |= {"a": 1.3, "b": 0.4, "b_rule": puzzle["b"]}
    own = make_current(calibrated, "2026.4-c2")

    printed = load(next_release())

    assert (printed["current"], printed["derived"]) == (False, None)
    assert ItemBank.objects.current() == own


def test_starting_norms_give_way_to_those_of_the_release(load: Load) -> None:
    load(FIRST)
    new = next_release()
    new["norms"]["interests"]["social"] = {"mean": 3.6, "sd": 0.8}

    printed = load(new)

    assert (printed["current"], printed["derived"]) == (True, None)
