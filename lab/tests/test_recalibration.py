"""The file of a bank with new parameters: what changes, what stays."""

import json
from copy import deepcopy
from typing import Any

import pytest

from lab.calibration import ItemEstimate
from lab.generators.build import SHIPPED
from lab.recalibration import expected_difficulties, marked, recalibrate, with_estimates
from lab.refusal import Refusal
from measurement.bank import Bank
from measurement.bank_validation import validate
from measurement.validity import AnsweredItem

Data = dict[str, Any]
WHOLE = json.loads(SHIPPED.read_bytes())
CODE = "apt-series-01"


def item(data, code=CODE):
    return next(each for each in data["items"] if each["code"] == code)


def estimate(a, b):
    return ItemEstimate(a, b, se_a=0.2, se_b=0.3, answers=50)


def test_new_estimates():
    before = deepcopy(WHOLE)
    old = item(WHOLE)

    new = with_estimates(WHOLE, {CODE: estimate(1.23456789, -0.5)}, {CODE: 41})

    assert item(new) == old | {
        **{"a": 1.2346, "b": -0.5, "b_rule": old["b"], "b_sd": 0.3, "seconds": 41}
    }
    assert [each for each in new["items"] if each["code"] != CODE] == [
        each for each in WHOLE["items"] if each["code"] != CODE
    ]
    assert before == WHOLE
    assert validate(new) == []


def test_extreme_estimates_are_kept_within_what_a_bank_allows():
    new = with_estimates(WHOLE, {CODE: estimate(7.5, -8.0)}, {})

    assert (item(new)["a"], item(new)["b"]) == (3.0, -4.0)
    assert validate(new) == []


def test_the_rules_difficulty_survives_calibrations():
    rule = item(WHOLE)["b"]

    once = with_estimates(WHOLE, {CODE: estimate(1.0, 1.5)}, {})
    twice = with_estimates(once, {CODE: estimate(1.0, 1.9)}, {})

    assert expected_difficulties(WHOLE)[CODE] == expected_difficulties(twice)[CODE] == rule


def test_a_rushed_answer_does_not_count():
    bank = Bank.from_json(WHOLE)
    key = bank.keys[CODE]

    assert marked(bank, [AnsweredItem(CODE, key, 30.0)]) == {CODE: True}
    assert marked(bank, [AnsweredItem(CODE, key, 1.0)]) == {}


def test_too_few_attempts_are_refused():
    with pytest.raises(Refusal, match="99 valid attempts; at least 100"):
        recalibrate(WHOLE, [[AnsweredItem(CODE, 1, 30.0)]] * 99)
