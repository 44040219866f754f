"""Figures of a benchmark, each beside its target."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Figure:
    """What was counted, beside what it must be."""

    name: str
    value: int
    target: str
    met: bool

    def __str__(self) -> str:
        return f"{'ok  ' if self.met else 'MISS'} {self.name:<52}{self.value:>7}  {self.target}"


def exactly(name: str, value: int, target: int) -> Figure:
    return Figure(name, value, f"= {target}", value == target)


def at_least(name: str, value: int, target: int) -> Figure:
    return Figure(name, value, f">= {target}", value >= target)
