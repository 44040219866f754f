"""Figures of a benchmark, each beside its target."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Figure:
    """What was counted or measured, beside what it must be."""

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
