"""Letter and number patterns: one sign follows, or is made alike, and the options don't tell it."""

import re
from itertools import product

import pytest

from lab.generators import patterns
from lab.generators.patterns import rows
from lab.generators.patterns.rows import Pattern
from lab.generators.patterns.signs import is_writable
from lab.tests.generators.group_solver import made_alike
from lab.tests.generators.sixty import share_right, sixty
from lab.tests.generators.solver import next_numbers

ITEMS = sixty(patterns)
MORE = sixty(patterns, 200)
ROWS = [rule for rule, make in patterns.WRITERS.items() if make.__module__ == rows.__name__]


def labels(draft):
    return [option["en"] for option in draft.options]


def parts(sign):
    return re.findall(r"\d+|[A-Z]", sign)


def following(line):
    """What the independent solver says comes next, as it would be written."""
    signs = [parts(sign) for sign in line.removesuffix(", ?").split(", ")]
    choices = []
    for track in zip(*signs, strict=True):
        if track[0].isdigit():
            choices.append([str(number) for number in next_numbers([int(each) for each in track])])
        else:
            places = next_numbers([ord(letter) - 64 for letter in track])
            choices.append([chr(64 + place) for place in places if 1 <= place <= 26])
    return {"".join(combination) for combination in product(*choices)}


@pytest.mark.parametrize("rule", ROWS)
def test_exactly_one_option_follows(rule):
    for draft in (ITEMS + MORE).of_rule(rule):
        assert following(draft.lines[0]) == {labels(draft)[draft.key - 1]}, draft


@pytest.mark.parametrize("rule", [rule for rule in patterns.RULES if rule not in ROWS])
def test_exactly_one_option_is_made_like_the_examples(rule):
    for draft in (ITEMS + MORE).of_rule(rule):
        examples = draft.lines[0].split(", ")

        assert made_alike(examples, labels(draft)) == [labels(draft)[draft.key - 1]], draft
        assert len(set(examples)) == 4, draft
        assert not set(examples) & set(labels(draft)), draft


@pytest.mark.parametrize(
    ("shown", "key", "form", "sound"),
    [
        (((3,), (6,), (9,), (12,)), (15,), "L", True),
        (((3,), (6,), (9,), (12,)), (16,), "L", False),  # O follows, not P
        (((18,), (20,), (22,), (24,)), (26,), "L", True),
        (((19,), (21,), (23,), (25,)), (27,), "L", False),  # beyond Z
        (((1,), (5,), (9,)), (13,), "L", False),  # A, E, I: the vowels
        (((22,), (1,), (19,), (5,), (16,), (9,), (13,)), (13,), "L", False),  # again, by turns
        (((2, 4), (4, 8), (6, 12)), (8, 16), "LN", True),
        (((5, 4), (7, 8), (9, 12)), (11, 16), "LN", False),  # I12 looks like 112
        (((2, 4), (4, 8), (6, 13)), (8, 16), "LN", False),  # the numbers have no rule
    ],
)
def test_a_row_that_does_not_lead_to_its_key_is_refused(shown, key, form, sound):
    assert patterns.is_sound(Pattern(shown, key, form, {})) is sound


def test_a_key_that_lacks_what_the_examples_share_is_refused():
    examples = [(2, 4, 6), (13, 15, 17), (8, 10, 12), (19, 21, 23)]  # BDF, MOQ, HJL, SUW
    even = [(2, 4, 6), (8, 10, 12), (18, 20, 22), (20, 22, 24)]

    assert patterns.is_alone((14, 16, 18), examples, [(14, 16, 19), (4, 5, 8)], "LLL")
    assert not patterns.is_alone((14, 16, 18), examples, [(16, 18, 20), (2, 4, 6)], "LLL")
    assert not patterns.is_alone((11, 13, 15), even, [(4, 6, 9)], "LLL")


def test_no_group_is_a_word_or_taken_for_another():
    assert not is_writable((3, 1, 20), "LLL")  # CAT
    assert not is_writable((19, 20, 15, 16), "LLLL")  # STOP
    assert is_writable((2, 11, 5, 14), "LLLL")  # BKEN
    assert not is_writable((15, 3), "LN")  # O3
    assert not is_writable((27,), "L")
    assert not is_writable((1, 0, 3), "DDD")


def test_no_single_place_of_a_sign_gives_the_key_of_a_row_away():
    for draft in ITEMS + MORE:
        if draft.rule not in ROWS:
            continue
        key = parts(labels(draft)[draft.key - 1])
        if len(key) > 1:
            for place, part in enumerate(key):
                assert sum(parts(each)[place] == part for each in labels(draft)) > 1


def test_the_alphabet_is_at_hand_wherever_there_are_letters():
    for draft in ITEMS:
        has_letters = any(re.search("[A-Z]", label) for label in labels(draft))
        assert bool(draft.passage) is has_letters


def shared_signs(options):
    """How many other options have the same sign in the same place, from either end."""
    return [
        sum(
            mine == theirs
            for other in options
            if other != option
            for way in (1, -1)
            for mine, theirs in zip(option[::way], other[::way], strict=False)
        )
        for option in options
    ]


def shared_kinds(options):
    """How many other options are alike in being even, beginning with a vowel, and in length."""
    kinds = [(each[-1] in "02468BDFHJLNPRTVXZ", each[0] in "AEIOU", len(each)) for each in options]
    return [
        sum(a == b for other in kinds for a, b in zip(each, other, strict=True)) for each in kinds
    ]


def combined(options):
    return [a + b for a, b in zip(shared_signs(options), shared_kinds(options), strict=True)]


def moves(option):
    places = [int(part) if part.isdigit() else ord(part) - 64 for part in parts(option)]
    return [b - a for a, b in zip(places, places[1:], strict=False)]


def shared_moves(options):
    """How many other options go from one place to the next by the same step."""
    return [
        sum(a == b for o in options for a, b in zip(moves(option), moves(o), strict=True))
        for option in options
    ]


GUESSERS = {
    "shared signs": shared_signs,
    "shared kinds": shared_kinds,
    "both": combined,
    "least like the others": lambda options: [-figure for figure in combined(options)],
    "shared steps": shared_moves,
    "own steps": lambda options: [-figure for figure in shared_moves(options)],
    "even steps": lambda options: [-len(set(moves(option))) for option in options],
    "small steps": lambda options: [-sum(map(abs, moves(option))) for option in options],
    "most different signs": lambda options: [len(set(option)) for option in options],
    "longest": lambda options: [len(option) for option in options],
    "shortest": lambda options: [-len(option) for option in options],
    "first": lambda options: [-place for place in range(5)],
    "middle": lambda options: [-abs(place - 2) for place in range(5)],
    "last": lambda options: list(range(5)),
}


@pytest.mark.parametrize("name", GUESSERS)
def test_the_options_alone_are_no_better_than_chance(name):
    guesses = ((GUESSERS[name](labels(draft)), draft.key) for draft in ITEMS)
    assert share_right(guesses) <= 1 / 5 + 0.05 + 1e-9


def test_the_example_is_worked_out_and_not_in_the_bank():
    example = patterns.EXAMPLE

    assert following(example["lines"][0]) == {example["answer"]["en"]}
    assert example["answer"] in [each["label"] for each in example["options"]]
    assert tuple(example["lines"]) not in {draft.lines for draft in ITEMS}
