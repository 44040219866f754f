"""Where each question of an attempt stands: positions, pages and sections.

Pure functions over plain values. A position counts the questions of an attempt from 1; a page is
known by the first position on it.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

# An estimate by reading speed for a bank that names none; real attempts replace either.
SECONDS_PER_ITEM = {"interests": 6, "aptitude": 40, "preferences": 7}


@dataclass(frozen=True)
class Section:
    """A run of positions whose questions are of one kind.

    `seconds` is how long it takes by the bank's estimate; `examples` are solved before it begins.
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
        """The estimated length of the section, in whole minutes."""
        return math.ceil(self.seconds / 60)

    def page_first(self, position: int) -> int:
        """Return the first position of the page on which this position stands."""
        return position - (position - self.first) % self.per_page

    def page(self, position: int) -> range:
        """Return the positions of the page on which this position stands."""
        first = self.page_first(position)
        return range(first, min(first + self.per_page, self.last + 1))


@dataclass(frozen=True)
class Layout:
    """The sections of a bank, in the order in which they are taken."""

    sections: tuple[Section, ...]

    @classmethod
    def of(cls, definitions: Sequence[dict[str, Any]]) -> Layout:
        """Return the layout of a bank's section definitions."""
        sections = []
        first = 1
        for number, definition in enumerate(definitions, start=1):
            last = first + definition["items_given"] - 1
            sections.append(
                Section(
                    code=definition["code"],
                    number=number,
                    first=first,
                    last=last,
                    per_page=definition["per_page"],
                    title=definition["title"],
                    intro=definition["intro"],
                    seconds=definition.get("seconds") or _usual_seconds(definition),
                    examples=definition.get("examples", []),
                )
            )
            first = last + 1
        return cls(tuple(sections))

    @property
    def total(self) -> int:
        """The number of questions in an attempt."""
        return self.sections[-1].last

    @property
    def last_page(self) -> int:
        """The first position on the last page."""
        return self.sections[-1].page_first(self.total)

    @property
    def minutes(self) -> int:
        """The estimated length of an attempt."""
        return math.ceil(sum(section.seconds for section in self.sections) / 60)

    def section_at(self, position: int) -> Section:
        """Return the section of a position from 1 to `total`."""
        return next(section for section in self.sections if position <= section.last)


def _usual_seconds(definition: dict[str, Any]) -> float:
    seconds: int = definition["items_given"] * SECONDS_PER_ITEM[definition["code"]]
    return seconds
