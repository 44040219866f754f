from __future__ import annotations

import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from assessments.measurement.response_model import AptitudeItem, Response
from assessments.measurement.selection import NoItemLeft, next_item

EQUAL = {"series": 0.5, "patterns": 0.5}


def item(code: str, family: str, b: float) -> AptitudeItem:
    return AptitudeItem(code, family, 1.1, b, 0.18)


BANK = [
    *(item(f"s{n}", "series", -1.8 + 0.6 * n) for n in range(6)),
    *(item(f"p{n}", "patterns", -1.5 + 0.6 * n) for n in range(6)),
]


def sitting(ability_is_above: float, bank: list[AptitudeItem] = BANK) -> list[str]:
    """The codes given to somebody who solves all items up to this difficulty and no other."""
    answered: list[Response] = []
    by_code = {each.code: each for each in bank}
    for _ in bank:
        chosen = by_code[next_item(bank, answered, EQUAL)]
        answered.append(Response(chosen, chosen.b <= ability_is_above))
    return [response.item.code for response in answered]


def test_the_family_that_lags_most_comes_next() -> None:
    answered = [Response(BANK[0], True), Response(BANK[1], True), Response(BANK[6], True)]

    assert next_item(BANK, answered, EQUAL).startswith("p")


def test_families_follow_unequal_targets_all_along() -> None:
    targets = {"series": 3, "patterns": 1}
    answered: list[Response] = []
    for _ in range(8):
        code = next_item(BANK, answered, targets)
        answered.append(Response(next(each for each in BANK if each.code == code), True))

    families = [response.item.family for response in answered]
    assert families[:4].count("patterns") == 1
    assert families.count("patterns") == 2


def test_the_item_nearest_to_the_estimate_comes_next() -> None:
    bank = [item("easy", "series", -2), item("fitting", "series", 0.9), item("hard", "series", 3)]

    # With guessing an item is most informative a little above its difficulty.
    assert next_item(bank, [], {"series": 1}, theta=1.1) == "fitting"
    assert next_item(bank, [], {"series": 1}, theta=-2) == "easy"
    assert next_item(bank, [], {"series": 1}, theta=3) == "hard"


def test_right_answers_lead_to_harder_items() -> None:
    strong, weak = sitting(9), sitting(-9)
    difficulty = {each.code: each.b for each in BANK}

    assert strong[:2] == weak[:1] + strong[1:2]
    assert sum(difficulty[code] for code in strong[1:5]) > sum(
        difficulty[code] for code in weak[1:5]
    )


def test_equal_items_go_by_code() -> None:
    twins = [item("b", "series", 0), item("a", "series", 0), item("c", "series", 0)]

    assert next_item(twins, [], {"series": 1}) == "a"


def test_no_item_is_given_twice_and_all_are_given() -> None:
    assert sorted(sitting(0)) == sorted(each.code for each in BANK)


def test_an_empty_family_gives_way_to_the_others() -> None:
    bank = [item("s0", "series", 0), item("p0", "patterns", 0), item("p1", "patterns", 0)]
    answered = [Response(bank[0], True), Response(bank[1], True)]

    assert next_item(bank, answered, {"series": 5, "patterns": 1}) == "p1"


def test_a_family_without_a_target_is_left_out() -> None:
    with pytest.raises(NoItemLeft):
        next_item([item("s0", "series", 0)], [], {"patterns": 1})


def test_nothing_left_is_refused() -> None:
    bank = [item("s0", "series", 0)]

    with pytest.raises(NoItemLeft):
        next_item(bank, [Response(bank[0], False)], {"series": 1})


@given(st.floats(-3, 3), st.randoms(use_true_random=False))
def test_the_order_of_candidates_does_not_matter(threshold: float, rng: random.Random) -> None:
    assert sitting(threshold, rng.sample(BANK, len(BANK))) == sitting(threshold)
