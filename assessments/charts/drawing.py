"""What a figure is drawn with: paths and words, as the values of SVG attributes."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Path:
    """One path. `style` names a class of the style sheet: its colours follow light and dark."""

    style: str
    d: str


@dataclass(frozen=True, slots=True)
class Words:
    """Words at a point; `anchor` is start, middle or end."""

    text: str
    x: str
    y: str
    anchor: str = "middle"


@dataclass(frozen=True, slots=True)
class Drawing:
    """A figure in its own units, which the page scales to its width."""

    width: int
    height: int
    paths: tuple[Path, ...]
    words: tuple[Words, ...] = ()


def number(value: float) -> str:
    """Return a coordinate with at most one decimal and a point, whatever the language."""
    return f"{round(value, 1):g}"
