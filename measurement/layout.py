"""Positions, pages and sections of the questions of an attempt.

Positions count from 1; a page is identified by its first position.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

# Estimates by reading speed, for banks that have no times.
SECONDS_PER_ITEM = {"interests": 6, "fields": 6, "aptitude": 40, "preferences": 7}


@dataclass(frozen=True)
class Section:
    """Consecutive positions with questions of one kind.

    `seconds` is the expected time; the `examples` are shown before it begins.
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

    def section_at(self, position: int) -> Section:
        """Return the section of a position from 1 to `total`."""
        return next(section for section in self.sections if position <= section.last)

    def find(self, code: str) -> Section:
        """Return the section with this code, one of `bank_validation.SECTIONS`."""
        return next(section for section in self.sections if section.code == code)
