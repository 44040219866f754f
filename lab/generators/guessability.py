"""Strategies for guessing a number from the options alone, without the question.

For some items, one strategy may find the key; several at once must not.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations

# Two numbers are close if they differ by at most an eighth of the larger one.
CLOSE = 8


def most_surrounded(options: Sequence[int]) -> list[int]:
    """Return the numbers with the most others close by."""
    return _highest(
        options,
        [sum(abs(one - two) * CLOSE <= max(one, two) for two in options) for one in options],
    )


def closest_pair(options: Sequence[int]) -> list[int]:
    """Return the numbers with the closest neighbour."""
    return _highest(
        options, [-min(abs(one - two) for two in options if two != one) for one in options]
    )


def nearest_mean(options: Sequence[int]) -> list[int]:
    """Return the number nearest to the mean."""
    return _highest(options, [-abs(len(options) * one - sum(options)) for one in options])


def roundest(options: Sequence[int]) -> list[int]:
    """Return the numbers that end in the most zeros, or else in 5."""
    return _highest(
        options,
        [2 * len(str(one)) - 2 * len(str(one).rstrip("0")) + (one % 5 == 0) for one in options],
    )


def most_related(options: Sequence[int]) -> list[int]:
    """Return the numbers related to most others, as a multiple, a sum or a difference."""
    figures = []
    for one in options:
        others = [each for each in options if each != one]
        multiples = sum(2 * max(one, two) % min(one, two) == 0 for two in others)
        sums = sum(one in (two + three, abs(two - three)) for two, three in combinations(others, 2))
        figures.append(multiples + sums)
    return _highest(options, figures)


TELLS = (most_surrounded, closest_pair, nearest_mean, roundest, most_related)


def _highest(options: Sequence[int], figures: Sequence[int]) -> list[int]:
    """Return the options with the highest figure, or none if half of the options share it."""
    best = [each for each, figure in zip(options, figures, strict=True) if figure == max(figures)]
    return best if len(best) < len(options) / 2 else []
