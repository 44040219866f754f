from itertools import product

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from lab.generators.grammar import GRAMMAR, predictions
from lab.tests.generators.solver import next_numbers

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
    ("growing_factor", [2, 10, 40, 120], 240),
    ("growing_factor", [360, 72, 18, 6], 3),
    ("sum_and_growing", [2, 3, 6, 11, 20, 35], 60),
    ("times_of_two", [1, 2, 5, 12, 29, 70], 169),
    ("product_of_two", [2, 3, 6, 18, 108], 1944),
    ("sum_of_three", [1, 2, 3, 6, 11, 20], 37),
    ("sum_of_all", [1, 3, 4, 8, 16], 32),
    ("multiply_and_growing", [1, 3, 8, 19, 42], 89),
    ("multiply_and_growing", [3, 7, 13, 27, 53], 107),
    ("by_turns", [2, 3, 6, 8, 16, 19, 38], 42),
    ("three_by_turns", [3, 7, 14, 12, 16, 32, 30], 34),
    ("turning_steps", [5, 7, 6, 10, 9, 15, 14], 22),
    ("three_rows", [1, 9, 2, 3, 8, 4, 5, 7, 6], 7),
    ("paired", [3, 9, 7, 49, 4, 16, 5], 25),
    ("paired", [4, 12, 9, 27, 1, 3, 6], 18),
    ("known", [3, 10, 29, 66], 127),
    ("known", [2, 3, 5, 7, 11], 13),
    ("known", [2, 3, 10, 15, 26], 35),
    ("known_steps", [1, 3, 6, 11, 18], 29),
    ("digit_sum", [13, 17, 25, 32], 37),
    ("by_turns", [2, 5, 10, 13, 26], 29),
    ("by_turns", [9, 14, 11, 16, 13], 18),
    ("three_by_turns", [1, 3, 4, 8, 10, 11, 15], 17),
    ("interleaved", [1, 20, 3, 18, 5, 16], 7),
    ("interleaved", [1, 3, 5, 9, 9, 27, 13], 81),
]
# Nobody writes items of these, so the second opinion leaves them out.
NOT_TRIED = ("steps_sum_of_two", "sum_of_all", "paired", "known", "known_steps", "digit_sum")


@pytest.mark.parametrize(("rule", "row", "expected"), ROWS)
def test_each_rule_continues_its_rows(rule, row, expected):
    by_name = {each.__name__: each for each in GRAMMAR}

    assert by_name[rule](row) == {expected}


@pytest.mark.parametrize(
    ("rule", "row", "expected"), [each for each in ROWS if each[0] not in NOT_TRIED]
)
def test_trying_all_numbers_finds_the_same(rule, row, expected):
    assert expected in next_numbers(row)


def test_every_rule_has_an_example_here():
    assert {name for name, _, _ in ROWS} == {rule.__name__ for rule in GRAMMAR}


@pytest.mark.parametrize(
    "row", [[], [1], [1, 2], [5, 1, 4, 2, 9], [0, 0, 1, 0, 5], [3, 1, 4, 1, 5, 9, 2, 6]]
)
def test_a_row_too_short_or_without_a_rule_predicts_nothing(row):
    assert predictions(row) == set()


def test_a_rule_counts_only_when_each_part_was_seen_twice():
    # Adding 3 and doubling by turns: the doubling was seen once, then twice.
    assert predictions([2, 5, 10, 13]) == set()
    assert predictions([2, 5, 10, 13, 26]) == {29}


def test_so_no_short_row_has_two_meanings():
    rows = product(range(1, 7), repeat=5)

    assert [row for row in rows if len(predictions(row)) > 1] == []


@given(st.integers(1, 20), st.lists(st.integers(-9, 9), min_size=2, max_size=2), st.integers(4, 8))
@settings(max_examples=60, deadline=None)
def test_rows_with_a_rule_are_read_alike(start, moves, length):
    row = [start]
    while len(row) < length:
        row.append(row[-1] + moves[len(row) % 2])
    assume(min(row) > 0)  # as in every item; with 0 in a row, factors can be anything

    assert next_numbers(row) <= predictions(row)
    if length >= 5:
        assert row[-1] + moves[length % 2] in predictions(row)
