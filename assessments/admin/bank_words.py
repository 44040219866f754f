"""What staff read of a bank, and of the differences between two."""

from __future__ import annotations

import json
from collections.abc import Iterable
from operator import attrgetter
from typing import Any

from assessments.admin.item_words import scale_name
from assessments.measurement.bank_compare import Change, by_kind
from assessments.models import ItemBank

# Of a part that differs; a drawing or a page of instructions is longer than anybody reads here.
MOST_SHOWN = 300


def is_current(bank: ItemBank) -> bool:
    """Return whether new attempts are on a bank; it comes from `with_current()`."""
    current: int | None = bank.current_pk  # type: ignore[attr-defined]  # annotated
    return bank.pk == current


def folded(codes: Iterable[str], *banks: dict[str, Any]) -> list[tuple[str, tuple[str, ...]]]:
    """Return the codes of items by what they are about, in the words of staff."""
    return [
        (f"{section.capitalize()}: {scale_name(scale)}", those)
        for section, scale, those in by_kind(codes, *banks)
    ]


def in_words(changes: Iterable[Change]) -> list[tuple[str, str, str]]:
    """Return what changed, from what to what; an item's parameters in one line."""
    listed = list(changes)
    numbers = [each for each in listed if each.kind == "parameters"]
    lines = [
        (each.part, _said(each.old), _said(each.new)) for each in listed if each not in numbers
    ]
    if numbers:
        before, after = (
            ", ".join(f"{each.part} {_said(value(each))}" for each in numbers)
            for value in (attrgetter("old"), attrgetter("new"))
        )
        lines.append(("parameters", before, after))
    return lines


def _said(value: Any) -> str:
    """Return a part of a bank in words, cut off where nobody would read on."""
    if value is None:
        return "not there"
    if isinstance(value, dict) and all(isinstance(each, str) for each in value.values()):
        text = " / ".join(f"{name}: {each}" for name, each in value.items())
    else:
        text = value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)
    return text if len(text) <= MOST_SHOWN else f"{text[:MOST_SHOWN]} …"
