"""Checking a bank file before it is published."""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, TypeGuard

from assessments.itembank import patterns, series
from assessments.measurement.scales import HIGHEST, INTERESTS, LOWEST, PREFERENCES

SECTIONS = ("interests", "aptitude", "preferences")
FAMILIES = (series.FAMILY, patterns.FAMILY)
SCALES: dict[str, tuple[str, ...]] = {"interests": INTERESTS, "preferences": PREFERENCES}
RANGES = {"a": (0.2, 3.0), "b": (-4.0, 4.0), "c": (0.0, 0.5)}
MOST_PREFERENCE_WEIGHT = 0.05
FEWEST_OPTIONS = 3
MOST = 10_000
CODE = re.compile(r"[A-Za-z0-9.-]{1,40}")


def validate(data: object) -> list[str]:
    """Return what is wrong with a bank file's content, a sentence each; nothing when it is sound.

    Every sentence begins with the row that it is about. No content, however broken, raises.
    """
    if not isinstance(data, Mapping):
        return ["bank: not a JSON object."]
    faults = list(_head(data))
    items = data.get("items")
    if not isinstance(items, list) or not all(isinstance(item, Mapping) for item in items):
        return [*faults, "items: not a list of objects."]
    languages = _languages(data)
    for number, item in enumerate(items, start=1):
        name = f"item {number} ({item.get('code', 'no code')})"
        faults += [f"{name}: {fault}" for fault in _item(item, languages)]
    faults += _repetitions(items, languages)
    faults += _sections(data, items, languages)
    return faults


def _head(data: Mapping[str, Any]) -> Iterator[str]:
    if not _is_code(data.get("version")):
        yield "version: missing, or not up to 40 letters, digits, dots and hyphens."
    if not _languages(data):
        yield "languages: not a list of different language codes."
    languages = _languages(data)
    answers = _mapping(data.get("answers"))
    for section in SCALES:
        for fault in _choices(answers.get(section), languages):
            yield f"answers, {section}: {fault}"
        values = [_mapping(each).get("value") for each in _list(answers.get(section))]
        if len(values) != HIGHEST or not _counts_up(values):
            yield f"answers, {section}: the values are not {LOWEST} to {HIGHEST} in order."
    for fault in _text(data.get("dont_know"), languages):
        yield f"dont_know: {fault}"
    yield from _norms(_mapping(data.get("norms")))
    yield from _weights(_mapping(data.get("weights")))


def _norms(norms: Mapping[str, Any]) -> Iterator[str]:
    for section, scales in SCALES.items():
        given = _mapping(norms.get(section))
        for scale in sorted(given.keys() - set(scales), key=str):
            yield f"norms, {section}: unknown scale {scale}."
        for scale in scales:
            norm = _mapping(given.get(scale))
            mean, sd = norm.get("mean"), norm.get("sd")
            if not _within(mean, LOWEST, HIGHEST) or not _within(sd, 0.1, 2):
                yield (
                    f"norms, {section}, {scale}: needs a mean from {LOWEST} to {HIGHEST} "
                    "and an sd from 0.1 to 2."
                )


def _weights(weights: Mapping[str, Any]) -> Iterator[str]:
    if set(weights) != set(SECTIONS) or not all(_within(w, 0, 1) for w in weights.values()):
        yield f"weights: needs a number from 0 to 1 for each of {', '.join(SECTIONS)}."
        return
    if not math.isclose(math.fsum(weights.values()), 1, abs_tol=1e-9):
        yield "weights: they do not sum to 1."
    if weights["preferences"] > MOST_PREFERENCE_WEIGHT:
        yield f"weights, preferences: more than {MOST_PREFERENCE_WEIGHT}."


def _item(item: Mapping[str, Any], languages: Sequence[str]) -> Iterator[str]:
    if not _is_code(item.get("code")):
        yield "the code is missing, or not up to 40 letters, digits, dots and hyphens."
    if not _is_count(item.get("order")):
        yield "the order is not a whole number from 1 to 10000."
    for fault in _text(item.get("text"), languages):
        yield f"the text {fault}"
    section = item.get("section")
    if section == "aptitude":
        yield from _aptitude_item(item, languages)
    elif section in ("interests", "preferences"):
        if item.get("scale") not in SCALES[section]:
            yield f"unknown scale {item.get('scale')}."
        keyed = item.get("keyed")
        if section == "preferences" and not (_is_whole(keyed) and keyed in (1, -1)):
            yield "keyed is not 1 or -1."
    else:
        yield f"unknown section {section}."


