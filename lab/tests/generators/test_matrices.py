"""A matrix leads to one of its options; alone they differ where they should and lead nowhere."""

import json

import pytest

from lab.generators import build, matrices
from lab.tests.generators.matrix_solver import expected, options_that_follow, plain
from lab.tests.generators.sixty import opposite, share_right

SHIPPED = json.loads(json.dumps(build.family_items(matrices)))


def as_item(draft):
    """What the bank file would say about a draft."""
    options = [
        {"value": value, "figure": figure}
        for value, figure in enumerate(draft.option_figures, start=1)
    ]
    return {"figure": draft.figure, "options": options, "key": draft.key, "rule": draft.rule}


def made(seeds):
    return [
        as_item(matrices.generate(rule, seed, 1 + (seed + number) % 6))
        for number, rule in enumerate(matrices.RULES)
        for seed in seeds
    ]


# Beyond the sixty that are shipped.
MORE = made(range(300, 312))


def pictures(item):
    return [option["figure"]["cell"] for option in item["options"]]


@pytest.mark.parametrize("item", SHIPPED, ids=lambda item: item["code"])
def test_exactly_the_key_of_a_shipped_matrix_follows(item):
    assert options_that_follow(item) == [item["key"]]


def test_exactly_the_key_of_every_generated_matrix_follows():
    assert len(MORE) == 360
    for item in MORE:
        assert options_that_follow(item) == [item["key"]], item


def test_nothing_else_follows_even_beside_the_options():
    for item in SHIPPED:
        shown, key = item["figure"]["cells"][:-1], pictures(item)[item["key"] - 1]
        for name in key:
            assert expected(name, [cell[name] for cell in shown]) == {plain(key[name])}, item


@pytest.mark.parametrize(
    ("name", "nine", "sound"),
    [
        ("count", (1, 2, 3, 2, 3, 4, 3, 4, 5), True),
        ("count", (1, 2, 3, 2, 3, 4, 3, 4, 4), False),  # 5 follows
        ("count", (1, 1, 2, 2, 1, 3, 1, 3, 4), True),
        ("count", (1, 2, 3, 2, 1, 3, 1, 1, 2), False),  # the third column seems to stay at 3
        ("count", (1, 2, 3, 1, 2, 3, 2, 3, 4), False),  # also 5, as 1 + 2 = 3
        ("turn", (0, 90, 180, 45, 135, 225, 315, 45, 135), True),
        ("turn", (0, 90, 180, 45, 135, 225, 315, 45, 90), False),
        ("rays", ((0, 1), (1, 2), (0, 2), (3, 4), (4, 5), (3, 5), (2, 6), (6, 7), (2, 7)), True),
        # Whether a part that both have is kept is not to be seen.
        ("rays", ((0,), (1,), (0, 1), (2,), (3,), (2, 3), (4, 5), (5, 6), (4, 6)), False),
        # All the same numbers of parts but the last, for one who only counts.
        ("grid", ((0,), (1,), (0, 1), (2,), (3,), (2, 3), (4,), (5,), (4, 6)), False),
    ],
)
def test_a_matrix_that_does_not_lead_to_its_key_is_refused(name, nine, sound):
    assert matrices.is_sound({name: nine}) is sound


def test_a_matrix_in_which_two_attributes_seem_tied_is_refused():
    shapes = ("circle", "square", "star", "square", "star", "circle", "star", "circle", "square")
    turns = (90, 0, 270, 0, 270, 180, 270, 180, 90)
    others = (0, 90, 180, 45, 135, 225, 315, 45, 135)

    assert matrices.is_sound({"shape": shapes, "turn": others})
    # Both squares that are shown are upright, but the third one shall lie.
    assert matrices.is_sound({"turn": turns})
    assert not matrices.is_sound({"shape": shapes, "turn": turns})


