from __future__ import annotations

import copy
import json
from typing import Any

import pytest

from assessments.banks import SHIPPED
from assessments.measurement.bank_validation import validate
from assessments.measurement.carried_norms import differ_in_norms_alone, with_norms_of

Data = dict[str, Any]


@pytest.fixture
def new() -> Data:
    data: Data = json.loads(SHIPPED.read_bytes())
    return data


@pytest.fixture
def old(new: Data) -> Data:
    """Return the same bank with norms of 45 students."""
    data = copy.deepcopy(new) | {"norms_from": 45}
    for norm in data["norms"]["statements"]:
        norm |= {"mean": 3.5, "sd": 1.1}
    for norm in data["norms"]["interests"].values():
        norm |= {"mean": 3.5, "sd": 0.7}
    data["norms"]["fields"]["means"] = [0.01] * 22
    data["sections"][0]["seconds"] = 222
    return data


def item(data: Data, code: str) -> Data:
    found: Data = next(each for each in data["items"] if each["code"] == code)
    return found


def norm(data: Data, code: str) -> Data:
    found: Data = next(each for each in data["norms"]["statements"] if each["code"] == code)
    return found


def test_all_norms_hold_where_only_puzzles_changed(old: Data, new: Data) -> None:
    item(new, "apt-series-01")["a"] = 0.77

    carried = with_norms_of(old, new)

    assert carried["norms"] == old["norms"]
    assert carried["sections"] == old["sections"]
    assert carried["norms_from"] == 45
    assert carried["items"] == new["items"]


def test_a_new_text_has_its_starting_norm(old: Data, new: Data) -> None:
    item(new, "int-mixer")["text"]["en"] = "Repair a lorry"

    carried = with_norms_of(old, new)

    assert norm(carried, "int-mixer") == norm(new, "int-mixer")
    assert norm(carried, "int-cows") == norm(old, "int-cows")
    # five of six statements of the type are known: (5 * 3.5 + 3.0) / 6
    assert carried["norms"]["interests"]["realistic"] == {"mean": 3.4167, "sd": 0.9}
    assert carried["norms"]["interests"]["social"] == {"mean": 3.5, "sd": 0.7}
    assert carried["norms"]["fields"] == new["norms"]["fields"]
    assert carried["sections"][0]["seconds"] == new["sections"][0]["seconds"]
    assert validate(carried) == []


def test_norms_hold_where_only_names_answers_checks_and_translations_changed(
    old: Data, new: Data
) -> None:
    item(new, "int-mixer")["text"]["hi"] = "रसोई का मिक्सर ठीक करना"
    item(new, "int-check-1")["text"]["en"] = "Choose “Great” here."
    new["answers"]["interests"][3]["label"]["en"] = "Great"
    new["fields"][0]["name"]["en"] = "engines"

    carried = with_norms_of(old, new)

    assert carried["norms"] == old["norms"]
    assert carried["sections"] == old["sections"]
    assert carried["norms_from"] == 45
    assert carried["answers"] == new["answers"]


def test_another_field_of_a_statement_leaves_the_norms_of_fields(old: Data, new: Data) -> None:
    item(new, "int-mixer")["fields"] = ["building", "machines"]

    carried = with_norms_of(old, new)

    assert norm(carried, "int-mixer") == norm(old, "int-mixer")
    assert carried["norms"]["interests"] == old["norms"]["interests"]
    assert carried["norms"]["fields"] == new["norms"]["fields"]


def test_one_new_text_begins_the_count_anew(old: Data, new: Data) -> None:
    item(new, "int-mixer")["text"]["en"] += " again"

    assert "norms_from" not in with_norms_of(old, new)


def test_norms_of_fields_hold_only_in_the_same_order_of_fields(old: Data, new: Data) -> None:
    new["fields"][:2] = new["fields"][1::-1]

    carried = with_norms_of(old, new)

    assert carried["norms"]["fields"] == new["norms"]["fields"]
    assert "norms_from" not in carried


def test_nothing_in_common_changes_nothing(old: Data, new: Data) -> None:
    for each in new["items"]:
        each["text"] = {language: f"{text} again" for language, text in each["text"].items()}

    assert with_norms_of(old, new) == new


def test_a_bank_of_types_has_nothing_for_one_of_fields(new: Data, small_bank: Data) -> None:
    assert with_norms_of(small_bank | {"norms_from": 120}, new) == new
    assert with_norms_of(new | {"norms_from": 120}, small_bank) == small_bank


def test_norms_and_usual_seconds_are_norms_alone(old: Data, new: Data) -> None:
    assert differ_in_norms_alone(new, old)
    assert differ_in_norms_alone(new, old | {"version": "x", "made_from": ["y"]})


@pytest.mark.parametrize(
    "change",
    [
        lambda data: item(data, "apt-series-01").update(a=0.77),
        lambda data: item(data, "int-mixer")["text"].update(en="Repair a lorry"),
        lambda data: data["items"].pop(),
        lambda data: data.update(reference="students"),
        lambda data: data["matching"].update(leading=5),
        lambda data: data["fields"].reverse(),
        lambda data: data["sections"][0].update(per_page=6),
    ],
)
def test_anything_else_is_more_than_norms(old: Data, new: Data, change: Any) -> None:
    change(old)

    assert not differ_in_norms_alone(new, old)
