"""The columns of the table in which staff edit a catalogue, and digests that detect conflicts."""

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
    """New values of a course, and the digest of the row that they replace."""

    digest: str
    values: Mapping[str, Any]


class EditConflict(Exception):
    """Another user changed or deleted these courses, given by primary key."""

    def __init__(self, pks: list[int]) -> None:
        super().__init__("Another user changed these courses.")
        self.pks = pks


def digest(values: Mapping[str, Any]) -> str:
    """Return a digest of a row; `values` has all of COLUMNS.

    Numbers count as text, so that unvalidated values of a form can be compared.
    """
    texts = [str(values[column]) for column in COLUMNS]
    return hashlib.sha256(json.dumps(texts).encode()).hexdigest()[:16]
