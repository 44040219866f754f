"""The small pictures of a matrix: named attributes and their possible values."""

from __future__ import annotations

from collections.abc import Mapping

# A name, a number, or the places of a set's members in ascending order.
Value = str | int | tuple[int, ...]
Cell = Mapping[str, Value]

SHAPES = ("circle", "triangle", "square", "star", "cross")
# Shapes that look different at every eighth of a turn.
TURNING = ("arrow", "half", "hook", "tee")
FILLS = ("empty", "striped", "solid")
# Large outlines around another shape.
OUTERS = ("circle", "square", "triangle", "diamond")
SIZES = (1, 2, 3)
COUNTS = (1, 2, 3, 4, 5)
FULL_TURN = 360
# Places along the border, clockwise from the upper left corner.
BORDER = 8
# Attributes that are sets of parts, with the number of possible parts.
PARTS = {"rays": 8, "grid": 9, "lines": 7}

NAMES = ("shape", "fill", "outer")
NUMBERS = ("size", "count")
CYCLES = {"turn": FULL_TURN, "dot": BORDER, "ring": BORDER}


def domain(name: str) -> tuple[Value, ...]:
    """Return the possible values of an attribute. Raises KeyError for a set of parts."""
    values: dict[str, tuple[Value, ...]] = {
        "shape": (*SHAPES, *TURNING),
        "fill": FILLS,
        "outer": OUTERS,
        "size": SIZES,
        "count": COUNTS,
        "turn": tuple(range(0, FULL_TURN, 45)),
        "dot": tuple(range(BORDER)),
        "ring": tuple(range(BORDER)),
    }
    return values[name]


def to_json(cell: Cell) -> dict[str, str | int | list[int]]:
    """Return a cell as written in a bank file."""
    return {
        name: list(value) if isinstance(value, tuple) else value
        for name, value in sorted(cell.items())
    }
