"""Guess among options that are numbers without reading the question.

Each way gives every option a figure; the highest is taken, and among equals one by lot.
"""

import math
import re
from itertools import combinations

import pytest

from lab.generators import data, problems, series
from lab.tests.generators.sixty import opposite, share_right, sixty


def numbers(options):
    """The numbers of the options; a ratio as a fraction; nothing where there are names."""
    found = []
    for option in options:
        digits = [int(each.replace(",", "")) for each in re.findall(r"\d[\d,]*", option)]
        is_name = bool(re.match(r"[A-Z](?!s )", option))
        if is_name or not digits:
            return []
        found.append(digits[0] / digits[1] if len(digits) == 2 else float(digits[0]))
    return found


def most_signs_in_common(options):
    return [
        sum(
            mine == theirs
            for other in options
            if other is not option
            for way in (1, -1)
            for mine, theirs in zip(option[::way], other[::way], strict=False)
        )
        for option in options
    ]


def nearest_to_all(options):
    values = numbers(options)
    return [-sum(abs(math.log((one + 1) / (two + 1))) for two in values) for one in values]


def nearest_to_mean(options):
    values = numbers(options)
    return [-abs(value - sum(values) / len(values)) for value in values]


def most_neighbours(options):
    values = numbers(options)
    return [sum(abs(one - two) <= 0.15 * max(one, two) for two in values) for one in values]


def nearest_neighbour(options):
    values = numbers(options)
    return [-min(abs(one - two) for two in values if two != one) for one in values]


def most_related(options):
    """With how many others it makes a simple ratio, or a sum or difference that is there too."""
    values = numbers(options)
    figures = []
    for one in values:
        others = [each for each in values if each != one]
        ratios = sum(max(one, two) / max(1, min(one, two)) in (1.5, 2, 3, 4) for two in others)
        sums = sum(one in (two + three, abs(two - three)) for two, three in combinations(others, 2))
        figures.append(float(ratios + sums))
    return figures


def roundest(options):
    return [
        float(next((power for power in (4, 3, 2, 1) if value % 10**power == 0), 0))
        + (value % 5 == 0) / 2
        for value in numbers(options)
    ]


def most_usual_roundness(options):
    levels = roundest(options)
    return [float(levels.count(level)) for level in levels]


def longest(options):
    return [float(len(option)) for option in options]


GUESSERS = {
    "smallest": lambda options: [1.0, 0, 0, 0, 0],
    "second": lambda options: [0, 1.0, 0, 0, 0],
    "middle": lambda options: [0, 0, 1.0, 0, 0],
    "fourth": lambda options: [0, 0, 0, 1.0, 0],
    "largest": lambda options: [0, 0, 0, 0, 1.0],
    "most signs in common": most_signs_in_common,
    "fewest signs in common": opposite(most_signs_in_common),
    "nearest to all": nearest_to_all,
    "nearest to the mean": nearest_to_mean,
    "most neighbours": most_neighbours,
    "fewest neighbours": opposite(most_neighbours),
    "nearest neighbour": nearest_neighbour,
    "farthest neighbour": opposite(nearest_neighbour),
    "most related": most_related,
    "roundest": roundest,
    "least round": opposite(roundest),
    "most usual roundness": most_usual_roundness,
    "longest": longest,
    "shortest": opposite(longest),
}


@pytest.mark.parametrize("name", GUESSERS)
@pytest.mark.parametrize("family", [series, problems, data], ids=lambda family: family.FAMILY)
def test_the_options_alone_are_no_better_than_chance(family, name):
    guesses = []
    for draft in sixty(family):
        options = [option["en"] for option in draft.options]
        guesses.append((GUESSERS[name](options) or [0.0] * len(options), draft.key))

    assert share_right(guesses) <= 1 / 5 + 0.05 + 1e-9
