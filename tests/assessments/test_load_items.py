"""The command that publishes an item bank, and which bank is the current one after it."""

import copy
import json
from pathlib import Path

import pytest
from django.core.management import CommandError

from assessments.management.commands import load_items
from assessments.models import ItemBank
from tests.support.commands import run
from tests.support.server import SMALL_BANK

pytestmark = [pytest.mark.django_db, pytest.mark.sqlite]


def current():
    return ItemBank.objects.current().version


@pytest.fixture
def other(small_bank):
    return copy.deepcopy(small_bank) | {"version": "own-1"}


def with_another_key(data):
    puzzle = next(item for item in data["items"] if "key" in item)
    puzzle["key"] = puzzle["key"] % 3 + 1
    return data


@pytest.fixture
def written(tmp_path):
    """Give a function that writes a bank's file and returns its path."""

    def written(data):
        path = tmp_path / f"{data['version']}.json"
        path.write_text(json.dumps(data), encoding="utf-8")
        return str(path)

    return written


@pytest.fixture(autouse=True)
def ship(monkeypatch, written):
    """Give a function that lets a bank be the one that comes with the code: first the small one."""

    def ship(data):
        monkeypatch.setattr(load_items, "SHIPPED", Path(written(data)) if data else SMALL_BANK)

    ship(None)
    return ship


def test_the_first_bank_becomes_current(small_bank):
    printed = json.loads(run("load_items", "--json")[0])

    bank = ItemBank.objects.get()
    assert printed == {
        "version": small_bank["version"],
        "items": len(small_bank["items"]),
        "published": True,
        "current": True,
    }
    assert bank.shipped
    assert ItemBank.objects.current() == bank
    assert bank.item_set.count() == len(small_bank["items"])


def test_an_interrupted_upgrade_changes_nothing_and_a_retry_does_it_all_once(
    other, ship, monkeypatch
):
    run("load_items")
    ship(other)

    def interrupt(*args, **kwargs):
        raise KeyboardInterrupt

    with monkeypatch.context() as killed:
        killed.setattr(ItemBank, "make_current", interrupt)
        with pytest.raises(KeyboardInterrupt):
            run("load_items")
    assert ItemBank.objects.get().version == "2026.1"

    assert json.loads(run("load_items", "--json")[0])["published"] is True
    assert current() == "own-1"
    assert ItemBank.objects.count() == 2

    # Staff go back to the older shipped bank: the next release leaves it so.
    ship(None)
    run("load_items", "--make-current")
    ship(other)
    run("load_items")
    assert current() == "2026.1"


def test_an_upgrade_never_replaces_a_bank_of_one_s_own(small_bank, other, ship, written):
    run("load_items")
    run("load_items", written(with_another_key(other)), "--make-current")
    ship(copy.deepcopy(small_bank) | {"version": "2027.1"})

    assert json.loads(run("load_items", "--json")[0]) == {
        "version": "2027.1",
        "items": len(small_bank["items"]),
        "published": True,
        "current": False,
    }
    assert current() == "own-1"


def test_a_file_of_one_s_own_waits_until_it_is_made_current(other, written):
    run("load_items")
    assert json.loads(run("load_items", written(other), "--json")[0])["current"] is False
    assert current() == "2026.1"
    assert not ItemBank.objects.get(version="own-1").shipped

    run("load_items", written(other), "--make-current")
    assert current() == "own-1"
    assert "was already published" in run("load_items")[1]
    run("load_items", "--make-current")
    assert current() == "2026.1"


def test_check_stores_nothing(rows):
    before = rows()

    assert json.loads(run("load_items", "--check", "--json")[0])["published"] is False
    assert "is sound" in run("load_items", "--check")[1]
    assert rows() == before


@pytest.mark.parametrize("options", [[], ["--check"]])
def test_a_bad_bank_or_other_content_of_a_published_version_is_refused(
    small_bank, other, written, options, rows
):
    run("load_items")
    before = rows()
    bad = with_another_key(copy.deepcopy(other))
    bad["items"][3]["scale"] = "astrological"
    puzzle = next(item for item in bad["items"] if "key" in item)
    puzzle["a"] = 9

    with pytest.raises(CommandError, match=f"(?s){bad['items'][3]['code']}.*{puzzle['code']}"):
        run("load_items", written(bad), *options)

    changed = with_another_key(other) | {"version": small_bank["version"]}
    with pytest.raises(CommandError, match="never changes"):
        run("load_items", written(changed), *options)
    assert rows() == before


def test_a_file_that_is_missing_or_no_json_is_refused(tmp_path):
    (tmp_path / "bank.json").write_text("{")

    for name, fault in (("none.json", "can't be read"), ("bank.json", "is not JSON")):
        with pytest.raises(CommandError, match=fault):
            run("load_items", str(tmp_path / name))
