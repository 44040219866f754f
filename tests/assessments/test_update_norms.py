"""Norms from students: the command that makes them, and a release that brings a new bank."""

import copy
import json
from statistics import fmean, stdev

import pytest
import time_machine
from django.core.management import CommandError

from assessments.management.commands import load_items, update_norms
from assessments.models import ItemBank
from measurement.bank_validation import validate
from measurement.norms import blend
from measurement.scales import Norm
from measurement.successor import CALIBRATED, make_successor
from partners.models import AuditEvent
from tests.assessments.simulated_attempts import (
    PUZZLE_SECONDS,
    STATEMENT_SECONDS,
    simulate_attempts,
)
from tests.assessments.two_stages import FIELD_BANK as FIRST
from tests.assessments.two_stages import publish_field_bank
from tests.factories import BY
from tests.support.commands import run

pytestmark = [pytest.mark.django_db, pytest.mark.sqlite]

STATEMENT = next(item["code"] for item in FIRST["items"] if item["section"] == "interests")


def apply(*arguments):
    return run("update_norms", "--apply", "--yes", *arguments)[1]


@pytest.fixture
def bank(db):
    return publish_field_bank()


def test_a_dry_run_shows_and_changes_nothing(bank, project, rows):
    simulate_attempts(project, bank, 10)
    before = rows()

    out, err = run("update_norms")

    assert [line.split()[0] for line in out.splitlines()] == [
        *("scale,", *bank.scoring.norms, *bank.scoring.statement_norms),
        *("section", "interests", "fields", "aptitude", "preferences"),
    ]
    assert "Use --apply to publish this as bank 2026.6-n1." in err
    assert rows() == before


def test_too_few_attempts(bank, project, rows):
    simulate_attempts(project, bank, 8)
    simulate_attempts(project, bank, 5, straight=True)
    before = rows()

    with pytest.raises(CommandError, match="8 completed .* and 5 with.* 2 more"):
        apply()

    assert rows() == before


def test_apply_publishes_norms_and_times(bank, project):
    attempts = simulate_attempts(project, bank, 30)
    answers = [attempt.answers.get(item__code="int-mixer").choice for attempt in attempts]
    found = json.loads(run("update_norms", "--json")[0])

    apply()

    new = ItemBank.objects.current()
    file = new.to_file()
    assert (new.version, new.succeeds, new.norms_from) == ("2026.6-n1", "2026.6", 30)
    assert validate(file) == []
    assert file["norms"] == found["new"]["norms"]
    # Statements by whole pages, of eight and of seven.
    assert {section["code"]: section["seconds"] for section in file["sections"]} == {
        "interests": 40 * STATEMENT_SECONDS,
        "fields": 28 * STATEMENT_SECONDS,
        "aptitude": 10 * PUZZLE_SECONDS,
        "preferences": 8 * STATEMENT_SECONDS,
    }
    norms, start = new.scoring.statement_norms, bank.scoring.statement_norms["int-mixer"]
    assert norms["int-mixer"] == blend(start, Norm(fmean(answers), stdev(answers)), 30)
    assert norms["int-mixer"].mean == pytest.approx((sum(answers) + 5 * start.mean) / 35, abs=1e-4)
    assert min(norm.sd for norm in (*norms.values(), *new.scoring.norms.values())) >= 0.5
    assert norms.keys() == bank.scoring.statement_norms.keys()
    assert file["items"] == bank.to_file()["items"]
    assert AuditEvent.objects.about(new).filter(action="bank.published").count() == 1


@pytest.mark.slow
@pytest.mark.parametrize(
    ("counted", "published"), [(9, False), (10, True), (14, False), (15, True), (20, False)]
)
def test_a_timer_publishes_when_the_attempts_have_grown_by_half(bank, project, counted, published):
    """The first norms come from 10 attempts; from 20 on, the timer leaves them alone.

    Attempts on the bank that the current one succeeds count.
    """
    if counted > 10:
        simulate_attempts(project, bank, 10)
        apply()
    simulate_attempts(project, ItemBank.objects.current(), counted - 10 * (counted > 10))
    before = ItemBank.objects.current()

    err = apply("--until", "20")

    assert (ItemBank.objects.current() != before) == published
    assert f"{counted} attempts on {before} count." in err


