"""Number series: one number follows, whatever rule is tried, and the options don't tell which."""

import pytest

from lab.generators import series
from lab.generators.series.row import Row
from lab.tests.generators.sixty import sixty
from lab.tests.generators.solver import next_numbers

ITEMS = sixty(series)
MORE = sixty(series, 200)


def numbers(draft):
    return [int(each) for each in draft.lines[0].removesuffix(", ?").split(", ")]


def labels(draft):
    return [int(option["en"]) for option in draft.options]


@pytest.mark.parametrize("rule", series.RULES)
def test_exactly_one_option_follows(rule):
    for draft in (ITEMS + MORE).of_rule(rule):
        assert next_numbers(numbers(draft)) == {labels(draft)[draft.key - 1]}, draft


def test_nothing_else_follows_without_the_first_number():
    for draft in ITEMS:
        assert next_numbers(numbers(draft)[1:]) <= {labels(draft)[draft.key - 1]}


def test_numbers_stay_comfortable():
    for draft in ITEMS + MORE:
        assert all(0 < number <= 400 for number in numbers(draft) + labels(draft))
        assert 4 <= len(numbers(draft)) <= 11


def test_no_option_leads_back_in_a_row_that_only_rises():
    for draft in ITEMS + MORE:
        shown = numbers(draft)
        if shown == sorted(shown):
            assert min(labels(draft)) > shown[-1]


@pytest.mark.parametrize(
    ("shown", "key"),
    [
        ((3, 6, 9, 12, 15), 19),  # 18 follows
        ((3, 1, 4, 1, 5), 9),  # nothing follows
        ((12, 9, 6, 3), 0),  # not above 0
        ((80, 120, 160, 200), 240),  # sound, for comparison
        ((100, 200, 300, 400), 500),  # too large
        ((5, 5, 5, 5), 5),  # nothing moves
        ((7, 2, 4, 6, 8, 10), 4),  # who takes 7 for a slip goes on with 12
    ],
)
def test_a_row_that_does_not_lead_to_its_key_is_refused(shown, key):
    assert series.is_sound(Row(shown, key)) is (key == 240)


def test_a_row_that_an_easier_rule_explains_is_plain():
    assert series.is_plain(Row((2, 4, 8, 16, 32, 64), 128))
    assert not series.is_plain(Row((1, 2, 5, 12, 29, 70), 169))


def test_slips_are_possible_answers():
    thought, reckoned = series.slips_of(Row((9, 12, 8, 11, 7, 10), 6))

    assert min(thought | reckoned) > 0
    assert not (thought | reckoned) & {9, 12, 8, 11, 7, 10, 6}
    assert not thought & reckoned


def test_the_example_is_worked_out_and_not_in_the_bank():
    shown = [int(each) for each in series.EXAMPLE["lines"][0].removesuffix(", ?").split(", ")]

    assert next_numbers(shown) == {int(series.EXAMPLE["answer"]["en"])}
    assert series.EXAMPLE["answer"] in [each["label"] for each in series.EXAMPLE["options"]]
    assert tuple(series.EXAMPLE["lines"]) not in {draft.lines for draft in ITEMS}
