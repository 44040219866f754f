from __future__ import annotations

import re
from collections import Counter

import pytest

from assessments.itembank.build import build
from assessments.measurement.scales import INTERESTS, PREFERENCES

ITEMS = build()["items"]
INTEREST_ITEMS = [item for item in ITEMS if item["section"] == "interests"]
PREFERENCE_ITEMS = [item for item in ITEMS if item["section"] == "preferences"]
STATEMENTS = [item["text"]["en"] for item in (*INTEREST_ITEMS, *PREFERENCE_ITEMS)]

# Words that would make a statement somebody's rather than everybody's.
PERSONAL = re.compile(
    r"\b(he|she|his|her|him|boys?|girls?|men|man|women|woman|father|mother|brother|sister|"
    r"caste|religion|god|temple|mosque|church|prayer|hindu|muslim|christian|sikh)\b",
    re.IGNORECASE,
)


def test_four_statements_for_each_interest() -> None:
    assert Counter(item["scale"] for item in INTEREST_ITEMS) == dict.fromkeys(INTERESTS, 4)


def test_interests_take_turns_in_the_order_of_the_types() -> None:
    assert [item["scale"] for item in INTEREST_ITEMS] == [*INTERESTS] * 4


def test_each_preference_is_asked_from_both_ends() -> None:
    keys = Counter((item["scale"], item["keyed"]) for item in PREFERENCE_ITEMS)

    assert keys == {(scale, keyed): 1 for scale in PREFERENCES for keyed in (1, -1)}


def test_no_two_statements_are_alike() -> None:
    assert len({text.casefold() for text in STATEMENTS}) == 32


@pytest.mark.parametrize("text", STATEMENTS)
def test_a_statement_is_short_and_about_anybody(text: str) -> None:
    assert not PERSONAL.search(text)
    assert len(text.split()) <= 18
    assert max(len(word) for word in text.split()) <= 11


def test_realistic_statements_come_from_more_than_the_workshop() -> None:
    text = " ".join(i["text"]["en"] for i in INTEREST_ITEMS if i["scale"] == "realistic")

    for place in ("phone", "vegetables", "kitchen", "science", "wood"):
        assert place in text
