"""Checks of single values of any type, shared by all checks of a bank file."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from itertools import zip_longest
from typing import Any, TypeGuard

from measurement.norms import LARGEST_SD, SMALLEST_SD
from measurement.scales import HIGHEST, LOWEST

MOST = 10_000
CODE = re.compile(r"[A-Za-z0-9.-]{1,40}")
# Control characters and lone surrogates, which pages and databases cannot hold.
UNWRITABLE = re.compile(r"[\x00-\x1f\x7f\ud800-\udfff]")
# The script of a language; languages that are not listed here are not checked.
SCRIPTS = {"hi": re.compile(r"[\u0904-\u0939]")}
# An English word, as opposed to the signs of a puzzle, such as "A", "BA 12", "x" or "Rs 40".
WORD = re.compile(r"(?!Rs\b)[A-Za-z][a-z]+")


def mapping(value: object) -> Mapping[str, Any]:
    """Return the value if it is a JSON object, else an empty one."""
    return value if isinstance(value, Mapping) else {}


def listed(value: object) -> list[Any]:
    """Return the value if it is a list, else an empty one."""
    return value if isinstance(value, list) else []


def is_text(value: object) -> TypeGuard[str]:
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


def limit_faults(
    name: str, values: Mapping[str, Any], limits: Mapping[str, tuple[float, float, bool]]
) -> Iterator[str]:
    """Yield the values that are unknown or not within their limits: low, high, whole or not."""
    for each in sorted(values.keys() - limits.keys(), key=str):
        yield f"{name}: unknown {each}."
    for each, (low, high, whole) in limits.items():
        value = values.get(each)
        if not is_within(value, low, high) or (whole and not is_whole(value)):
            yield f"{name}, {each}: {value} is not from {low} to {high}."


def norm_faults(name: str, norm: Mapping[str, Any]) -> Iterator[str]:
    """Yield what is wrong with a norm of answers from LOWEST to HIGHEST."""
    mean, sd = norm.get("mean"), norm.get("sd")
    if not is_within(mean, LOWEST, HIGHEST) or not is_within(sd, SMALLEST_SD, LARGEST_SD):
        yield (
            f"norms, {name}: needs a mean from {LOWEST} to {HIGHEST} "
            f"and an sd from {SMALLEST_SD} to {LARGEST_SD:g}."
        )


def counts_up(values: Sequence[object]) -> bool:
    """Tell whether the values are 1, 2, 3 and so on."""
    return all(map(is_whole, values)) and list(values) == list(range(1, len(values) + 1))


def repeated(values: Sequence[str]) -> list[str]:
    return [value for value, count in Counter(values).items() if count > 1]


def text_faults(texts: object, languages: Sequence[str]) -> Iterator[str]:
    """Yield the languages in which a text is missing or in the script of another language."""
    english = mapping(texts).get("en")
    for language in languages:
        text = mapping(texts).get(language)
        if not is_text(text):
            yield f"is missing in {language}."
        elif is_in_another_script(text, language, english):
            yield f"is not written in the script of {language}."


def paragraph_faults(paragraphs: object, languages: Sequence[str]) -> Iterator[str]:
    """Yield the languages in which paragraphs are missing or in the script of another language."""
    english = listed(mapping(paragraphs).get("en"))
    for language in languages:
        texts = listed(mapping(paragraphs).get(language))
        if not texts or not all(is_text(text) for text in texts):
            yield f"has no paragraphs in {language}."
            continue
        for number, (text, beside) in enumerate(zip_longest(texts, english), start=1):
            if text and is_in_another_script(text, language, beside):
                yield f"is not written in the script of {language} in paragraph {number}."


def is_in_another_script(text: str, language: str, english: object) -> bool:
    """Tell whether a text lacks the letters of its language, although it or `english` has words."""
    script = SCRIPTS.get(language)
    if script is None or script.search(text):
        return False
    return any(isinstance(each, str) and WORD.search(each) for each in (text, english))


def label_faults(options: object, languages: Sequence[str]) -> Iterator[str]:
    """Yield the options whose label is missing or repeated."""
    labels = [mapping(option).get("label") for option in listed(options)]
    for number, label in enumerate(labels, start=1):
        for fault in text_faults(label, languages):
            yield f"label {number} {fault}"
    for language in languages:
        if repeated([str(mapping(label).get(language)) for label in labels]):
            yield f"two labels are the same in {language}."
