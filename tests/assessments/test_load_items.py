"""The command that publishes an item bank."""

from __future__ import annotations

import copy
import io
import json
from pathlib import Path
from typing import Any

import pytest
from django.core.management import CommandError, call_command

from assessments.management.commands import load_items
from assessments.models import Item, ItemBank
from partners.models import AuditEvent
from tests.support.server import SMALL_BANK

pytestmark = [pytest.mark.django_db, pytest.mark.sqlite]

Data = dict[str, Any]


def load(*arguments: str) -> tuple[str, str]:
    """Run the command; return what stood on stdout and stderr."""
    out, err = io.StringIO(), io.StringIO()
    call_command("load_items", *arguments, stdout=out, stderr=err)
    return out.getvalue(), err.getvalue()


@pytest.fixture(autouse=True)
def _the_small_bank_ships(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let the small bank be the one that comes with the code: loading it takes no time."""
    monkeypatch.setattr(load_items, "SHIPPED", SMALL_BANK)


@pytest.fixture
def other(small_bank: Data) -> Data:
    """Give a sound bank of another version."""
    return copy.deepcopy(small_bank) | {"version": "own-1"}


def written(data: Data, tmp_path: Path) -> str:
    path = tmp_path / f"{data['version']}.json"
    path.write_text(json.dumps(data), encoding="utf-8")
    return str(path)


def ship(monkeypatch: pytest.MonkeyPatch, data: Data, tmp_path: Path) -> None:
    """Let this be the bank that comes with the code."""
    monkeypatch.setattr(load_items, "SHIPPED", Path(written(data, tmp_path)))


def test_the_small_bank_becomes_current(small_bank: Data) -> None:
    out, err = load("--json")

    bank = ItemBank.objects.get()
    assert json.loads(out) == {
        "version": small_bank["version"],
        "items": len(small_bank["items"]),
        "published": True,
        "current": True,
        "derived": None,
    }
    assert err == ""
    assert bank.shipped
    assert ItemBank.objects.current() == bank
    assert Item.objects.count() == len(small_bank["items"])


def test_again_it_changes_nothing() -> None:
    load()
    before = list(ItemBank.objects.values()), AuditEvent.objects.count()

    out, _ = load("--json")

    assert json.loads(out)["published"] is False
    assert json.loads(out)["current"] is True
    assert (list(ItemBank.objects.values()), AuditEvent.objects.count()) == before


def test_an_upgrade_replaces_a_small_bank(
    other: Data, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    load()
    ship(monkeypatch, other, tmp_path)

    load()

    assert ItemBank.objects.current().version == "own-1"
    assert ItemBank.objects.count() == 2


def test_an_upgrade_never_replaces_a_bank_of_one_s_own(
    small_bank: Data, other: Data, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    load()
    puzzle = next(item for item in other["items"] if "key" in item)
    puzzle["key"] = puzzle["key"] % 3 + 1
    load(written(other, tmp_path), "--make-current")
    ship(monkeypatch, copy.deepcopy(small_bank) | {"version": "2027.1"}, tmp_path)

    out, _ = load("--json")

    assert json.loads(out) == {
        "version": "2027.1", "items": len(small_bank["items"]), "published": True,
        "current": False, "derived": None,
    }  # fmt: skip
    assert ItemBank.objects.current().version == "own-1"


def test_a_file_of_one_s_own_is_published_but_waits_until_it_is_made_current(
    other: Data, tmp_path: Path
) -> None:
    load()
    out, _ = load(written(other, tmp_path), "--json")
    assert json.loads(out)["current"] is False
    assert ItemBank.objects.current().version == "2026.1"
    assert not ItemBank.objects.get(version="own-1").shipped

    load(written(other, tmp_path), "--make-current")
    assert ItemBank.objects.current().version == "own-1"
    load("--make-current")

    assert ItemBank.objects.current().version == "2026.1"


def test_after_going_back_a_release_does_not_switch_again(
    other: Data, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Staff went back to the older shipped bank: the next release leaves it so."""
    load()
    with monkeypatch.context() as next_release:
        ship(next_release, other, tmp_path)
        load()
    load("--make-current")
    ship(monkeypatch, other, tmp_path)

    load()

    assert ItemBank.objects.current().version == "2026.1"


def test_an_interrupted_upgrade_changes_nothing_and_a_retry_does_it_all(
    other: Data, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    load()
    ship(monkeypatch, other, tmp_path)

    def interrupt(*args: Any, **kwargs: Any) -> None:
        raise KeyboardInterrupt

    with monkeypatch.context() as killed:
        killed.setattr(ItemBank, "make_current", interrupt)
        with pytest.raises(KeyboardInterrupt):
            load()
    assert ItemBank.objects.get().version == "2026.1"

    out, _ = load("--json")

    assert json.loads(out)["published"] is True
    assert ItemBank.objects.current().version == "own-1"


def test_a_bank_left_unused_by_an_interrupted_run_becomes_current(
    other: Data, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Releases before this one could be interrupted between publishing and making current."""
    load()
    ItemBank.objects.publish(other, shipped=True, actor="command")
    ship(monkeypatch, other, tmp_path)

    out, _ = load("--json")

    assert json.loads(out) == {
        "version": "own-1", "items": len(other["items"]), "published": False,
        "current": True, "derived": None,
    }  # fmt: skip
    assert ItemBank.objects.current().version == "own-1"


def test_a_retired_bank_stays_retired(
    other: Data, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    load()
    bank, _ = ItemBank.objects.publish(other, shipped=True, actor="command")
    bank.retire(actor="command")
    ship(monkeypatch, other, tmp_path)

    load()

    assert ItemBank.objects.current().version == "2026.1"


def test_a_published_version_with_other_content_is_refused(other: Data, tmp_path: Path) -> None:
    load()
    other["version"] = "2026.1"
    other["matching"]["main_weight"] = 3

    with pytest.raises(CommandError, match="never changes"):
        load(written(other, tmp_path))

    assert ItemBank.objects.get().definition["matching"]["main_weight"] == 2


def test_check_stores_nothing() -> None:
    out, _ = load("--check", "--json")
    _, err = load("--check")

    assert json.loads(out)["published"] is False
    assert "is sound" in err
    assert not ItemBank.objects.exists()


@pytest.mark.parametrize("options", [[], ["--check"]])
def test_a_bad_bank_is_refused_with_each_fault(
    other: Data, tmp_path: Path, options: list[str]
) -> None:
    other["items"][3]["scale"] = "astrological"
    puzzle = next(item for item in other["items"] if "key" in item)
    puzzle["key"] = 9
    codes = other["items"][3]["code"], puzzle["code"]

    with pytest.raises(CommandError) as refused:
        load(written(other, tmp_path), *options)

    for code in codes:
        assert code in str(refused.value)
    assert not ItemBank.objects.exists()
    assert not Item.objects.exists()