def test_a_bank_published_meanwhile_is_not_replaced(bank, project, small_bank, monkeypatch):
    simulate_attempts(project, bank, 30)
    publish = update_norms.Command.publish

    def release(self, *args, **kwargs):
        other, _ = ItemBank.objects.publish(small_bank, shipped=True, by=BY)
        other.make_current(by=BY)
        publish(self, *args, **kwargs)

    monkeypatch.setattr(update_norms.Command, "publish", release)

    with pytest.raises(CommandError, match="2026.6 is not the current one any more"):
        apply()

    assert ItemBank.objects.current().version == small_bank["version"]
    assert ItemBank.objects.count() == 2


@pytest.fixture
def load(monkeypatch, tmp_path):
    """Give a function that loads a bank as the one that ships, and returns what it prints."""

    def load(data):
        assert validate(data) == []
        path = tmp_path / "shipped.json"
        path.write_text(json.dumps(data), encoding="utf-8")
        monkeypatch.setattr(load_items, "SHIPPED", path)
        return json.loads(run("load_items", "--json")[0])

    return load


@pytest.fixture
def normed(bank, project):
    simulate_attempts(project, bank, 30)
    apply()
    return ItemBank.objects.current()


def next_release(version="2027.1"):
    """Return a later bank with another key of one puzzle, and all statements unchanged."""
    new = copy.deepcopy(FIRST) | {"version": version}
    puzzle = next(each for each in new["items"] if "key" in each)
    puzzle["key"] = puzzle["key"] % 3 + 1
    return new


@pytest.mark.slow
@time_machine.travel("2036-11-22T09:30:00+00:00", tick=False)
def test_a_release_makes_norms_again_for_the_new_bank_once(load, normed, rows):
    """Even if all of it happens at one moment, or the clock was set back."""
    printed = load(next_release())

    assert printed == {
        "version": "2027.1", "items": len(FIRST["items"]), "published": True, "current": False,
    }  # fmt: skip
    current = ItemBank.objects.current()
    assert (current.version, current.succeeds) == ("2027.1-n1", normed.version)
    assert (current.shipped, current.norms_from) == (False, 30)
    assert current.to_file()["items"] == next_release()["items"]
    for section in ("interests", "preferences", "statements"):
        assert current.definition["norms"][section] == normed.definition["norms"][section]
    shipped = ItemBank.objects.get(version="2027.1")
    assert (shipped.shipped, shipped.made_current_at) == (True, None)
    assert not AuditEvent.objects.about(shipped).filter(action="bank.made_current").exists()

    before = rows()
    assert load(next_release()) == printed | {"published": False}
    assert rows() == before


def test_a_changed_statement_and_its_scale_keep_the_norms_that_ship(load, normed):
    new = next_release()
    items = {each["code"]: each for each in new["items"]}
    items[STATEMENT]["text"] = {"en": "Something else", "hi": "कुछ और"}

    load(new)

    current = ItemBank.objects.current().definition
    norms, before = current["norms"], normed.definition["norms"]
    shipped = {each["code"]: each for each in new["norms"]["statements"]}
    for made, old in zip(norms["statements"], before["statements"], strict=True):
        if items[made["code"]]["section"] == "interests":
            assert made == (shipped[STATEMENT] if made["code"] == STATEMENT else old)
    for name, norm in norms["interests"].items():
        is_changed = name == items[STATEMENT]["scale"]
        assert norm == (new["norms"] if is_changed else before)["interests"][name]
    made, measured, ships = (
        {section["code"]: section["seconds"] for section in each["sections"]}
        for each in (current, normed.definition, new)
    )
    assert made["interests"] == ships["interests"] != measured["interests"]
    assert made["preferences"] == measured["preferences"] != ships["preferences"]


@pytest.mark.slow
def test_a_calibrated_bank_is_never_replaced(load, normed):
    calibrated = normed.to_file()
    puzzle = next(each for each in calibrated["items"] if "key" in each)
    puzzle |= {"a": 1.3, "b": 0.4, "b_rule": puzzle["b"]}
    own, _ = ItemBank.objects.publish(make_successor(calibrated, CALIBRATED, ["2026.6-n1"]), by=BY)
    own.make_current(by=BY)

    printed = load(next_release())

    assert not printed["current"]
    assert ItemBank.objects.current() == own
