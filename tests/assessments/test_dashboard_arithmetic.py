"""Shares, changes, medians and bins: counts in, what a dashboard says of them out."""

from __future__ import annotations

from collections.abc import Mapping

import pytest

from assessments.charts.arithmetic import (
    Bin,
    bins,
    change,
    median,
    percent,
)

# Of two minutes each, between 12 and 24, and between 24 and 34.
EMPTY = [Bin(first, first + 1, 0) for first in range(14, 24, 2)]
MORE_EMPTY = [Bin(first, first + 1, 0) for first in range(26, 34, 2)]


@pytest.mark.parametrize(
    ("part", "base", "said"),
    [(0, 10, 0), (1, 10, 10), (10, 10, 100), (12, 10, 120), (9, 9, None), (0, 0, None)],
)
def test_a_percentage_needs_a_base_of_ten(part: int, base: int, said: float | None) -> None:
    assert percent(part, base) == said


@pytest.mark.parametrize(
    ("now", "before", "said"),
    [
        (112, 100, 12),
        (88, 100, -12),
        (100, 100, 0),
        (0, 10, -100),
        (30, 10, 200),
        (5, 9, None),
        (5, 0, None),
    ],
)
def test_a_change_needs_a_base_of_ten(now: int, before: int, said: int | None) -> None:
    assert change(now, before) == said


@pytest.mark.parametrize(
    ("minutes", "middle"),
    [
        ({}, None),
        ({7: 0}, None),
        ({17: 1}, 17),
        ({17: 1, 20: 1}, 17),
        ({17: 1, 20: 1, 25: 1}, 20),
        ({5: 99, 600: 1}, 5),
        ({5: 1, 600: 99}, 600),
        ({30: 2, 10: 2, 20: 1}, 20),
    ],
)
def test_the_median_of_counted_minutes(minutes: Mapping[int, int], middle: int | None) -> None:
    assert median(minutes) == middle


@pytest.mark.parametrize(
    ("minutes", "expected"),
    [
        ({}, []),
        ({7: 0}, []),
        ({17: 3}, [Bin(17, 17, 3)]),
        ({17: 3, 19: 1}, [Bin(17, 17, 3), Bin(18, 18, 0), Bin(19, 19, 1)]),
        # a few who took hours do not squeeze the others together
        (
            {12: 50, 24: 44, 41: 5, 700: 1},
            [Bin(12, 13, 50), *EMPTY, Bin(24, 25, 44), *MORE_EMPTY, Bin(34, None, 6)],
        ),
        ({1: 9, 1440: 1}, [Bin(1, 1, 9), *[Bin(n, n, 0) for n in range(2, 12)], Bin(12, None, 1)]),
    ],
)
def test_durations_stand_in_bins_of_one_width(
    minutes: Mapping[int, int], expected: list[Bin]
) -> None:
    assert bins(minutes) == expected
