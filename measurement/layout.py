"""Positions of questions (from 1) in pages and sections. A page is known by its first position."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

# Estimates from reading speed, for sections without an expected time.
SECONDS_PER_ITEM = {"interests": 6, "fields": 6, "aptitude": 40, "preferences": 7}
BAR_GAP = 1.5  # percent


def whole_minutes(seconds: float) -> int:
    """Round up. Sums of fractions of a second may differ in their last bits."""
    return math.ceil(round(seconds / 60, 6))


@dataclass(frozen=True)
class Section:
    """The questions of one section, from position `first` to `last`."""

    code: str
    number: int
    first: int
    last: int
    per_page: int
    title: dict[str, str]
    intro: dict[str, list[str]]
    seconds: float  # expected, for all questions
    examples: Sequence[dict[str, Any]]  # solved puzzles, one of each family

    @property
    def minutes(self) -> int:
        """The expected time, rounded up to whole minutes."""
        return whole_minutes(self.seconds)

    def number_of(self, position: int) -> int:
        """Return the number of a position within the section, from 1."""
        return position - self.first + 1

    @property
    def total(self) -> int:
        return self.number_of(self.last)

    def page_first(self, position: int) -> int:
        """Return the first position of the page that contains this one."""
        return position - (position - self.first) % self.per_page

    def page(self, position: int) -> range:
        first = self.page_first(position)
        return range(first, min(first + self.per_page, self.last + 1))


@dataclass(frozen=True)
class Layout:
    """The sections of a bank, in the order in which they are taken."""

    sections: tuple[Section, ...]

    @classmethod
    def from_sections(cls, definitions: Sequence[dict[str, Any]]) -> Layout:
        sections, first = [], 1
        for number, definition in enumerate(definitions, start=1):
            code, count = definition["code"], definition["items_given"]
            sections.append(
                Section(
                    code=code,
                    number=number,
                    first=first,
                    last=first + count - 1,
                    per_page=definition["per_page"],
                    title=definition["title"],
                    intro=definition["intro"],
                    seconds=definition.get("seconds") or count * SECONDS_PER_ITEM[code],
                    examples=definition.get("examples", []),
                )
            )
            first += count
        return cls(tuple(sections))

    @property
    def total(self) -> int:
        return self.sections[-1].last

    @property
    def last_page(self) -> int:
        return self.sections[-1].page_first(self.total)

    @property
    def seconds(self) -> float:
        """The expected time of an attempt."""
        return sum(section.seconds for section in self.sections)

    @property
    def minutes(self) -> int:
        """The expected time of an attempt, rounded up to whole minutes."""
        return whole_minutes(self.seconds)

    def at_pace(self, pace: float) -> Layout:
        """Return the layout with every expected time multiplied."""
        return Layout(tuple(replace(each, seconds=pace * each.seconds) for each in self.sections))

    def minutes_left(self, answered: Mapping[str, int]) -> int:
        """Return the minutes for the other questions, at least 1; `answered` counts by section."""
        seconds = sum(
            section.seconds * (1 - answered[section.code] / section.total)
            for section in self.sections
        )
        return max(1, whole_minutes(seconds))

    def bars(self, answered: Mapping[str, int]) -> list[dict[str, float]]:
        """Return a progress bar for each section, as wide as its share of the expected time.

        In percent of the whole width, gaps included. `filled` is the part that the answers take.
        """
        all_widths = 100 - BAR_GAP * (len(self.sections) - 1)
        bars, start = [], 0.0
        for section in self.sections:
            width = all_widths * section.seconds / self.seconds
            filled = width * answered[section.code] / section.total
            bars.append({"start": start, "width": width, "filled": filled})
            start += width + BAR_GAP
        return bars

    def section_at(self, position: int) -> Section:
        return next(section for section in self.sections if position <= section.last)

    def find(self, code: str) -> Section:
        return next(section for section in self.sections if section.code == code)
