"""Compare the contents of two item banks."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

# Members that always differ: the identity and origin of a bank.
IDENTITY = ("version", "made_from")
PARAMETERS = ("a", "b", "c")
RULE = "b_rule"
# The parts of an item, grouped as editors see them; all others are "other".
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
    """One part that differs; `old` or `new` is None if a bank lacks it."""

    kind: str
    part: str
    old: Any
    new: Any


@dataclass(frozen=True, slots=True)
class ChangedItem:
    """An item that both banks have under the same code, with its changes."""

    code: str
    changes: tuple[Change, ...]


@dataclass(frozen=True, slots=True)
class Comparison:
    """Items by code, and changes of the definition: everything in a bank except its items."""

    added: tuple[str, ...]
    removed: tuple[str, ...]
    changed: tuple[ChangedItem, ...]
    unchanged: int
    definition: tuple[Change, ...]

    @property
    def is_same(self) -> bool:
        """Whether both banks ask the same questions and score them alike."""
        return not (self.added or self.removed or self.changed or self.definition)


def compare(old: Mapping[str, Any], new: Mapping[str, Any]) -> Comparison:
    """Compare two banks, given as the contents of their files. Items are matched by code."""
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
    """Group items by section and scale (or family). Return (section, scale, codes) of each group.

    If several banks have an item, the first bank counts.
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
    """Tell whether a calibration only recorded the difficulty that the item had before."""
    return part == RULE and new.get(part, old.get(part)) in (old.get("b"), new.get("b"))


def _definition(old: Mapping[str, Any], new: Mapping[str, Any]) -> list[Change]:
    """Return the changes of the definition, each at the deepest name that differs."""
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