def test_the_solver_sees_several_answers_where_there_are_several():
    shown = [{"count": count} for count in (1, 2, 3, 1, 2, 3, 2, 3)]
    options = [{"value": n, "figure": {"cell": {"count": n}}} for n in (1, 2, 3, 4, 5)]

    # The same three in each row, one more each time, or the first two together.
    assert options_that_follow({"figure": {"cells": [*shown, None]}, "options": options}) == [
        1,
        4,
        5,
    ]


def test_a_figure_has_a_text_alternative_that_is_the_same_for_all():
    alternatives = {item["figure"]["alt"]["en"] for item in SHIPPED}

    assert len(alternatives) == 1
    assert "empty" in alternatives.pop()


def test_the_example_is_solved_by_its_answer_and_is_not_among_the_items():
    example = matrices.EXAMPLE
    options = [{**each, "value": place} for place, each in enumerate(example["options"], start=1)]
    key = [each["label"]["en"] for each in options].index(example["answer"]["en"]) + 1
    # As a reader sees them: the inside goes up by one step.
    steps = {"empty": 1, "striped": 2, "solid": 3}

    def seen(picture):
        return {"shape": picture["shape"], "size": steps[picture["fill"]]}

    item = {
        "figure": {"cells": [*map(seen, example["figure"]["cells"][:-1]), None]},
        "options": [{**each, "figure": {"cell": seen(each["figure"]["cell"])}} for each in options],
    }
    assert options_that_follow(item) == [key]
    assert json.dumps(example["figure"]) not in {json.dumps(item["figure"]) for item in SHIPPED}


def test_every_attribute_in_which_options_differ_is_needed():
    for item in [*SHIPPED, *MORE]:
        options = pictures(item)
        key = options[item["key"] - 1]
        differ = {name for each in options for name in key if each[name] != key[name]}
        alone = [{n for n in key if each[n] != key[n]} for each in options]
        assert all({name} in alone for name in differ), item


# Ways to guess from the options alone. Each scores every option; the highest score wins.


def features(picture):
    """What can be seen in a picture, and what could but cannot."""
    found = set()
    for name, value in picture.items():
        if isinstance(value, list):
            found |= {(name, (part, part in value)) for part in range(9)}
        else:
            found.add((name, value))
    return found


def in_common(options):
    return [
        sum(len(features(each) & features(other)) for other in options if other is not each)
        for each in options
    ]


def attributes_in_common(options):
    return [
        sum(each[name] == other[name] for other in options for name in each) for each in options
    ]


def neighbours(options):
    return [
        sum(sum(each[name] != other[name] for name in each) == 1 for other in options)
        for each in options
    ]


def richness(options):
    def of(name, value):
        if isinstance(value, list):
            return len(value)
        if name == "fill":
            return ("empty", "striped", "solid").index(value)
        return value if name in ("size", "count") else 0

    return [sum(of(name, value) for name, value in each.items()) for each in options]


GUESSERS = {
    "most in common": in_common,
    "odd one out": opposite(in_common),
    "most attributes in common": attributes_in_common,
    "fewest attributes in common": opposite(attributes_in_common),
    "most slips away by one": neighbours,
    "richest": richness,
    "plainest": opposite(richness),
}


def hits(guess, items):
    return share_right((guess(pictures(item)), item["key"]) for item in items)


@pytest.mark.parametrize("name", GUESSERS)
def test_the_options_alone_give_the_key_away_no_better_than_chance(name):
    assert hits(GUESSERS[name], SHIPPED) <= 1 / 6 + 0.05
    assert hits(GUESSERS[name], MORE) <= 1 / 6 + 0.05


def test_a_guesser_finds_an_option_that_is_made_to_stand_out():
    shapes = ("cross", "star", "cross")
    item = {"options": [{"figure": {"cell": {"shape": shape}}} for shape in shapes], "key": 2}

    assert hits(opposite(in_common), [item]) == 1
    assert hits(in_common, [item]) == 0
