"""Words for what changes between two catalogues."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from django.contrib.admin.utils import label_for_field
from django.utils.text import capfirst

from assessments.catalogue.difference import Difference
from assessments.catalogue.field_choices import FIELD_CHOICES
from assessments.measurement.courses import LEVELS
from assessments.models import Course

# Of each kind of change. A page with all of 10,000 would be unreadable.
SHOWN = 200


@dataclass(frozen=True, slots=True)
class Changed:
    """A course that changes, with (label, before, after) of each column."""

    code: str
    name: str
    columns: list[tuple[str, str, str]]


@dataclass(frozen=True, slots=True)
class Told:
    """A difference in words. `more` says how many courses of each kind are not shown."""

    added: list[tuple[str, str]]
    changed: list[Changed]
    deactivated: list[tuple[str, str]]
    more: dict[str, int]


def told(difference: Difference, courses: Sequence[Course]) -> Told:
    """Return the difference in words; `courses` are those of the planned catalogue."""
    names = {course.code: course.name for course in courses}
    return Told(
        added=[(code, names[code]) for code in difference.added[:SHOWN]],
        changed=[
            Changed(
                code,
                names[code],
                [
                    (column_label(name), in_words(name, before), in_words(name, after))
                    for name, (before, after) in columns.items()
                ],
            )
            for code, columns in [*difference.changed.items()][:SHOWN]
        ],
        deactivated=[(code, names[code]) for code in difference.deactivated[:SHOWN]],
        more={kind: max(0, len(codes) - SHOWN) for kind, codes in difference.codes.items()},
    )


def column_label(name: str) -> str:
    """Return the label of a column of Course."""
    return capfirst(str(label_for_field(name, Course)))


def in_words(name: str, value: Any) -> str:
    """Return a value of a column of Course in words."""
    if isinstance(value, bool):
        return "yes" if value else "no"
    if name == "fields":
        return ", ".join(FIELD_CHOICES[field].name for field in value) or "nothing"
    if isinstance(value, dict):
        texts = (
            (code, text if isinstance(text, str) else "; ".join(text))
            for code, text in value.items()
        )
        return " / ".join(f"{code}: {text}" for code, text in texts) or "nothing"
    if isinstance(value, list):
        return ", ".join(value) or "nothing"
    if name.endswith("_level") and isinstance(value, int):
        return LEVELS[value]
    return str(value) or "nothing"


def counted(difference: Difference) -> str:
    """Return the counts of a difference in a phrase, such as “3 added, 1 changed”."""
    counts = [(count, kind) for kind, count in difference.counts.items() if kind != "unchanged"]
    return ", ".join(f"{count} {kind}" for count, kind in counts if count)
