"""What one catalogue says differently from another. Pure functions."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

# Somebody who sends the wrong file takes most courses away from students.
FEW_DEACTIVATED = 1 / 5

Courses = Mapping[str, Mapping[str, Any]]


@dataclass(frozen=True, slots=True)
class Difference:
    """How a catalogue would change, by codes of courses.

    `changed` has columns with their values before and after. A course that only becomes inactive is
    among `deactivated` alone. `active` is the number of active courses before.
    """

    added: tuple[str, ...]
    changed: dict[str, dict[str, tuple[Any, Any]]]
    deactivated: tuple[str, ...]
    unchanged: int
    active: int

    @property
    def counts(self) -> dict[str, int]:
        return {
            "added": len(self.added),
            "changed": len(self.changed),
            "unchanged": self.unchanged,
            "deactivated": len(self.deactivated),
        }

    @property
    def codes(self) -> dict[str, list[str]]:
        return {
            "added": [*self.added],
            "changed": [*self.changed],
            "deactivated": [*self.deactivated],
        }

    @property
    def touched(self) -> set[str]:
        """The codes of the courses to write."""
        return {*self.added, *self.changed, *self.deactivated}

    @property
    def deactivates_many(self) -> bool:
        """Whether so many courses become inactive that a user must confirm it."""
        return len(self.deactivated) > FEW_DEACTIVATED * self.active


def difference(before: Courses, after: Courses) -> Difference:
    """Compare two catalogues, given as the columns of their courses by code.

    A course that is missing after counts as inactive, and one that is inactive before and after as
    neither changed nor unchanged, unless other columns differ. Columns missing after are equal.
    """
    changed, deactivated, unchanged = {}, [], 0
    for code, old in before.items():
        new = after.get(code, {"is_active": False})
        columns = {name: (old[name], new[name]) for name in new if old[name] != new[name]}
        if old["is_active"] and not new["is_active"]:
            deactivated.append(code)
            del columns["is_active"]
        if columns:
            changed[code] = columns
        elif old["is_active"] and new["is_active"]:
            unchanged += 1
    return Difference(
        added=tuple(code for code in after if code not in before),
        changed=changed,
        deactivated=tuple(deactivated),
        unchanged=unchanged,
        active=sum(1 for course in before.values() if course["is_active"]),
    )
