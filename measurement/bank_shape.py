"""What a bank file consists of, and what each part of it may hold by itself."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from itertools import zip_longest
from typing import Any

from measurement.fields import FIELDS
from measurement.json_shapes import (
    COUNT,
    Shape,
    by,
    code,
    list_of,
    nothing,
    number,
    one_of,
    record,
    text,
    whole_number,
)
from measurement.norms import LARGEST_SD, SMALLEST_SD
from measurement.scales import FACETS, HIGHEST, INSTRUCTED, INTERESTS, LOWEST, PREFERENCES

SECTIONS = ("interests", "fields", "aptitude", "preferences")
FAMILIES = ("series", "matrices", "patterns", "logic", "problems", "data")
SCALES: dict[str, tuple[str, ...]] = {"interests": INTERESTS, "preferences": PREFERENCES}
REFERENCES = ("assumed", "students")
# The parameters of a puzzle.
RANGES = {"a": (0.2, 3.0), "b": (-4.0, 4.0), "c": (0.0, 0.5)}
FEWEST_OPTIONS = 3
LONGEST_ITEM, LONGEST_SECTION = 600, 7200  # seconds
CARELESS: dict[str, Shape] = {
    "least_effort": number(0, 1),
    "least_consistency": number(-3, 3),
    "straight_run": number(2, 100, whole=True),
    "longest_pattern": number(1, 5, whole=True),
    "fastest_statement": number(0, 10),
    "hurried_share": number(0, 1),
}
MATCHING: dict[str, Shape] = {
    "leading": number(1, len(FIELDS), whole=True),
    "noise": number(0.01, 10),
    "main_weight": number(1, 10),
    "other_weight": number(0, 10),
    "fit_spread": number(0.1, 1),
    "aptitude_sd": number(0, 1),
    "aptitude_cap": number(0, 1),
    "preference_most": number(0, 0.05),
    "per_department": number(1, 10, whole=True),
    "department_lead": number(0, 4),
    "named": number(0, 1),
}
# Figures: more than fits on a phone, yet small enough to draw quickly.
CELLS, MOST_ATTRIBUTES, MOST_PARTS, WIDEST_TURN = 9, 12, 16, 359
MOST_BARS, HIGHEST_BAR = 12, 10**7
MOST_COLUMNS, MOST_ROWS, LARGEST_VALUE = 8, 12, 10**12
# The script of a language; languages that are not listed here are not checked.
SCRIPTS = {"hi": re.compile(r"[\u0904-\u0939]")}
# An English word, as opposed to the signs of a puzzle, such as "A", "BA 12", "x" or "Rs 40".
WORD = re.compile(r"(?!Rs\b)[A-Za-z][a-z]+")


def bank_shape(languages: Sequence[str]) -> Shape:
    """Return the shape of a bank file that has its texts in these languages."""
    words, paragraphs = in_each(languages, text), in_each(languages, list_of(text, 1))
    norm = {"mean": number(LOWEST, HIGHEST), "sd": number(SMALLEST_SD, LARGEST_SD)}
    norms = {
        section: record(dict.fromkeys(scales, record(norm)), others=nothing)
        for section, scales in SCALES.items()
    }
    answers = list_of(record({"label": words, "value": COUNT}), HIGHEST, HIGHEST)
    types = list_of(one_of(*INTERESTS), 1, 2)
    covariances = list_of(number(-16, 16), len(FIELDS), len(FIELDS))
    figures = _figures(words)
    drawing = by("kind", {kind: shape for kind, shape in figures.items() if kind != "table"})
    material = {"passage": paragraphs, "lines": list_of(text), "figure": by("kind", figures)}
    example = record(
        {
            "family": one_of(*FAMILIES),
            **dict.fromkeys(("title", "text", "answer", "explanation"), words),
        },
        {"options": list_of(record({"label": words}, {"figure": drawing})), **material},
    )
    section = record(
        {
            "code": one_of(*SECTIONS),
            "title": words,
            "intro": paragraphs,
            "items_given": COUNT,
            "per_page": COUNT,
        },
        {"seconds": number(1, LONGEST_SECTION), "examples": list_of(example)},
    )
    return record(
        {
            "version": code,
            "answers": record(dict.fromkeys(SCALES, answers)),
            "dont_know": words,
            "norms": record({**norms, "statements": list_of(record({"code": code, **norm}))}),
            "careless": record(CARELESS, others=nothing),
            "fields": list_of(record({"code": one_of(*FIELDS), "name": words, "types": types})),
            "matching": record(MATCHING, others=nothing),
            "field_covariances": list_of(covariances, len(FIELDS), len(FIELDS)),
            "sections": list_of(section),
            "items": list_of(_item(words, drawing, material)),
        },
        {
            "succeeds": code,
            "norms_from": COUNT,
            "reference": one_of(*REFERENCES),
            "facets": record(
                {}, dict.fromkeys(FACETS, list_of(one_of(*FAMILIES), 1)), others=nothing
            ),
        },
    )


def _item(words: Shape, drawing: Shape, material: Mapping[str, Shape]) -> Shape:
    every = {"code": code, "order": COUNT, "text": words}
    optional = {"spare": one_of(True, False), "seconds": number(1, LONGEST_ITEM)}
    option = record({"label": words, "value": COUNT}, {"figure": drawing})
    puzzle = record(
        {
            **every,
            "options": list_of(option, FEWEST_OPTIONS),
            "key": COUNT,
            **{name: number(low, high) for name, (low, high) in RANGES.items()},
        },
        {**optional, "template": text, "radicals": record({}, others=whole_number), **material},
    )
    check = record({**every, "expected": number(LOWEST, HIGHEST, whole=True)}, optional)
    scored = {**optional, "expected": nothing}
    statement, preference = record(every, scored), record({**every, "keyed": one_of(1, -1)}, scored)
    return by(
        "section",
        {
            "interests": by("scale", {**dict.fromkeys(INTERESTS, statement), INSTRUCTED: check}),
            "fields": by("scale", {**dict.fromkeys(FIELDS, statement), INSTRUCTED: check}),
            "aptitude": by("family", dict.fromkeys(FAMILIES, puzzle)),
            "preferences": by("scale", dict.fromkeys(PREFERENCES, preference)),
        },
    )


def _figures(words: Shape) -> dict[str, Shape]:
    texts = {"alt": words, "caption": words}
    bar = record({"label": words, "value": number(0, HIGHEST_BAR, whole=True)})
    row = record({"label": words, "values": list_of(_table_value)})
    table = {
        "caption": words,
        "columns": list_of(words, 2, MOST_COLUMNS),
        "rows": list_of(row, 1, MOST_ROWS),
    }
    return {
        "matrix": record({"cells": _cells}, texts),
        "cell": record({"cell": _cell}, texts),
        "bars": record({"bars": list_of(bar, 2, MOST_BARS)}, {"step": whole_number, **texts}),
        "table": record(table),
    }


def _cells(value: Any) -> Iterator[str]:
    if not isinstance(value, list) or len(value) != CELLS or value[-1] is not None:
        yield f": they are not {CELLS} with the last one empty (null)."
        return
    yield from list_of(_cell)(value[:-1])


def _cell(value: Any) -> Iterator[str]:
    yield from record({}, others=_attribute)(value)
    if not isinstance(value, Mapping) or not 1 <= len(value) <= MOST_ATTRIBUTES:
        yield f": it has not 1 to {MOST_ATTRIBUTES} attributes."


def _attribute(value: Any) -> Iterator[str]:
    """Yield a fault unless this is a name, a number or a short list of them."""
    parts = value if isinstance(value, list) else [value]
    if len(parts) > MOST_PARTS:
        yield f": it has more than {MOST_PARTS} parts."
    for part in parts:
        if not isinstance(part, str):
            yield from number(0, WIDEST_TURN, whole=True)(part)


def _table_value(value: Any) -> Iterator[str]:
    if any(text(value)):
        yield from number(-LARGEST_VALUE, LARGEST_VALUE)(value)


def in_each(languages: Sequence[str], shape: Shape) -> Shape:
    """Return the shape of an object with a text, or with paragraphs, in each language."""

    def faults(value: Any) -> Iterator[str]:
        given = value if isinstance(value, Mapping) else {}
        for language in languages:
            written, english = given.get(language), given.get("en")
            found = list(shape(written))
            if not found and _is_untranslated(written, language, english):
                found = [": it is not written in the script of the language."]
            yield from (f" in {language}{fault}" for fault in found)

    return faults


def _is_untranslated(written: Any, language: str, english: Any) -> bool:
    """Tell whether a text lacks the letters of its language, though it or the English has words."""
    texts = [each if isinstance(each, list) else [each] for each in (written, english)]
    return language in SCRIPTS and any(
        bool(own)
        and not SCRIPTS[language].search(own)
        and bool(WORD.search(f"{own} {beside or ''}"))
        for own, beside in zip_longest(*texts)
    )
