"""Paths and texts of a figure, as the values of SVG attributes."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Path:
    """A path. `style` is a class of the style sheet, so that colours follow light and dark mode."""

    style: str
    d: str


@dataclass(frozen=True, slots=True)
class Words:
    """Text at a point; `anchor` is start, middle or end."""

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
    """Return a coordinate with at most one decimal, and a point in every language."""
    return f"{round(value, 1):g}"
