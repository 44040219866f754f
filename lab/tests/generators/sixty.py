"""Sixty items of a family, made as those of the bank are, when a test first looks at one."""

from collections.abc import Sequence
from functools import cache
from statistics import fmean

from lab.generators import build


class Drafts(Sequence):
    """Items that are made when they are first asked for.

    A test file is imported by every process of a run, and played by one of them.
    """

    def __init__(self, make):
        self._made = cache(make)

    def __getitem__(self, at):
        return self._made()[at]

    def __iter__(self):
        return iter(self._made())

    def __len__(self):
        return len(self._made())

    def __add__(self, others):
        return Drafts(lambda: (*self, *others))

    def of_rule(self, rule):
        """Return those of a rule, at least one."""
        found = [draft for draft in self if draft.rule == rule]
        assert found, f"none of {rule}"
        return found


@cache
def sixty(family, first_seed=1):
    """Return those of the bank, or with a later seed as many others."""
    seeds = range(first_seed, first_seed + len(build.SEEDS))
    return Drafts(lambda: tuple(build.drafts(family, seeds)))


def share_right(guesses):
    """Return the share of items that a guesser gets right, from each one's figures and key.

    The option with the highest figure is taken, and among equals one by lot.
    """
    shares = []
    for figures, key in guesses:
        best = [place for place, figure in enumerate(figures, 1) if figure == max(figures)]
        shares.append((key in best) / len(best))
    return fmean(shares)


def opposite(guess):
    """Return the guesser that takes what another one takes last."""
    return lambda options: [-figure for figure in guess(options)]
