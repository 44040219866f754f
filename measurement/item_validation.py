"""Check the items and worked examples of a bank file."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from measurement.bank_checks import (
    counts_up,
    is_code,
    is_count,
    is_text,
    is_whole,
    is_within,
    label_faults,
    listed,
    mapping,
    paragraph_faults,
    repeated,
    text_faults,
)
from measurement.fields import FIELDS
from measurement.figure_validation import drawing_faults, figure_faults
from measurement.scales import HIGHEST, INSTRUCTED, INTERESTS, LOWEST, PREFERENCES

FAMILIES = ("series", "matrices", "patterns", "logic", "problems", "data")
SCALES: dict[str, tuple[str, ...]] = {"interests": INTERESTS, "preferences": PREFERENCES}
RANGES = {"a": (0.2, 3.0), "b": (-4.0, 4.0), "c": (0.0, 0.5)}
FEWEST_OPTIONS = 3
MOST_SECONDS = 600  # of one item


def item_faults(item: Mapping[str, Any], languages: Sequence[str]) -> Iterator[str]:
    if not is_code(item.get("code")):
        yield "the code is missing, or not up to 40 letters, digits, dots and hyphens."
    if not is_count(item.get("order")):
        yield "the order is not a whole number from 1 to 10000."
    for fault in text_faults(item.get("text"), languages):
        yield f"the text {fault}"
    if not isinstance(item.get("spare", False), bool):
        yield "spare is not true or false."
    if "seconds" in item and not is_within(item["seconds"], 1, MOST_SECONDS):
        yield f"seconds is {item['seconds']}, not from 1 to {MOST_SECONDS}."
    section = item.get("section")
    if section == "aptitude":
        yield from _puzzle(item, languages)
    elif section in ("interests", "fields", "preferences"):
        yield from _statement(item, section)
    else:
        yield f"unknown section {section}."


def example_faults(example: object, languages: Sequence[str]) -> Iterator[str]:
    example = mapping(example)
    if example.get("family") not in FAMILIES:
        yield f"unknown family {example.get('family')}."
    for name in ("title", "text", "answer", "explanation"):
        yield from (f"the {name} {fault}" for fault in text_faults(example.get(name), languages))
    yield from _shown(example, languages)
    options = listed(example.get("options"))
    yield from (f"the options: {fault}" for fault in label_faults(options, languages))
    for language in languages:
        labels = [mapping(mapping(option).get("label")).get(language) for option in options]
        if labels and mapping(example.get("answer")).get(language) not in labels:
            yield f"the answer is not among the options in {language}."


def _statement(item: Mapping[str, Any], section: str) -> Iterator[str]:
    scale = item.get("scale")
    if scale == INSTRUCTED and section in ("interests", "fields"):
        expected = item.get("expected")
        if not (is_whole(expected) and LOWEST <= expected <= HIGHEST):
            yield f"expected is {expected}, not from {LOWEST} to {HIGHEST}."
        return
    if scale not in (list(FIELDS) if section == "fields" else SCALES[section]):
        yield f"unknown scale {scale}."
    if "expected" in item:
        yield f"expected is only for items of the scale {INSTRUCTED}."
    keyed = item.get("keyed")
    if section == "preferences" and not (is_whole(keyed) and keyed in (1, -1)):
        yield "keyed is not 1 or -1."


def _puzzle(item: Mapping[str, Any], languages: Sequence[str]) -> Iterator[str]:
    if item.get("family") not in FAMILIES:
        yield f"unknown family {item.get('family')}."
    yield from (f"the options: {fault}" for fault in label_faults(item.get("options"), languages))
    values = [mapping(option).get("value") for option in listed(item.get("options"))]
    if len(values) < FEWEST_OPTIONS or not counts_up(values):
        yield f"the options are fewer than {FEWEST_OPTIONS}, or not numbered 1, 2, 3 and so on."
    if not is_count(item.get("key")) or item["key"] not in values:
        yield f"the key {item.get('key')} is not among the options."
    for name, (low, high) in RANGES.items():
        if not is_within(item.get(name), low, high):
            yield f"{name} is {item.get(name)}, not a number from {low} to {high}."
    yield from _shown(item, languages)
    if "template" in item and not is_text(item["template"]):
        yield "the template is not a name."
    radicals = item.get("radicals", {})
    if not isinstance(radicals, Mapping) or not all(map(is_whole, radicals.values())):
        yield "the radicals are not an object of whole numbers."


def _shown(content: Mapping[str, Any], languages: Sequence[str]) -> Iterator[str]:
    """Check the material before the question, and the figures of the options."""
    if "passage" in content:
        yield from (f"the passage {f}" for f in paragraph_faults(content["passage"], languages))
    lines = content.get("lines", [])
    if not isinstance(lines, list) or not all(is_text(line) for line in lines):
        yield "the lines are not a list of texts."
    if "figure" in content:
        yield from (f"the figure: {f}" for f in figure_faults(content["figure"], languages))
    pictures = [
        mapping(option)["figure"]
        for option in listed(content.get("options"))
        if "figure" in mapping(option)
    ]
    if pictures and len(pictures) < len(listed(content.get("options"))):
        yield "the options have figures, but not all of them."
    for number, picture in enumerate(pictures, start=1):
        for fault in drawing_faults(picture, languages):
            yield f"the figure of option {number}: {fault}"
    if repeated([str(picture) for picture in pictures]):
        yield "two options have the same figure."
