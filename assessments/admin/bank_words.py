"""Text about an item bank and the differences between two banks."""

from __future__ import annotations

import json
from collections.abc import Iterable
from operator import attrgetter
from typing import Any

from assessments.admin.item_words import scale_name
from assessments.measurement.bank_compare import Change, by_kind
from assessments.models import Item, ItemBank

# A drawing or a page of instructions is too long for a table of differences.
MAX_SHOWN = 300


def is_current(bank: ItemBank) -> bool:
    """Return whether new attempts use the bank, which must come from `with_current()`."""
    current: int | None = bank.current_pk  # type: ignore[attr-defined]  # annotated
    return bank.pk == current


def grouped(codes: Iterable[str], *banks: dict[str, Any]) -> list[tuple[str, tuple[str, ...]]]:
    """Return item codes grouped by section and scale, each group with its name."""
    return [
        (f"{Item.Section(section).label}: {scale_name(scale)}", those)
        for section, scale, those in by_kind(codes, *banks)
    ]


def in_words(changes: Iterable[Change]) -> list[tuple[str, str, str]]:
    """Return changes as (part, old, new), with all parameters of an item combined."""
    listed = list(changes)
    numbers = [each for each in listed if each.kind == "parameters"]
    lines = [
        (each.part, _as_text(each.old), _as_text(each.new))
        for each in listed
        if each not in numbers
    ]
    if numbers:
        before, after = (
            ", ".join(f"{each.part} {_as_text(value(each))}" for each in numbers)
            for value in (attrgetter("old"), attrgetter("new"))
        )
        lines.append(("parameters", before, after))
    return lines


def _as_text(value: Any) -> str:
    """Return a value as text of at most MAX_SHOWN characters."""
    if value is None:
        return "none"
    if isinstance(value, dict) and all(isinstance(each, str) for each in value.values()):
        text = " / ".join(f"{name}: {each}" for name, each in value.items())
    else:
        text = value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)
    return text if len(text) <= MAX_SHOWN else f"{text[:MAX_SHOWN]} …"