def _aptitude_item(item: Mapping[str, Any], languages: Sequence[str]) -> Iterator[str]:
    if item.get("family") not in FAMILIES:
        yield f"unknown family {item.get('family')}."
    yield from (f"the options: {fault}" for fault in _choices(item.get("options"), languages))
    values = [_mapping(option).get("value") for option in _list(item.get("options"))]
    if len(values) < FEWEST_OPTIONS or not _counts_up(values):
        yield f"the options are fewer than {FEWEST_OPTIONS}, or not numbered 1, 2, 3 and so on."
    if not _is_count(item.get("key")) or item["key"] not in values:
        yield f"the key {item.get('key')} is not among the options."
    for name, (low, high) in RANGES.items():
        if not _within(item.get(name), low, high):
            yield f"{name} is {item.get(name)}, not a number from {low} to {high}."
    lines = item.get("lines", [])
    if not isinstance(lines, list) or not all(_is_text(line) for line in lines):
        yield "the lines are not a list of texts."
    if not isinstance(item.get("radicals", {}), Mapping):
        yield "the radicals are not an object."


def _repetitions(items: Sequence[Mapping[str, Any]], languages: Sequence[str]) -> Iterator[str]:
    for name in ("code", "order"):
        for value in _repeated([str(item.get(name)) for item in items if name in item]):
            yield f"{name} {value}: given to more than one item."
    for language in languages:
        stems = [
            f"{_mapping(item.get('text')).get(language)} {item.get('lines', '')}" for item in items
        ]
        for stem in _repeated(stems):
            alike = [str(i.get("code")) for i, s in zip(items, stems, strict=True) if s == stem]
            yield f"items {', '.join(alike)}: the same text in {language}."


def _sections(
    data: Mapping[str, Any], items: Sequence[Mapping[str, Any]], languages: Sequence[str]
) -> Iterator[str]:
    sections = [_mapping(section) for section in _list(data.get("sections"))]
    if sorted(str(section.get("code")) for section in sections) != sorted(SECTIONS):
        yield f"sections: not each of {', '.join(SECTIONS)} once."
    for section in sections:
        code = section.get("code")
        name = f"section {code}"
        for fault in _text(section.get("title"), languages):
            yield f"{name}: the title {fault}"
        intro = _mapping(section.get("intro"))
        for language in languages:
            paragraphs = _list(intro.get(language))
            if not paragraphs or not all(_is_text(paragraph) for paragraph in paragraphs):
                yield f"{name}: the intro has no paragraphs in {language}."
        given, per_page = section.get("items_given"), section.get("per_page")
        present = sum(item.get("section") == code for item in items)
        if not _is_count(given) or given > present:
            yield f"{name}: items_given is {given}, but the bank has {present} such items."
        if not _is_count(per_page) or (_is_count(given) and per_page > given):
            yield f"{name}: per_page is {per_page}, not from 1 to items_given."
        elif code == "aptitude" and per_page != 1:
            # The next item is chosen by the answer to this one.
            yield f"{name}: per_page is {per_page}, not 1."
    for code, scales in SCALES.items():
        covered = [item.get("scale") for item in items if item.get("section") == code]
        yield from (f"section {code}: no item for {s}." for s in scales if s not in covered)
    for scale in PREFERENCES:
        keys = [item.get("keyed") for item in items if item.get("scale") == scale]
        if keys.count(1) != keys.count(-1):
            yield f"section preferences: the keys of {scale} are not balanced."


def _choices(options: object, languages: Sequence[str]) -> Iterator[str]:
    labels = [_mapping(option).get("label") for option in _list(options)]
    for number, label in enumerate(labels, start=1):
        for fault in _text(label, languages):
            yield f"label {number} {fault}"
    for language in languages:
        texts = [str(_mapping(label).get(language)) for label in labels]
        if _repeated(texts):
            yield f"two labels are the same in {language}."


def _text(texts: object, languages: Sequence[str]) -> Iterator[str]:
    for language in languages:
        if not _is_text(_mapping(texts).get(language)):
            yield f"is missing in {language}."


def _languages(data: Mapping[str, Any]) -> list[str]:
    languages = _list(data.get("languages"))
    if not all(_is_text(each) for each in languages) or len(set(languages)) < len(languages):
        return []
    return languages


def _repeated(values: Sequence[str]) -> list[str]:
    return [value for value, count in Counter(values).items() if count > 1]


def _mapping(value: object) -> Mapping[str, Any]:
    return value if isinstance(value, Mapping) else {}


def _list(value: object) -> list[Any]:
    return value if isinstance(value, list) else []


def _is_text(value: object) -> bool:
    return isinstance(value, str) and bool(value.strip())


def _is_code(value: object) -> bool:
    return isinstance(value, str) and bool(CODE.fullmatch(value))


def _is_whole(value: object) -> bool:
    # JSON's true is an int to Python.
    return isinstance(value, int) and not isinstance(value, bool)


def _is_count(value: object) -> TypeGuard[int]:
    return isinstance(value, int) and _is_whole(value) and 1 <= value <= MOST


def _counts_up(values: Sequence[object]) -> bool:
    return all(map(_is_whole, values)) and list(values) == list(range(1, len(values) + 1))


def _within(value: object, low: float, high: float) -> bool:
    # Also False for NaN, which Python's JSON reader lets through.
    return isinstance(value, int | float) and not isinstance(value, bool) and low <= value <= high
