"""Shapes of JSON values.

A shape is a function that yields the faults of a value, as ends of sentences that begin with the
place of the value: ", key: 7 is not a number from 0 to 5."
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from types import MappingProxyType
from typing import Any

Shape = Callable[[Any], Iterator[str]]

MOST = 10_000
CODE = re.compile(r"[A-Za-z0-9.-]{1,40}")
# Control characters and lone surrogates, which pages and databases cannot hold.
UNWRITABLE = re.compile(r"[\x00-\x1f\x7f\ud800-\udfff]")
NO_MEMBERS: Mapping[str, Shape] = MappingProxyType({})


def anything(value: Any) -> Iterator[str]:
    yield from ()


def nothing(value: Any) -> Iterator[str]:
    yield ": it does not belong here."


def text(value: Any) -> Iterator[str]:
    if not isinstance(value, str) or not value.strip() or UNWRITABLE.search(value):
        yield f": {_brief(value)} is not a text."


def code(value: Any) -> Iterator[str]:
    if not isinstance(value, str) or not CODE.fullmatch(value):
        yield f": {_brief(value)} is not up to 40 letters, digits, dots and hyphens."


def whole_number(value: Any) -> Iterator[str]:
    # JSON's true is an int to Python.
    if not isinstance(value, int) or isinstance(value, bool):
        yield f": {_brief(value)} is not a whole number."


def number(low: float, high: float, *, whole: bool = False) -> Shape:
    def faults(value: Any) -> Iterator[str]:
        is_number = not any(whole_number(value)) or (isinstance(value, float) and not whole)
        # JSON's NaN is within no limits.
        if not is_number or not low <= value <= high:
            kind = "a whole number" if whole else "a number"
            yield f": {_brief(value)} is not {kind} from {low} to {high}."

    return faults


COUNT = number(1, MOST, whole=True)


def one_of(*choices: object) -> Shape:
    def faults(value: Any) -> Iterator[str]:
        # 1, 1.0 and true are equal to Python.
        if not any(value == each and type(value) is type(each) for each in choices):
            yield f": {_brief(value)} is not one of {', '.join(map(str, choices))}."

    return faults


def list_of(shape: Shape, least: int = 0, most: int = MOST) -> Shape:
    def faults(value: Any) -> Iterator[str]:
        if not isinstance(value, list) or not least <= len(value) <= most:
            limits = "" if (least, most) == (0, MOST) else f" of {least} to {most} values"
            yield f": it is not a list{limits}."
            return
        for place, each in enumerate(value, start=1):
            name = f" ({each['code']})" if isinstance(each, Mapping) and "code" in each else ""
            yield from (f" {place}{name:.50}{fault}" for fault in shape(each))

    return faults


def record(
    required: Mapping[str, Shape],
    optional: Mapping[str, Shape] = NO_MEMBERS,
    others: Shape = anything,
) -> Shape:
    """Return the shape of an object with these members, and of its other members."""
    shapes = {**required, **optional}

    def faults(value: Any) -> Iterator[str]:
        if not isinstance(value, Mapping):
            yield ": it is not an object."
            return
        yield from (f", {name}: it is missing." for name in required if name not in value)
        for name, each in value.items():
            yield from (f", {name}{fault}" for fault in shapes.get(name, others)(each))

    return faults


def by(member: str, shapes: Mapping[str, Shape]) -> Shape:
    """Return the shape of an object that has one of these shapes, by the value of a member."""
    known = record({member: one_of(*shapes)})

    def faults(value: Any) -> Iterator[str]:
        yield from list(known(value)) or shapes[value[member]](value)

    return faults


def _brief(value: object) -> str:
    return f"{value!r:.60}"
