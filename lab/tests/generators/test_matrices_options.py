"""The options of a matrix differ where they should, and alone they lead nowhere."""

import pytest

from lab.tests.generators.matrix_items import MORE, SHIPPED, pictures
from lab.tests.generators.sixty import share_right


def test_every_attribute_in_which_options_differ_is_needed():
    for item in [*SHIPPED, *MORE]:
        options = pictures(item)
        key = options[item["key"] - 1]
        differ = {name for each in options for name in key if each[name] != key[name]}
        alone = [{n for n in key if each[n] != key[n]} for each in options]
        assert all({name} in alone for name in differ), item


# Somebody who sees only the options: each guesser gives every option a figure, the highest wins.


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


def opposite(guess):
    return lambda options: [-figure for figure in guess(options)]


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
