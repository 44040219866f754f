"""Sixty items of a family, made as those of the bank are."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cache
from types import ModuleType

from assessments.itembank.items import CannotGenerate, Draft


def stem(draft: Draft) -> str:
    """All that an item says before its options."""
    return repr((draft.text, draft.passage, draft.lines, draft.figure))


@cache
def sixty(family: ModuleType, first_seed: int = 1) -> tuple[Draft, ...]:
    """Return them: rules and places take turns, the first seed that works, no stem twice."""
    drafts: list[Draft] = []
    for number in range(60):
        turn, which = divmod(number, len(family.RULES))
        place = (number + turn) % 5 + 1
        make = family.generate, family.RULES[which], place, (number + 2 * turn) % 5 == 0
        drafts.append(_first_new(*make, [stem(each) for each in drafts], first_seed))
    return tuple(drafts)


def _first_new(
    generate: Callable[[str, int, int, bool], Draft],
    rule: str,
    place: int,
    typical: bool,
    stems: Sequence[str],
    first_seed: int,
) -> Draft:
    for seed in range(first_seed, first_seed + 50):
        try:
            draft = generate(rule, seed, place, typical)
        except CannotGenerate:
            continue
        if stem(draft) not in stems:
            return draft
    raise AssertionError(f"nothing for {rule}, key at {place}, typical {typical}")
