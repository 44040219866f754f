"""Sixty items of a family, made as those of the bank are, when a test first looks at one."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import cache
from typing import cast, overload

from lab.generators import build
from lab.generators.items import Draft


class Drafts(Sequence[Draft]):
    """Items that are made when they are first asked for.

    A test file is imported by every process of a run, and played by one of them.
    """

    def __init__(self, make: Callable[[], Sequence[Draft]]) -> None:
        self._made = cache(make)

    @overload
    def __getitem__(self, at: int) -> Draft: ...
    @overload
    def __getitem__(self, at: slice) -> Sequence[Draft]: ...
    def __getitem__(self, at: int | slice) -> Draft | Sequence[Draft]:
        return self._made()[at]

    def __iter__(self) -> Iterator[Draft]:
        return iter(self._made())

    def __len__(self) -> int:
        return len(self._made())

    def __add__(self, others: Drafts) -> Drafts:
        return Drafts(lambda: (*self, *others))

    def of_rule(self, rule: str) -> Sequence[Draft]:
        """Return those of a rule, at least one."""
        found = [draft for draft in self if draft.rule == rule]
        assert found, f"none of {rule}"
        return found


@cache
def sixty(family: object, first_seed: int = 1) -> Drafts:
    """Return those of the bank, or with a later seed as many others."""
    seeds = range(first_seed, first_seed + len(build.SEEDS))
    return Drafts(lambda: tuple(build.drafts(cast(build.Family, family), seeds)))
