"""Sixty items of a family, made as those of the bank are, when a test first looks at one."""

from collections.abc import Sequence
from functools import cache
from typing import cast, overload

from lab.generators import build
from lab.generators.items import Draft


class Drafts(Sequence[Draft]):
    """Items that are made when they are first asked for.

    A test file is imported by every process of a run, and played by one of them.
    """

    def __init__(self, make):
        self._made = cache(make)

    @overload
    def __getitem__(self, at): ...
    @overload
    def __getitem__(self, at): ...
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
    return Drafts(lambda: tuple(build.drafts(cast(build.Family, family), seeds)))
