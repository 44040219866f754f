"""Small questions about values that may be anything, as every check of a bank file asks them."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, TypeGuard

MOST = 10_000
CODE = re.compile(r"[A-Za-z0-9.-]{1,40}")
# Control characters, and halves of a character, which no page and no database can hold.
UNWRITABLE = re.compile(r"[\x00-\x1f\x7f\ud800-\udfff]")


def mapping(value: object) -> Mapping[str, Any]:
    """Return the value if it is a JSON object, else an empty one."""
    return value if isinstance(value, Mapping) else {}


def listed(value: object) -> list[Any]:
    """Return the value if it is a list, else an empty one."""
    return value if isinstance(value, list) else []


def is_text(value: object) -> bool:
    return isinstance(value, str) and bool(value.strip()) and not UNWRITABLE.search(value)


def is_code(value: object) -> bool:
    return isinstance(value, str) and bool(CODE.fullmatch(value))


def is_whole(value: object) -> TypeGuard[int]:
    # JSON's true is an int to Python.
    return isinstance(value, int) and not isinstance(value, bool)


def is_count(value: object) -> TypeGuard[int]:
    return is_whole(value) and 1 <= value <= MOST


def is_within(value: object, low: float, high: float) -> bool:
    # Also False for NaN, which Python's JSON reader lets through.
    return isinstance(value, int | float) and not isinstance(value, bool) and low <= value <= high


def counts_up(values: Sequence[object]) -> bool:
    """Tell whether the values are 1, 2, 3 and so on."""
    return all(map(is_whole, values)) and list(values) == list(range(1, len(values) + 1))


def repeated(values: Sequence[str]) -> list[str]:
    return [value for value, count in Counter(values).items() if count > 1]


def text_faults(texts: object, languages: Sequence[str]) -> Iterator[str]:
    """Say in which languages a text is missing."""
    for language in languages:
        if not is_text(mapping(texts).get(language)):
            yield f"is missing in {language}."


def paragraph_faults(paragraphs: object, languages: Sequence[str]) -> Iterator[str]:
    """Say in which languages there are no paragraphs."""
    for language in languages:
        texts = listed(mapping(paragraphs).get(language))
        if not texts or not all(is_text(text) for text in texts):
            yield f"has no paragraphs in {language}."


def label_faults(options: object, languages: Sequence[str]) -> Iterator[str]:
    """Say which of the options has no label, or one that another has too."""
    labels = [mapping(option).get("label") for option in listed(options)]
    for number, label in enumerate(labels, start=1):
        for fault in text_faults(label, languages):
            yield f"label {number} {fault}"
    for language in languages:
        if repeated([str(mapping(label).get(language)) for label in labels]):
            yield f"two labels are the same in {language}."
