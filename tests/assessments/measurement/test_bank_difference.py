"""What a release changes of a bank: norms alone, or what students are asked."""

from __future__ import annotations

import copy
import json
from collections.abc import Callable
from typing import Any

import pytest

from assessments.banks import SHIPPED
from assessments.measurement.successor import differ_in_norms_alone, unchanged_items

Data = dict[str, Any]
WHOLE: Data = json.loads(SHIPPED.read_bytes())
STATEMENT, PUZZLE = (
    next(item["code"] for item in WHOLE["items"] if item["section"] == section)
    for section in ("interests", "aptitude")
)


def changed(change: Callable[[Data], object], code: str = "") -> Data:
    """Return a copy of the bank, or with a code of this item in it, after a change."""
    data = copy.deepcopy(WHOLE)
    change(next(item for item in data["items"] if item["code"] == code) if code else data)
    return data


@pytest.mark.parametrize(
    "change",
    [
        lambda data: data.update(version="2027.1", succeeds="2026.4", norms_from=40),
        lambda data: data["norms"]["interests"]["social"].update(mean=3.6),
        lambda data: data["norms"]["statements"][0].update(sd=0.9),
        lambda data: data["sections"][0].update(seconds=222),
        lambda data: data["sections"][0].pop("seconds"),
    ],
)
def test_norms_and_usual_times_are_norms_alone(change: Any) -> None:
    assert differ_in_norms_alone(WHOLE, changed(change))


@pytest.mark.parametrize(
    ("change", "code"),
    [
        (lambda data: data["matching"].update(leading=5), ""),
        (lambda data: data["sections"][0]["title"].update(en="Another"), ""),
        (lambda data: data["items"].pop(), ""),
        (lambda item: item.update(b=0.4, b_rule=item["b"]), PUZZLE),
        (lambda item: item["text"].update(hi="कुछ और"), STATEMENT),
    ],
)
def test_everything_else_is_not(change: Any, code: str) -> None:
    assert not differ_in_norms_alone(WHOLE, changed(change, code))


@pytest.mark.parametrize(
    ("change", "is_unchanged"),
    [
        (lambda item: item["text"].update(hi="कुछ और"), True),
        (lambda item: item.update(order=9999, fields=["law"]), True),
        (lambda item: item["text"].update(en="Something else"), False),
        (lambda item: item.update(scale="social"), False),
        (lambda item: item.update(code="int-new"), False),
    ],
)
def test_a_statement_is_unchanged_if_it_asks_the_same(change: Any, is_unchanged: bool) -> None:
    unchanged = unchanged_items(WHOLE, changed(change, STATEMENT))

    every = {item["code"] for item in WHOLE["items"]}
    assert unchanged == (every if is_unchanged else every - {STATEMENT})


def test_a_calibrated_puzzle_asks_the_same() -> None:
    data = changed(lambda item: item.update(a=1.3, b=0.4, b_rule=item["b"], seconds=41), PUZZLE)

    assert PUZZLE in unchanged_items(WHOLE, data)
