"""What staff edit of a catalogue in one table: which columns, and whether a row is as it was."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from assessments.measurement.scales import INTERESTS

COLUMNS = ("is_active", "order", "name", *INTERESTS)


@dataclass(frozen=True, slots=True)
class Revision:
    """New values of one course, and the digest of the row that they were typed over."""

    digest: str
    values: Mapping[str, Any]


class EditConflict(Exception):
    """Somebody else changed or deleted these courses, by primary key, since they were read."""

    def __init__(self, pks: list[int]) -> None:
        super().__init__("Somebody else changed these courses meanwhile.")
        self.pks = pks


def digest(values: Mapping[str, Any]) -> str:
    """Return what tells whether a row is still the same; `values` has all of COLUMNS.

    Numbers and their text are alike, so that what a form holds can be compared unread.
    """
    texts = [str(values[column]) for column in COLUMNS]
    return hashlib.sha256(json.dumps(texts).encode()).hexdigest()[:16]
