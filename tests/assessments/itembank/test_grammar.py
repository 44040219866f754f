from __future__ import annotations

from itertools import product

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from assessments.itembank.grammar import GRAMMAR, predictions
from tests.assessments.itembank.solver import next_numbers

# A row, what comes next, and the rule that says so; worked out by hand.
ROWS = [
    ("add", [3, 7, 11, 15], 19),
    ("add", [40, 31, 22], 13),
    ("multiply", [3, 6, 12, 24], 48),
    ("multiply", [80, 40, 20], 10),
    ("multiply", [8, 12, 18], 27),
    ("growing_steps", [2, 3, 5, 8, 12], 17),
    ("multiplying_steps", [1, 3, 7, 15, 31], 63),
    ("multiplying_steps", [2, 3, 6, 15], 42),
    ("steps_of_steps", [1, 2, 5, 11, 21, 36], 57),
    ("swinging_steps", [10, 11, 9, 12, 8], 13),
    ("growing_factor", [1, 2, 6, 24], 120),
    ("sum_of_two", [2, 3, 5, 8, 13], 21),
    ("sum_of_two", [1, 2, 4, 7, 12], 20),
    ("steps_sum_of_two", [5, 6, 8, 11, 16, 24], 37),
    ("by_turns", [2, 5, 10, 13, 26], 29),
    ("by_turns", [9, 14, 11, 16, 13], 18),
    ("three_by_turns", [1, 3, 4, 8, 10, 11, 15], 17),
    ("interleaved", [1, 20, 3, 18, 5, 16], 7),
    ("interleaved", [1, 3, 5, 9, 9, 27, 13], 81),
]


@pytest.mark.parametrize(("rule", "row", "expected"), ROWS)
def test_each_rule_continues_its_rows(rule: str, row: list[int], expected: int) -> None:
    by_name = {each.__name__: each for each in GRAMMAR}

    assert by_name[rule](row) == {expected}


@pytest.mark.parametrize(("rule", "row", "expected"), ROWS)
def test_trying_all_numbers_finds_the_same(rule: str, row: list[int], expected: int) -> None:
    assert expected in next_numbers(row)


@pytest.mark.parametrize(
    "row", [[], [1], [1, 2], [5, 1, 4, 2, 9], [0, 0, 1, 0, 5], [3, 1, 4, 1, 5, 9, 2, 6]]
)
def test_a_row_too_short_or_without_a_rule_predicts_nothing(row: list[int]) -> None:
    assert predictions(row) == set()


def test_a_rule_counts_only_when_each_part_was_seen_twice() -> None:
    # Adding 3 and doubling by turns: the doubling was seen once, then twice.
    assert predictions([2, 5, 10, 13]) == set()
    assert predictions([2, 5, 10, 13, 26]) == {29}


def test_so_no_short_row_has_two_meanings() -> None:
    rows = product(range(1, 8), repeat=5)

    assert [row for row in rows if len(predictions(row)) > 1] == []


@given(st.lists(st.integers(1, 30), min_size=3, max_size=7))
@settings(max_examples=60, deadline=None)
def test_what_all_numbers_lead_to_is_in_the_grammar(row: list[int]) -> None:
    assert next_numbers(row) <= predictions(row)


@given(
    st.integers(1, 20),
    st.lists(st.integers(-9, 9), min_size=2, max_size=2),
    st.integers(4, 8),
)
@settings(max_examples=60, deadline=None)
def test_rows_with_a_rule_are_read_alike(start: int, moves: list[int], length: int) -> None:
    row = [start]
    while len(row) < length:
        row.append(row[-1] + moves[len(row) % 2])
    assume(min(row) > 0)  # as in every item; with 0 in a row, factors can be anything

    assert next_numbers(row) <= predictions(row)
    if length >= 5:
        assert row[-1] + moves[length % 2] in predictions(row)
