"""What scoring reads of a bank's file; two banks compared; banks made from others; time left."""

import copy
import json

import pytest

from assessments.banks import SHIPPED
from measurement.bank import Bank
from measurement.bank_validation import validate
from measurement.layout import BAR_GAP, Layout
from measurement.norms import with_norms_from
from measurement.scales import Norm
from measurement.successor import (
    base_version,
    differ_in_norms_alone,
    make_successor,
    unchanged_items,
)
from measurement.validity import AnsweredItem
from tests.measurement.synthetic import bank_file

BANK = Bank.from_json(bank_file())
WHOLE = json.loads(SHIPPED.read_bytes())
STATEMENT, PUZZLE = (
    next(item["code"] for item in WHOLE["items"] if item["section"] == section)
    for section in ("interests", "aptitude")
)


def test_a_bank_is_read_from_its_file():
    assert (len(BANK.interests), len(BANK.preferences), len(BANK.aptitude)) == (48, 16, 24)
    assert BANK.norms["realistic"] == Norm(3.0, 0.9)
    # Attention checks are known and not scored.
    assert BANK.instructed == {"int-check-1": 2, "int-check-2": 4}
    assert not BANK.interests.keys() & {"int-check-1", "int-check-2"}
    assert BANK.sections["int-check-1"] == "interests"


def test_clones_share_template_and_radicals_within_a_family():
    data = bank_file()
    series = [item for item in data["items"] if item.get("family") == "series"]
    series[1]["radicals"] = dict(series[0]["radicals"])

    items = Bank.from_json(data).aptitude

    assert items["apt-series-00"].clone == items["apt-series-01"].clone
    assert items["apt-series-00"].clone != items["apt-series-02"].clone
    assert items["apt-series-00"].clone != items["apt-patterns-00"].clone


def test_responses_come_in_the_order_of_codes_whatever_the_order_of_answers():
    codes = [*BANK.aptitude][::-1]

    responses = BANK.mark_puzzles(dict.fromkeys([*codes, "int-R-01"], 1))

    assert [response.item.code for response in responses] == sorted(codes)


def changed(change, code=""):
    """Return the shipped bank after a change of it, or of the item with this code."""
    data = copy.deepcopy(WHOLE)
    change(next(item for item in data["items"] if item["code"] == code) if code else data)
    return data


@pytest.mark.parametrize(
    ("in_norms_alone", "change", "code"),
    [
        (True, lambda d: d.update(version="2027.1", succeeds="2026.5", norms_from=40), ""),
        (True, lambda d: d["norms"]["interests"]["social"].update(mean=3.6), ""),
        (True, lambda d: d["norms"]["statements"][0].update(sd=0.9), ""),
        (True, lambda d: d["sections"][0].pop("seconds"), ""),
        (False, lambda d: d["matching"].update(leading=5), ""),
        (False, lambda d: d["sections"][0]["title"].update(en="Another"), ""),
        (False, lambda d: d["items"].pop(), ""),
        (False, lambda item: item.update(b=0.4, b_rule=item["b"]), PUZZLE),
        (False, lambda item: item["text"].update(hi="कुछ और"), STATEMENT),
    ],
)
def test_whether_two_banks_differ_in_norms_alone(in_norms_alone, change, code):
    assert differ_in_norms_alone(WHOLE, changed(change, code)) is in_norms_alone


@pytest.mark.parametrize(
    ("code", "is_unchanged", "change"),
    [
        (STATEMENT, True, lambda item: item["text"].update(hi="कुछ और")),
        (STATEMENT, True, lambda item: item.update(order=9999, fields=["law"])),
        (STATEMENT, False, lambda item: item["text"].update(en="Something else")),
        (STATEMENT, False, lambda item: item.update(scale="social")),
        (PUZZLE, True, lambda item: item.update(a=1.3, b=0.4, b_rule=item["b"], seconds=41)),
    ],
)
def test_whether_an_item_asks_the_same_in_both_banks(code, is_unchanged, change):
    every = {item["code"] for item in WHOLE["items"]}

    unchanged = unchanged_items(WHOLE, changed(change, code))

    assert unchanged == (every if is_unchanged else every - {code})


@pytest.mark.parametrize(
    ("version", "letter", "taken", "expected"),
    [
        ("2026.2", "c", ["2026.2", "2026.2-c1"], "2026.2-c2"),
        ("2026.2-c1", "n", ["2026.2", "2026.2-c1"], "2026.2-n2"),
        ("2026.2", "n", ["2026.2-c1", "2026.2-c3"], "2026.2-n2"),
        # Others' numbers are not in the way.
        ("2026.2", "c", ["2026.1-c1", "12026.2-c1", "2026.2-own1", "2026.2-c1-x"], "2026.2-c1"),
    ],
)
def test_a_successor_has_the_next_version_and_names_the_bank_it_succeeds(
    version, letter, taken, expected
):
    bank = make_successor({"version": version, "dont_know": {}}, letter, taken)

    assert bank == {"version": expected, "succeeds": version, "dont_know": {}}
    assert base_version(version) == base_version(expected)


def test_new_norms_leave_the_old_bank_as_it_was(small_bank):
    before = copy.deepcopy(small_bank)
    preferences = [item for item in small_bank["items"] if item["section"] == "preferences"]
    given = [AnsweredItem(item["code"], 3 + item["keyed"], 20.0) for item in preferences]

    new = with_norms_from(small_bank, [given] * 30)

    expected = copy.deepcopy(before) | {"norms_from": 30, "starting_norms": before["norms"]}
    for norm in expected["norms"]["preferences"].values():
        norm |= {"mean": round((30 * 4 + 5 * norm["mean"]) / 35, 4), "sd": 0.5}
    expected["sections"][3]["seconds"] = 160
    assert new == expected
    assert with_norms_from(new, [given] * 30)["norms"] == new["norms"]
    assert small_bank == before
    assert validate(new) == []


def section(code, given, seconds):
    about = {"title": {}, "intro": {}, "per_page": 1}
    return {"code": code, "items_given": given, "seconds": seconds, **about}


LAYOUT = Layout.from_sections([section("interests", 10, 60), section("aptitude", 4, 240)])


@pytest.mark.parametrize(
    ("interests", "aptitude", "minutes"), [(0, 0, 5), (10, 0, 4), (10, 1, 3), (5, 0, 5), (10, 4, 1)]
)
def test_the_time_left_is_that_of_the_open_questions(interests, aptitude, minutes):
    assert LAYOUT.minutes_left({"interests": interests, "aptitude": aptitude}) == minutes


def test_bars_are_as_wide_as_their_time_and_fill_with_the_answers():
    first, second = LAYOUT.bars({"interests": 5, "aptitude": 0})

    assert second["width"] == pytest.approx(4 * first["width"])
    assert first["filled"] == first["width"] / 2
    assert second["filled"] == 0
    assert second["start"] == first["width"] + BAR_GAP
    assert second["start"] + second["width"] == pytest.approx(100)
