"""6. Both languages are complete, and an attempt is short."""

from __future__ import annotations

import json
from collections.abc import Iterator

from bench.measurement.claims.simulated import shipped_file
from lab.figures import Figure, at_most, exactly
from measurement.bank_validation import validate
from measurement.layout import Layout

LANGUAGES = ("en", "hi")
MOST_QUESTIONS, MOST_MINUTES = 70, 13.5


def figures() -> Iterator[Figure]:
    data = json.loads(shipped_file().read_bytes())
    layout = Layout.of(data["sections"])
    missing = len(set(LANGUAGES) - set(data["languages"]))
    yield exactly("languages that the bank lacks", missing, 0)
    yield exactly("faults of the bank, such as a text not in a language", len(validate(data)), 0)
    yield at_most("questions of an attempt", layout.total, MOST_QUESTIONS)
    minutes = sum(section.seconds for section in layout.sections) / 60
    yield at_most("minutes of an attempt, estimated", minutes, MOST_MINUTES)
