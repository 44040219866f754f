"""Positions, pages and sections of the questions of an attempt.

Positions count from 1; a page is identified by its first position.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

# Estimates by reading speed, for banks that have no times.
SECONDS_PER_ITEM = {"interests": 6, "fields": 6, "aptitude": 40, "preferences": 7}
BAR_GAP = 1.5


@dataclass(frozen=True)
class Section:
    """Consecutive positions with questions of one kind.

    `seconds` is the expected time; `examples` are solved puzzles, one of each family.
    """

    code: str
    number: int
    first: int
    last: int
    per_page: int
    title: dict[str, str]
    intro: dict[str, list[str]]
    seconds: float
    examples: Sequence[dict[str, Any]]

    @property
    def minutes(self) -> int:
        """The expected time of the section, in whole minutes."""
        return math.ceil(self.seconds / 60)

    def example_of(self, family: str) -> dict[str, Any] | None:
        return next((each for each in self.examples if each["family"] == family), None)

    def number_of(self, position: int) -> int:
        """Return the number of a question within the section, from 1."""
        return position - self.first + 1

    @property
    def total(self) -> int:
        return self.number_of(self.last)

    def page_first(self, position: int) -> int:
        """Return the first position on the page of this position."""
        return position - (position - self.first) % self.per_page

    def page(self, position: int) -> range:
        first = self.page_first(position)
        return range(first, min(first + self.per_page, self.last + 1))


@dataclass(frozen=True)
class Layout:
    """The sections of a bank, in the order in which they are taken."""

    sections: tuple[Section, ...]

    @classmethod
    def of(cls, definitions: Sequence[dict[str, Any]]) -> Layout:
        sections = []
        first = 1
        for number, definition in enumerate(definitions, start=1):
            given = definition["items_given"]
            last = first + given - 1
            sections.append(
                Section(
                    code=definition["code"],
                    number=number,
                    first=first,
                    last=last,
                    per_page=definition["per_page"],
                    title=definition["title"],
                    intro=definition["intro"],
                    seconds=definition.get("seconds")
                    or given * SECONDS_PER_ITEM[definition["code"]],
                    examples=definition.get("examples", []),
                )
            )
            first = last + 1
        return cls(tuple(sections))

    @property
    def total(self) -> int:
        return self.sections[-1].last

    @property
    def last_page(self) -> int:
        """The first position on the last page."""
        return self.sections[-1].page_first(self.total)

    @property
    def minutes(self) -> int:
        """The expected time of an attempt, in whole minutes."""
        return math.ceil(sum(section.seconds for section in self.sections) / 60)

    def share_of(self, section: Section) -> float:
        """The share of the expected time that a section takes."""
        return section.seconds / sum(each.seconds for each in self.sections)

    def minutes_left(self, answered: Mapping[str, int]) -> int:
        """The expected time of the unanswered questions, in whole minutes, at least 1.

        `answered` counts the answers by the code of a section.
        """
        seconds = sum(
            section.seconds * (1 - answered[section.code] / section.total)
            for section in self.sections
        )
        return max(1, math.ceil(seconds / 60))

    def bars(self, answered: Mapping[str, int]) -> list[dict[str, float]]:
        """Return a bar for each section, as wide as its expected time, and its answered part.

        All are in percent of the whole width, which includes the gaps between them.
        """
        room = 100 - BAR_GAP * (len(self.sections) - 1)
        bars, start = [], 0.0
        for section in self.sections:
            width = room * self.share_of(section)
            filled = width * answered[section.code] / section.total
            bars.append({"start": start, "width": width, "filled": filled})
            start += width + BAR_GAP
        return bars

    def section_at(self, position: int) -> Section:
        """Return the section of a position from 1 to `total`."""
        return next(section for section in self.sections if position <= section.last)

    def find(self, code: str) -> Section:
        """Return the section with this code, one of `bank_validation.SECTIONS`."""
        return next(section for section in self.sections if section.code == code)
