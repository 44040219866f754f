"""Sixty items of a family, made as those of the bank are."""

from __future__ import annotations

from functools import cache
from typing import cast

from assessments.itembank import build
from assessments.itembank.items import Draft


@cache
def sixty(family: object, first_seed: int = 1) -> tuple[Draft, ...]:
    """Return those of the bank, or with a later seed as many others."""
    seeds = range(first_seed, first_seed + len(build.SEEDS))
    return tuple(build.drafts(cast(build.Family, family), seeds))
