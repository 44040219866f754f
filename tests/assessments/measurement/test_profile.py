from __future__ import annotations

import json
import random
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from assessments.itembank.build import build
from assessments.measurement.ability import eap
from assessments.measurement.bank import DONT_KNOW, Bank, Weights
from assessments.measurement.profile import OVERALL, Profile, score
from assessments.measurement.scales import INTERESTS, Norm

DATA = build()
BANK = Bank.from_json(DATA)


def answers(rng: random.Random) -> dict[str, int]:
    return {
        item["code"]: rng.randint(0, len(item["options"]))
        if item["section"] == "aptitude"
        else rng.randint(1, 5)
        for item in DATA["items"]
    }


def all_answers(statement: int, aptitude: int | None = None) -> dict[str, int]:
    """The same answer to all statements; aptitude as given, or by the key."""
    return {
        item["code"]: (item["key"] if aptitude is None else aptitude)
        if item["section"] == "aptitude"
        else statement
        for item in DATA["items"]
    }


def test_a_bank_is_read_from_its_file() -> None:
    assert len(BANK.interests) == 24
    assert len(BANK.preferences) == 8
    assert len(BANK.aptitude) == 12
    assert BANK.norms["realistic"] == Norm(3.0, 0.9)
    assert BANK.weights == Weights(0.65, 0.30, 0.05)
    assert BANK.family_targets() == {"patterns": 0.5, "series": 0.5}


def test_only_the_key_is_correct() -> None:
    for code, key in BANK.keys.items():
        correct = [c for c in range(DONT_KNOW, 6) if BANK.responses({code: c})[0].correct]

        assert correct == [key]


def test_responses_come_in_the_order_of_codes_whatever_the_order_of_answers() -> None:
    codes = [*BANK.aptitude][::-1]

    responses = BANK.responses(dict.fromkeys([*codes, "int-R-01"], 1))

    assert [response.item.code for response in responses] == sorted(codes)


def test_each_part_is_scored() -> None:
    given_answers = all_answers(3)
    given_answers |= {code: 5 for code, s in BANK.interests.items() if s.scale == "artistic"}
    given_answers |= {
        code: 5 if s.keyed == 1 else 1
        for code, s in BANK.preferences.items()
        if s.scale == "planned_flexible"
    }

    profile = score(BANK, given_answers)

    assert profile.interests.scales["artistic"].mean == 5
    assert profile.interests.z == (0, 0, 2.2222, 0, 0, 0)
    assert profile.preferences["planned_flexible"].z == 2.2222
    assert profile.preferences["alone_group"].z == 0
    assert profile.aptitude[OVERALL].theta > 1


def test_aptitude_is_the_estimate_from_the_marks() -> None:
    profile = score(BANK, all_answers(3, aptitude=DONT_KNOW))

    expected = eap(BANK.responses(all_answers(3, aptitude=DONT_KNOW)))
    assert profile.aptitude[OVERALL].theta == pytest.approx(expected.theta, abs=5e-5)
    assert profile.aptitude[OVERALL].theta < -1


@given(st.integers(0, 2**32))
def test_a_stored_profile_equals_a_rescored_one(seed: int) -> None:
    rng = random.Random(seed)
    given_answers = answers(rng)
    profile = score(BANK, given_answers)
    codes = rng.sample(list(given_answers), len(given_answers))

    # As a JSON column may hand it back: keys in another order, 3.0 as 3.
    stored = json.loads(json.dumps(profile.to_json(), sort_keys=True).replace(".0,", ","))

    assert Profile.from_json(stored) == profile
    assert Profile.from_json(stored).to_json() == profile.to_json()
    assert score(BANK, {code: given_answers[code] for code in codes}) == profile


def test_figures_are_rounded_to_four_decimals() -> None:
    def figures(value: Any) -> list[float]:
        if isinstance(value, dict):
            return [figure for each in value.values() for figure in figures(each)]
        return [value]

    profile = score(BANK, answers(random.Random(1)))

    assert all(figure == round(figure, 4) for figure in figures(profile.to_json()))


def test_the_plain_values_name_every_scale() -> None:
    stored = score(BANK, all_answers(4)).to_json()

    assert list(stored["interests"]) == list(INTERESTS)
    assert stored["interests"]["social"] == {"mean": 4.0, "z": 1.1111}
    assert stored["differentiation"] == 0
    assert set(stored["aptitude"]["overall"]) == {"theta", "se"}


def test_an_answer_to_an_unknown_item_is_refused() -> None:
    with pytest.raises(KeyError, match="int-X-09"):
        score(BANK, {**all_answers(3), "int-X-09": 3})


def test_an_unfinished_attempt_is_refused() -> None:
    unfinished = dict.fromkeys(BANK.interests, 3)

    with pytest.raises(ValueError, match="alone_group"):
        score(BANK, unfinished)
