"""A release brings a new bank where the current one has norms of students."""

from __future__ import annotations

import copy
import io
import json
from pathlib import Path
from typing import Any

import pytest
import time_machine
from django.core.management import call_command

from assessments.banks import SHIPPED
from assessments.management.commands import load_items
from assessments.measurement.bank_validation import validate
from assessments.measurement.recalibration import successor, with_estimates, with_norms
from assessments.measurement.scales import Norm
from assessments.models import ItemBank
from partners.models import AuditEvent
from tests.support.server import SMALL_BANK

pytestmark = [pytest.mark.django_db, pytest.mark.sqlite]

Data = dict[str, Any]
LIKED = {"mean": 3.6, "sd": 0.8}


@pytest.fixture
def load(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Any:
    """Return a function that loads a bank as the one that ships, and returns what it prints."""

    def load(data: Data | Path) -> Data:
        path = data if isinstance(data, Path) else tmp_path / "shipped.json"
        if not isinstance(data, Path):
            assert validate(data) == []
            path.write_text(json.dumps(data), encoding="utf-8")
        monkeypatch.setattr(load_items, "SHIPPED", path)
        out = io.StringIO()
        call_command("load_items", "--json", stdout=out, stderr=io.StringIO())
        printed: Data = json.loads(out.getvalue())
        return printed

    return load


def with_norms_of_students(data: Data, version: str) -> ItemBank:
    """Return the current bank, made from a bank file as `update_norms` makes it."""
    new = with_norms(data, {scale: Norm(**LIKED) for scale in data["norms"]["interests"]}, {})
    new = with_norms(new, {}, {"interests": 222})
    return make_current({**new, "norms_from": 45}, version)


def make_current(data: Data, version: str) -> ItemBank:
    bank, _ = ItemBank.objects.publish(successor(data, version), actor="command:tests")
    bank.make_current(actor="command:tests")
    return bank


def next_release(data: Data) -> Data:
    """Return a later bank with another key of one puzzle, and all statements unchanged."""
    new = copy.deepcopy(data) | {"version": "2027.1"}
    puzzle = next(item for item in new["items"] if "key" in item)
    puzzle["key"] = puzzle["key"] % 3 + 1
    return new


def test_norms_and_usual_times_of_unchanged_statements_are_carried_over(
    load: Any, small_bank: Data
) -> None:
    load(SMALL_BANK)
    old = with_norms_of_students(small_bank, "2026.1-n1")

    printed = load(next_release(small_bank))

    assert printed == {
        "version": "2027.1", "items": len(small_bank["items"]), "published": True, "current": False,
        "derived": "2027.1-n1",
    }  # fmt: skip
    current = ItemBank.objects.current()
    assert (current.version, current.made_from) == ("2027.1-n1", ["2027.1"])
    assert (current.shipped, current.norms_from) == (False, 45)
    shipped = ItemBank.objects.get(version="2027.1")
    assert (shipped.shipped, shipped.made_current_at) == (True, None)
    assert current.to_file()["items"] == shipped.to_file()["items"]
    assert current.definition["norms"] == old.definition["norms"]
    assert current.definition["sections"] == old.definition["sections"]
    assert not AuditEvent.objects.about(shipped).filter(action="bank.made_current").exists()


@time_machine.travel("2026-11-22T09:30:00+00:00", tick=False)
def test_the_same_release_again_changes_nothing(load: Any, small_bank: Data) -> None:
    """Even if all of it happens at one moment, or the clock was set back."""
    load(SMALL_BANK)
    with_norms_of_students(small_bank, "2026.1-n1")
    load(next_release(small_bank))
    before = list(ItemBank.objects.values()), AuditEvent.objects.count()

    printed = load(next_release(small_bank))

    assert (printed["published"], printed["current"]) == (False, False)
    assert printed["derived"] == "2027.1-n1"
    assert (list(ItemBank.objects.values()), AuditEvent.objects.count()) == before


def test_the_release_after_it_carries_them_on(load: Any, small_bank: Data) -> None:
    load(SMALL_BANK)
    with_norms_of_students(small_bank, "2026.1-n1")
    load(next_release(small_bank))

    load(small_bank | {"version": "2027.2"})

    current = ItemBank.objects.current()
    assert (current.version, current.norms_from) == ("2027.2-n1", 45)
    assert current.definition["norms"]["interests"]["social"] == LIKED


def test_a_bank_with_other_statements_becomes_current_as_it_ships(
    load: Any, small_bank: Data
) -> None:
    load(SMALL_BANK)
    old = with_norms_of_students(small_bank, "2026.1-n1")

    printed = load(SHIPPED)

    assert (printed["current"], printed["derived"]) == (True, None)
    assert ItemBank.objects.current().version == "2026.4"
    old.refresh_from_db()
    assert old.definition["norms"]["interests"]["social"] == LIKED


def test_only_the_norms_of_unchanged_scales_are_carried_over(load: Any, small_bank: Data) -> None:
    load(SMALL_BANK)
    with_norms_of_students(small_bank, "2026.1-n1")
    new = next_release(small_bank)
    social = next(item for item in new["items"] if item.get("scale") == "social")
    social["text"] = {"en": "Something else", "hi": "कुछ और"}

    load(new)

    current = ItemBank.objects.current()
    assert current.version == "2027.1-n1"
    assert current.definition["norms"]["interests"]["artistic"] == LIKED
    assert current.definition["norms"]["interests"]["social"] == {"mean": 3.0, "sd": 0.9}
    # the section asks something else, so its usual time is not known
    assert "seconds" not in current.definition["sections"][0]


def test_a_calibrated_bank_is_never_replaced(load: Any, small_bank: Data) -> None:
    load(SMALL_BANK)
    code = next(item["code"] for item in small_bank["items"] if "key" in item)
    calibrated = with_estimates(small_bank, {code: (1.3, 0.4)}, {})
    make_current(calibrated, "2026.1-c1")
    with_norms_of_students(successor(calibrated, "2026.1-c1"), "2026.1-n2")

    printed = load(next_release(small_bank))

    assert (printed["current"], printed["derived"]) == (False, None)
    assert ItemBank.objects.current().version == "2026.1-n2"


def test_norms_of_a_bank_of_one_s_own_are_left_alone(load: Any, small_bank: Data) -> None:
    load(SMALL_BANK)
    own = make_current(small_bank | {"version": "own"}, "own-n1")

    load(next_release(small_bank))

    assert ItemBank.objects.current() == own


def test_starting_norms_are_not_carried_over(load: Any, small_bank: Data) -> None:
    load(SMALL_BANK)
    new = next_release(small_bank)
    new["norms"]["interests"]["social"] = LIKED

    printed = load(new)

    assert (printed["current"], printed["derived"]) == (True, None)


def test_an_interrupted_upgrade_leaves_no_half(
    load: Any, small_bank: Data, monkeypatch: pytest.MonkeyPatch
) -> None:
    load(SMALL_BANK)
    old = with_norms_of_students(small_bank, "2026.1-n1")

    def interrupt(*args: Any, **kwargs: Any) -> None:
        raise KeyboardInterrupt

    with monkeypatch.context() as killed:
        killed.setattr(ItemBank, "make_current", interrupt)
        with pytest.raises(KeyboardInterrupt):
            load(next_release(small_bank))
    assert ItemBank.objects.count() == 2
    assert ItemBank.objects.current() == old

    assert load(next_release(small_bank))["derived"] == "2027.1-n1"
