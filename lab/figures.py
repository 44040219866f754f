"""Figures of a benchmark or drill, each beside its target."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass


@dataclass(frozen=True)
class Figure:
    """A measured value and its target."""

    name: str
    value: float
    target: str
    met: bool

    def __str__(self) -> str:
        shown = str(self.value) if isinstance(self.value, int) else f"{self.value:.4g}"
        return f"{'ok  ' if self.met else 'MISS'} {self.name:<60}{shown:>9}  {self.target}"


def exactly(name: str, value: float, target: float) -> Figure:
    return Figure(name, value, f"= {target}", value == target)


def at_least(name: str, value: float, target: float) -> Figure:
    return Figure(name, value, f">= {target}", value >= target)


def at_most(name: str, value: float, target: float) -> Figure:
    return Figure(name, value, f"<= {target}", value <= target)


def within(name: str, value: float, low: float, high: float) -> Figure:
    return Figure(name, value, f"{low} to {high}", low <= value <= high)


def reported(name: str, value: float, what: str = "") -> Figure:
    """Return a figure without a target, for comparison."""
    return Figure(name, value, what or "(for comparison)", True)


def exit_status(figures: Iterable[Figure]) -> int:
    """Print each figure when it is ready. Return 1 if one missed its target, else 0."""
    missed = 0
    for figure in figures:
        print(figure, flush=True)
        missed += not figure.met
    return 1 if missed else 0
