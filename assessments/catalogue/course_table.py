"""The inputs of the table in which staff edit a catalogue, and digests that detect conflicts."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from assessments.measurement.scales import INTERESTS

# A course has one to three fields, and an input for each.
FIELD_INPUTS = ("main_field", "second_field", "third_field")
INPUTS = ("is_active", "order", "name", *FIELD_INPUTS, "confirmed", *INTERESTS)
# The columns of a course that the inputs set.
COLUMNS = ("is_active", "order", "name", "fields", "fields_proposed", *INTERESTS)


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
    """Return a digest of a row; `values` has all of INPUTS.

    Numbers count as text, so that unvalidated values of a form can be compared.
    """
    texts = [str(values[name]) for name in INPUTS]
    return hashlib.sha256(json.dumps(texts).encode()).hexdigest()[:16]
