from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import replace
from itertools import product
from typing import Any

import pytest

from assessments.itembank import patterns, series
from assessments.itembank.build import FAMILIES, build
from assessments.itembank.items import CannotGenerate, Draft, rule_difficulty
from assessments.itembank.options import most_typical
from tests.assessments.itembank.solver import next_numbers

SHIPPED = [item for item in build()["items"] if item["section"] == "aptitude"]
MODULES = {"series": series, "patterns": patterns}
# More than ship: what the generators make of ten seeds a rule, with the key in every place.
GENERATED: list[Draft] = []
Guessed = tuple[Sequence[str], int]
for (family, rule), seed in product(
    [(family, rule) for family, module in MODULES.items() for rule in module.WRITERS], range(10)
):
    try:
        GENERATED.append(
            MODULES[family].generate(rule, 100 + seed, 1 + (seed + seed // 5) % 5, seed % 5 == 2)
        )
    except CannotGenerate:
        continue


def labels(item: dict[str, Any]) -> list[str]:
    return [option["label"]["en"] for option in item["options"]]


def places_of_signs(line: str) -> list[list[int]]:
    """Part a row into its places: "C4, E8, ?" is [[3, 5], [4, 8]]."""
    signs = line.removesuffix(", ?").split(", ")
    parts = [re.findall(r"\d+|[A-Z]", sign) for sign in signs]
    tracks = zip(*parts, strict=True)
    return [[int(p) if p.isdigit() else ord(p) - 64 for p in track] for track in tracks]


def follows(line: str) -> set[str]:
    """What the independent solver says comes next, as it would be written."""
    whole = line.removesuffix(", ?")
    if whole[0].isdigit():
        return {str(number) for number in next_numbers([int(n) for n in whole.split(", ")])}
    parts = re.findall(r"[A-Z]|\d+", whole.split(", ")[0])
    choices = [
        [
            str(value) if part.isdigit() else chr(64 + value)
            for value in next_numbers(track)
            if part.isdigit() or 1 <= value <= 26
        ]
        for part, track in zip(parts, places_of_signs(line), strict=True)
    ]
    return {"".join(combination) for combination in product(*choices)}


@pytest.mark.parametrize("item", SHIPPED, ids=lambda item: item["code"])
def test_exactly_one_option_of_a_shipped_item_follows(item: dict[str, Any]) -> None:
    following = follows(item["lines"][0])

    assert following == {labels(item)[item["key"] - 1]}
    assert [label for label in labels(item) if label in following] == [
        labels(item)[item["key"] - 1]
    ]


def test_exactly_one_option_of_every_generated_item_follows() -> None:
    assert len(GENERATED) > 90
    for draft in GENERATED:
        assert follows(draft.lines[0]) == {draft.options[draft.key - 1]}, draft


@pytest.mark.parametrize(
    ("shown", "key"),
    [
        ((3, 6, 9, 12, 15), 19),  # 18 follows
        ((3, 1, 4, 1, 5), 9),  # nothing follows
        ((12, 9, 6, 3), 0),  # not above 0
        ((80, 120, 160, 200), 240),  # sound, for comparison
        ((100, 150, 200, 250), 300),  # too large
        ((5, 5, 5, 5), 5),  # nothing moves
    ],
)
def test_a_row_that_does_not_lead_to_its_key_is_refused(shown: tuple[int, ...], key: int) -> None:
    assert series.is_sound(series.Row(shown, key, {})) is (key == 240)


@pytest.mark.parametrize(
    ("shown", "key", "kind", "sound"),
    [
        (((3,), (6,), (9,), (12,)), (15,), "letter", True),
        (((3,), (6,), (9,), (12,)), (16,), "letter", False),  # O follows, not P
        (((18,), (20,), (22,), (24,)), (26,), "letter", True),
        (((19,), (21,), (23,), (25,)), (27,), "letter", False),  # beyond Z
        (((1,), (5,), (9,)), (13,), "letter", False),  # A, E, I: the vowels
        (((2, 4), (4, 8), (6, 12)), (8, 16), "pair", True),
        (((5, 4), (7, 8), (9, 12)), (11, 16), "pair", False),  # I12 looks like 112
        (((2, 4), (4, 8), (6, 13)), (8, 16), "pair", False),  # the numbers have no rule
    ],
)
def test_a_pattern_that_does_not_lead_to_its_key_is_refused(
    shown: tuple[tuple[int, ...], ...], key: tuple[int, ...], kind: str, sound: bool
) -> None:
    assert patterns.is_sound(patterns.Pattern(shown, key, kind, {})) is sound


@pytest.mark.parametrize("family", FAMILIES)
def test_the_same_recipe_makes_the_same_item(family: str) -> None:
    generate, recipes = FAMILIES[family]

    for recipe in recipes:
        assert generate(*recipe) == generate(*recipe)


def test_another_seed_makes_another_item() -> None:
    lines = {series.generate("add", seed, 2).lines for seed in range(1, 9)}

    assert len(lines) > 3


def test_an_impossible_place_is_refused() -> None:
    with pytest.raises(CannotGenerate, match="key at 6"):
        series.generate("add", 1, place=6)


def test_an_unknown_rule_is_refused() -> None:
    with pytest.raises(KeyError):
        patterns.generate("no such rule", 1, place=1)


def test_five_different_options_each() -> None:
    for options in (*map(labels, SHIPPED), *(draft.options for draft in GENERATED)):
        assert len(options) == len(set(options)) == 5


def test_no_slip_leads_below_one_or_to_a_shown_number() -> None:
    row = series.Row((9, 12, 8, 11, 7, 10), 6, {})

    assert min(series.slips_of(row)) > 0
    assert not series.slips_of(row) & set(row.shown)


def test_no_slip_leads_back_in_a_row_that_only_rises() -> None:
    row = series.Row((10, 17, 24, 31, 38), 45, {})

    assert min(series.slips_of(row)) > 38


def test_no_option_was_shown_already() -> None:
    for item in SHIPPED:
        assert not set(labels(item)) & set(item["lines"][0].split(", "))


def test_options_stand_in_order() -> None:
    def in_order(label: str) -> tuple[str, int]:
        digits = re.sub(r"\D", "", label)
        return re.sub(r"\d", "", label), int(digits or 0)

    for item in SHIPPED:
        assert labels(item) == sorted(labels(item), key=in_order)


def test_no_two_stems_are_alike() -> None:
    stems = Counter((item["text"]["en"], *item["lines"]) for item in SHIPPED)

    assert max(stems.values()) == 1


def test_keys_are_spread_over_the_places() -> None:
    counts = Counter(item["key"] for item in SHIPPED)

    assert set(counts) == {1, 2, 3, 4, 5}
    assert max(counts.values()) - min(counts.values()) <= 1


def shared_signs(options: Sequence[str]) -> list[int]:
    """How many other options have the same sign in the same place, from either end."""
    return [
        sum(
            mine == theirs
            for other in options
            if other != option
            for mine, theirs in [
                *zip(option, other, strict=False),
                *zip(option[::-1], other[::-1], strict=False),
            ]
        )
        for option in options
    ]


def shared_kinds(options: Sequence[str]) -> list[int]:
    """How many other options are alike in being even, round, divisible by three, a vowel."""
    kinds = [
        (
            option[-1] in "02468BDFHJLNPRTVXZ",
            option[-1] in "05",
            option.isdigit() and int(option) % 3 == 0,
            option[0] in "AEIOU",
            len(option),
        )
        for option in options
    ]
    return [
        sum(a == b for other in kinds for a, b in zip(each, other, strict=True)) for each in kinds
    ]


def combined(options: Sequence[str]) -> list[int]:
    return [a + b for a, b in zip(shared_signs(options), shared_kinds(options), strict=True)]


def hits(guess: Callable[[Sequence[str]], list[int]], items: Sequence[Guessed]) -> float:
    """The share of items that the options with the highest figure would solve."""
    won = 0.0
    for options, key in items:
        figures = guess(options)
        best = [place for place, f in enumerate(figures, start=1) if f == max(figures)]
        won += (key in best) / len(best)
    return won / len(items)


GUESSERS: dict[str, Callable[[Sequence[str]], list[int]]] = {
    "shared signs": shared_signs,
    "shared kinds": shared_kinds,
    "both": combined,
    "least like the others": lambda options: [-figure for figure in combined(options)],
    "first": lambda options: [-place for place in range(5)],
    "middle": lambda options: [-abs(place - 2) for place in range(5)],
    "last": lambda options: list(range(5)),
}


@pytest.mark.parametrize("name", GUESSERS)
def test_the_options_alone_give_the_key_away_no_better_than_chance(name: str) -> None:
    shipped = [(labels(item), item["key"]) for item in SHIPPED]

    # Chance is .20, and one hit among twelve is .08: three at most.
    assert hits(GUESSERS[name], shipped) <= 0.25 + 1e-9


@pytest.mark.parametrize("name", GUESSERS)
def test_generated_options_give_the_key_away_no_better_than_chance(name: str) -> None:
    generated = [(draft.options, draft.key) for draft in GENERATED]

    assert 0.1 <= hits(GUESSERS[name], generated) <= 0.25


def test_the_most_typical_option_is_the_key_in_one_item_of_six() -> None:
    typical = [recipe.typical for _, (_, recipes) in FAMILIES.items() for recipe in recipes]

    assert typical.count(True) / len(typical) == pytest.approx(1 / 6)
    assert most_typical([12, 14, 24, 15, 16], lambda n: (n % 2, n // 10)) == [12, 14, 16]


def test_difficulty_is_spread_and_rises_along_a_family() -> None:
    for family in FAMILIES:
        difficulties = [item["b"] for item in SHIPPED if item["family"] == family]
        assert difficulties == sorted(difficulties), family
        assert difficulties[0] <= -1.2
        assert difficulties[-1] >= 1


def test_difficulty_is_the_sum_of_what_makes_an_item_hard() -> None:
    weights = {"operations": 1.0, "large": 0.3}

    assert rule_difficulty(-1.8, weights, {"operations": 1, "large": 1}) == -0.5
    assert rule_difficulty(-1.8, weights, {"operations": 9, "large": 0}) == 2.8
    assert rule_difficulty(-9.0, weights, {"operations": 1, "large": 0}) == -2.8


def test_parameters_follow_from_the_number_of_options() -> None:
    for item in SHIPPED:
        assert (item["a"], item["c"]) == (1.1, 0.18)
    assert replace(GENERATED[0], options=("1", "2", "3", "4", "5", "6")).guessing == 0.15
