"""What differs between two item banks. Pure: two files' contents in, the differences out."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

# What identifies a bank, and tells where it comes from, is meant to differ.
IDENTITY = ("version", "made_from")
PARAMETERS = ("a", "b", "c")
RULE = "b_rule"
# Parts of an item by what they are to an editor; whatever else it has is "other".
KINDS = {
    "text": ("text", "passage", "lines"),
    "answers": ("options",),
    "figure": ("figure",),
    "key": ("key", "keyed", "expected"),
    "parameters": PARAMETERS,
    "place": ("section", "family", "scale", "order", "spare"),
    "time": ("seconds",),
}
_KIND_OF = {part: kind for kind, parts in KINDS.items() for part in parts}


@dataclass(frozen=True, slots=True)
class Change:
    """One part of something in two banks: None where a bank has no such part."""

    kind: str
    part: str
    old: Any
    new: Any


@dataclass(frozen=True, slots=True)
class ChangedItem:
    """An item that both banks have under one code, and what of it differs."""

    code: str
    changes: tuple[Change, ...]


@dataclass(frozen=True, slots=True)
class Comparison:
    """Items by code, and the parts of the definition: everything in a bank but its items."""

    added: tuple[str, ...]
    removed: tuple[str, ...]
    changed: tuple[ChangedItem, ...]
    unchanged: int
    definition: tuple[Change, ...]

    @property
    def is_same(self) -> bool:
        """Whether both banks ask the same and score alike."""
        return not (self.added or self.removed or self.changed or self.definition)


def compare(old: Mapping[str, Any], new: Mapping[str, Any]) -> Comparison:
    """Return what differs between two banks, given as their files have them.

    Items are held against each other by code, in the order of the bank that has them.
    """
    olds = {item["code"]: item for item in old["items"]}
    news = {item["code"]: item for item in new["items"]}
    both = [code for code in olds if code in news]
    changed = [
        ChangedItem(code, changes) for code in both if (changes := _changes(olds[code], news[code]))
    ]
    return Comparison(
        added=tuple(code for code in news if code not in olds),
        removed=tuple(code for code in olds if code not in news),
        changed=tuple(changed),
        unchanged=len(both) - len(changed),
        definition=tuple(_definition(old, new)),
    )


def by_kind(
    codes: Iterable[str], *banks: Mapping[str, Any]
) -> list[tuple[str, str, tuple[str, ...]]]:
    """Return section and scale, or family, of these items, with their codes, in their order.

    Of an item that several banks have, the first of them counts.
    """
    items = {item["code"]: item for bank in reversed(banks) for item in bank["items"]}
    kinds: dict[tuple[str, str], list[str]] = {}
    for code in codes:
        item = items[code]
        kind = (item["section"], item.get("scale") or item["family"])
        kinds.setdefault(kind, []).append(code)
    return [(section, scale, tuple(those)) for (section, scale), those in kinds.items()]


def _changes(old: Mapping[str, Any], new: Mapping[str, Any]) -> tuple[Change, ...]:
    parts = dict.fromkeys([*_KIND_OF, *old, *new])
    return tuple(
        Change(_KIND_OF.get(part, "other"), part, old.get(part), new.get(part))
        for part in parts
        if old.get(part) != new.get(part) and not _is_first_rule(part, old, new)
    )


def _is_first_rule(part: str, old: Mapping[str, Any], new: Mapping[str, Any]) -> bool:
    """Tell whether a calibration only wrote down the difficulty that the item had before."""
    return part == RULE and new.get(part, old.get(part)) in (old.get("b"), new.get("b"))


def _definition(old: Mapping[str, Any], new: Mapping[str, Any]) -> list[Change]:
    """Return the parts of the definition that differ, as deep as names go."""
    parts = [name for name in dict.fromkeys([*old, *new]) if name not in ("items", *IDENTITY)]
    return [
        Change("definition", path, before, after)
        for part in parts
        for path, before, after in _differing(part, old.get(part), new.get(part))
    ]


def _differing(path: str, old: Any, new: Any) -> list[tuple[str, Any, Any]]:
    if old == new:
        return []
    if isinstance(old, Mapping) and isinstance(new, Mapping):
        return [
            difference
            for name in dict.fromkeys([*old, *new])
            for difference in _differing(f"{path}.{name}", old.get(name), new.get(name))
        ]
    if _are_coded(old) and _are_coded(new):
        # Sections are a list in the file, each with a code.
        return _differing(
            path, {each["code"]: each for each in old}, {each["code"]: each for each in new}
        )
    return [(path, old, new)]


def _are_coded(value: Any) -> bool:
    return isinstance(value, list) and all(
        isinstance(each, Mapping) and "code" in each for each in value
    )
