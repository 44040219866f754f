"""What every family of puzzles has in common: its spread, its keys, and its recipe."""

from collections import Counter
from math import floor
from statistics import fmean, pstdev

import pytest

from lab.generators.build import FAMILIES, stem
from lab.generators.items import LANGUAGES, CannotGenerate
from lab.tests.generators.sixty import sixty

# Rows of numbers and signs combine freely; figures and texts have fewer radicals to tell by.
MANY_KINDS = {"series", "patterns"}

pytestmark = pytest.mark.parametrize("family", FAMILIES, ids=lambda family: family.FAMILY)


def test_sixty_are_made_and_no_two_are_alike(family):
    assert len({stem(draft) for draft in sixty(family)}) == 60


def test_each_has_as_many_different_options_as_the_example(family):
    for draft in sixty(family):
        for language in LANGUAGES:
            labels = [option[language] for option in draft.options]
            offered = draft.option_figures or labels

            assert len({repr(option) for option in offered}) == len(family.EXAMPLE["options"])


def test_every_place_has_its_share_of_keys(family):
    keys = Counter(draft.key for draft in sixty(family))

    assert set(keys) == set(range(1, len(family.EXAMPLE["options"]) + 1))
    assert max(keys.values()) - min(keys.values()) <= 2


def test_difficulty_is_spread(family):
    difficulties = [draft.b for draft in sixty(family)]
    halves = Counter(floor(2 * b) for b in difficulties)

    assert -0.3 <= fmean(difficulties) <= 0.2
    assert 0.9 <= pstdev(difficulties) <= 1.2
    assert min(difficulties) <= -2
    assert max(difficulties) >= 2
    assert min(halves[half] for half in range(-4, 4)) >= 2


def test_few_are_clones_of_each_other(family):
    clones = Counter((draft.rule, *draft.radicals.items()) for draft in sixty(family))
    kinds, most = (26, 3) if family.FAMILY in MANY_KINDS else (12, 8)

    assert len(clones) >= kinds
    assert max(clones.values()) <= most


def test_the_harder_ones_are_given_more_time(family):
    by_difficulty = sorted(sixty(family), key=lambda draft: draft.b)
    easy, hard = by_difficulty[:20], by_difficulty[-20:]

    assert all(15 <= draft.seconds <= 90 for draft in by_difficulty)
    assert fmean(draft.seconds for draft in easy) + 5 < fmean(draft.seconds for draft in hard)


def test_an_impossible_place_is_refused(family):
    with pytest.raises(CannotGenerate, match="key at 9"):
        family.generate(family.RULES[0], 1, 9)
