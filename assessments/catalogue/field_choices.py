"""What editors read of fields of work and of kinds of teaching."""

from collections.abc import Sequence
from typing import NamedTuple

from measurement.course_names import TABLES
from measurement.courses import DELIVERY
from measurement.fields import FIELDS
from measurement.wording import ENGLISH

# The ends of the scales of preferences, in order.
DELIVERY_WORDS = dict(
    zip(DELIVERY, (end for ends in ENGLISH.preferences.values() for end in ends), strict=True)
)


class FieldChoice(NamedTuple):
    name: str
    about: str
    examples: str  # two courses

    def __str__(self) -> str:
        return f"{self.name}: {self.about} ({self.examples})"


FIELD_CHOICES = {code: FieldChoice(*TABLES["fields"][code]) for code in FIELDS}


def field_names(codes: Sequence[str]) -> str:
    return "; ".join(FIELD_CHOICES[code].name for code in codes if code in FIELDS)
