"""The next puzzle: of the neediest family, among the most informative, neither worn nor a clone."""

from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from measurement.ability import AptitudeItem, Response, eap
from measurement.selection import fresh_items, most_informative, next_item


def item(code, family, b, clone=""):
    return AptitudeItem(code, family, 1.1, b, 0.18, clone)


@pytest.mark.parametrize(("theta", "nearest"), [(1.1, "fitting"), (-2, "easy"), (3, "hard")])
def test_the_item_nearest_to_the_estimate_is_the_most_informative(theta, nearest):
    bank = [item("easy", "series", -2), item("fitting", "series", 0.9), item("hard", "series", 3)]

    # With guessing an item is most informative a little above its difficulty.
    assert [each.code for each in most_informative(bank, theta, 1)] == [nearest]


# Six families of thirty, in clones of three, as a bank of the full design has them.
FAMILIES = ("data", "logic", "matrices", "patterns", "problems", "series")
BIG = [
    item(f"{family}-{n:02}", family, -2.2 + n * 0.15, f"{family} {n // 3}")
    for family in FAMILIES
    for n in range(30)
]
FACETS = {
    "numerical": ["problems", "data"],
    "abstract": ["series", "matrices"],
    "verbal": ["patterns", "logic"],
}
BY_CODE = {each.code: each for each in BIG}


def drawn(seed, marks, bank=BIG, exposure=None):
    """The items of an attempt whose answers are marked so, each drawn by its position."""
    answered = []
    for position, mark in enumerate(marks):
        place = f"{seed} {position}"
        code = next_item(
            bank,
            answered,
            exposure=exposure or {},
            substitutes={},
            facets=FACETS.values(),
            seed=place,
        )
        answered.append(Response(BY_CODE[code], mark))
    return [response.item for response in answered]


def without(family, substitutes, before=(), length=12):
    """Count the families of so many items if one is left out after these items."""
    bank = [each for each in BIG if each.family != family]
    answered = [Response(BY_CODE[code], True) for code in before]
    while len(answered) < length:
        seed = str(len(answered))
        code = next_item(
            bank,
            answered,
            exposure={},
            substitutes=substitutes,
            facets=FACETS.values(),
            seed=seed,
        )
        answered.append(Response(BY_CODE[code], True))
    return Counter(response.item.family for response in answered)


def test_substitutes_take_the_share_of_their_family():
    others = dict.fromkeys(["data", "logic", "patterns", "problems"], 2)
    assert without("matrices", {"matrices": ["series"]}) == {**others, "series": 4}

    two = without("matrices", {"matrices": ["logic", "series"]})
    assert (two["logic"], two["series"]) == (3, 3)

    # What was given of the family before counts for its substitute.
    begun = without("matrices", {"matrices": ["series"]}, before=["matrices-03"])
    assert (begun["matrices"], begun["series"]) == (1, 3)


@pytest.mark.parametrize("before", [[], ["matrices-03"]])
def test_of_ten_items_each_facet_has_at_least_three(before):
    """Each family once and four of them twice, which four by the seed; also without matrices."""
    found = [Counter(each.family for each in drawn(seed, [True] * 10)) for seed in range(40)]

    assert all(sorted(each.values()) == [1, 1, 2, 2, 2, 2] for each in found)
    assert len({frozenset(f for f, n in each.items() if n == 2) for each in found}) > 6
    found.append(without("matrices", {"matrices": ["series"]}, before, length=10))
    for counts in found:
        assert min(sum(counts[f] for f in facet) for facet in FACETS.values()) >= 3


marks = st.lists(st.booleans(), min_size=24, max_size=24)


@pytest.mark.slow
@given(st.text(max_size=8), marks, st.randoms(use_true_random=False))
def test_the_same_seed_and_answers_bring_the_same_items(seed, marks, rng):
    assert drawn(seed, marks, rng.sample(BIG, len(BIG))) == drawn(seed, marks)


@pytest.mark.slow
@given(st.text(max_size=8), marks)
def test_an_attempt_has_four_items_of_each_of_six_families_and_no_two_clones(seed, marks):
    items = drawn(seed, marks)

    assert Counter(each.family for each in items) == dict.fromkeys(FAMILIES, 4)
    assert len({each.clone for each in items}) == 24


@pytest.mark.slow
@given(st.text(max_size=8), marks)
def test_the_draw_is_among_the_ten_best_at_first_and_then_among_two(seed, marks):
    bank = [item(each.code, each.family, each.b) for each in BIG]
    answered = []
    for position, chosen in enumerate(drawn(seed, marks, bank)):
        unused = [each for each in bank if each.code not in {r.item.code for r in answered}]
        family = [each for each in unused if each.family == chosen.family]

        best = most_informative(family, eap(answered).theta, 10 if position < 6 else 2)

        assert chosen.code in {each.code for each in best}
        answered.append(Response(chosen, marks[position]))


def codes(items, answered, exposure):
    return [each.code for each in fresh_items(items, answered, exposure)]


def test_items_shown_to_more_than_a_quarter_rest():
    bank = [item("best", "series", 0), item("second", "series", -0.5)]

    assert codes(bank, [], {"best": 0.25}) == ["best", "second"]
    assert codes(bank, [], {"best": 0.26}) == ["second"]
    assert codes(bank, [], {"best": 0.9, "second": 0.9}) == ["best", "second"]


@pytest.mark.slow
@given(st.text(max_size=8), marks, st.randoms(use_true_random=False))
def test_no_worn_item_is_given_while_its_family_has_another(seed, marks, rng):
    # Twelve of thirty worn out, so a family has at least six clone groups left for its four.
    worn = {
        each.code: rng.uniform(0.251, 1)
        for family in FAMILIES
        for each in rng.sample([each for each in BIG if each.family == family], 12)
    }

    items = drawn(seed, marks, exposure=worn)

    assert not worn.keys() & {each.code for each in items}


def test_a_worn_item_is_better_than_a_clone_and_a_clone_better_than_none():
    bank = [
        item("given", "series", 0, "A"),
        item("clone", "series", 0, "A"),
        item("worn", "series", 2, "B"),
        item("worn-clone", "series", 0, "A"),
    ]
    answered = [Response(bank[0], True)]
    exposure = {"worn": 0.9, "worn-clone": 0.9}

    assert codes(bank[1:], answered, exposure) == ["worn"]
    assert codes(bank[1:2], answered, exposure) == ["clone"]
    assert codes(bank[3:], answered, exposure) == ["worn-clone"]
