"""Check a bank file before it is published."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from measurement.bank_checks import (
    counts_up,
    is_code,
    is_count,
    is_text,
    is_within,
    label_faults,
    limit_faults,
    listed,
    mapping,
    norm_faults,
    paragraph_faults,
    repeated,
    text_faults,
)
from measurement.item_validation import (
    FAMILIES,
    SCALES,
    example_faults,
    item_faults,
)
from measurement.matching_validation import matching_faults
from measurement.scales import FACETS, HIGHEST, LOWEST

SECTIONS = ("interests", "fields", "aptitude", "preferences")
REFERENCES = ("assumed", "students")
# The range of each limit of careless answers, and whether it is a whole number.
CARELESS: dict[str, tuple[float, float, bool]] = {
    "least_effort": (0, 1, False),
    "least_consistency": (-3, 3, False),
    "straight_run": (2, 100, True),
    "longest_pattern": (1, 5, True),
    "fastest_statement": (0, 10, False),
    "hurried_share": (0, 1, False),
}
MOST_SECONDS = 7200  # of one section
# The language of a page if the bank lacks the requested one.
FALLBACK = "en"


def validate(data: object) -> list[str]:
    """Return the faults of a bank file's content as sentences; an empty list if it is valid.

    Each sentence begins with the part that it is about. Never raises, however broken the content.
    """
    if not isinstance(data, Mapping):
        return ["bank: not a JSON object."]
    faults = [*_storage(data), *_head(data)]
    items = data.get("items")
    if not isinstance(items, list) or not all(isinstance(item, Mapping) for item in items):
        return [*faults, "items: not a list of objects."]
    languages = _languages(data)
    for number, item in enumerate(items, start=1):
        name = f"item {number} ({item.get('code', 'no code')})"
        faults += [f"{name}: {fault}" for fault in item_faults(item, languages)]
    faults += _repetitions(items, languages)
    faults += _facets(data, items)
    faults += _sections(data, items, languages)
    return [*faults, *matching_faults(data, languages)]


def _storage(data: Mapping[str, Any]) -> Iterator[str]:
    """Yield values that a database would refuse, including those in unknown members."""
    try:
        text = json.dumps(data, ensure_ascii=False, allow_nan=False)
        text.encode()
    except (ValueError, TypeError, RecursionError) as error:
        yield f"bank: it can't be stored ({error})."
        return
    if "\\u0000" in text:
        yield "bank: a text holds the character NUL."


def _head(data: Mapping[str, Any]) -> Iterator[str]:
    if not is_code(data.get("version")):
        yield "version: missing, or not up to 40 letters, digits, dots and hyphens."
    languages = _languages(data)
    if not languages:
        yield "languages: not a list of different language codes."
    elif FALLBACK not in languages:
        yield f"languages: {FALLBACK} is missing, and pages fall back to it."
    if data.get("reference", REFERENCES[0]) not in REFERENCES:
        yield f"reference: not one of {', '.join(REFERENCES)}."
    answers = mapping(data.get("answers"))
    for section in SCALES:
        for fault in label_faults(answers.get(section), languages):
            yield f"answers, {section}: {fault}"
        values = [mapping(each).get("value") for each in listed(answers.get(section))]
        if len(values) != HIGHEST or not counts_up(values):
            yield f"answers, {section}: the values are not {LOWEST} to {HIGHEST} in order."
    for fault in text_faults(data.get("dont_know"), languages):
        yield f"dont_know: {fault}"
    if "succeeds" in data and not is_code(data["succeeds"]):
        yield "succeeds: not the version of a bank."
    if "norms_from" in data and not is_count(data["norms_from"]):
        yield "norms_from: not a number of attempts."
    yield from _norms(mapping(data.get("norms")))
    yield from limit_faults("careless", mapping(data.get("careless")), CARELESS)


def _norms(norms: Mapping[str, Any]) -> Iterator[str]:
    for section, scales in SCALES.items():
        given = mapping(norms.get(section))
        for scale in sorted(given.keys() - set(scales), key=str):
            yield f"norms, {section}: unknown scale {scale}."
        for scale in scales:
            yield from norm_faults(f"{section}, {scale}", mapping(given.get(scale)))


def _facets(data: Mapping[str, Any], items: Sequence[Mapping[str, Any]]) -> Iterator[str]:
    facets = data.get("facets", {})
    if not isinstance(facets, Mapping):
        yield "facets: not an object."
        return
    present = [item.get("family") for item in _given(items, "aptitude")]
    listed_families = []
    for facet, families in facets.items():
        if facet not in FACETS:
            yield f"facets: unknown facet {facet}."
        if not listed(families):
            yield f"facets, {facet}: not a list of families."
        for family in listed(families):
            if family not in FAMILIES or family not in present:
                yield f"facets, {facet}: no items of a family {family}."
            listed_families.append(str(family))
    for family in repeated(listed_families):
        yield f"facets: {family} is listed twice."


def _repetitions(items: Sequence[Mapping[str, Any]], languages: Sequence[str]) -> Iterator[str]:
    for name in ("code", "order"):
        for value in repeated([str(item.get(name)) for item in items if name in item]):
            yield f"{name} {value}: given to more than one item."
    for language in languages:
        stems = [_stem(item, language) for item in items]
        for stem in repeated(stems):
            alike = [str(i.get("code")) for i, s in zip(items, stems, strict=True) if s == stem]
            yield f"items {', '.join(alike)}: the same text in {language}."


def _stem(item: Mapping[str, Any], language: str) -> str:
    """Return the text that a student reads before the options of an item."""
    text = mapping(item.get("text")).get(language)
    passage = mapping(item.get("passage")).get(language)
    return f"{text} {passage} {item.get('lines', '')} {item.get('figure', '')}"


def _sections(
    data: Mapping[str, Any], items: Sequence[Mapping[str, Any]], languages: Sequence[str]
) -> Iterator[str]:
    sections = [mapping(section) for section in listed(data.get("sections"))]
    codes = [str(section.get("code")) for section in sections]
    if sorted(codes) != sorted(SECTIONS):
        yield f"sections: not each of {', '.join(SECTIONS)} once."
    elif codes.index("fields") < codes.index("interests"):
        yield "sections: fields comes before interests, whose answers choose them."
    for section in sections:
        name = f"section {section.get('code')}"
        yield from (f"{name}: {fault}" for fault in _section(section, items, languages))
    for section in sections:
        yield from _scales(section, items)


def _section(
    section: Mapping[str, Any], items: Sequence[Mapping[str, Any]], languages: Sequence[str]
) -> Iterator[str]:
    code = section.get("code")
    yield from (f"the title {fault}" for fault in text_faults(section.get("title"), languages))
    yield from (f"the intro {fault}" for fault in paragraph_faults(section.get("intro"), languages))
    if "seconds" in section and not is_within(section["seconds"], 1, MOST_SECONDS):
        yield f"seconds is {section['seconds']}, not from 1 to {MOST_SECONDS}."
    if not isinstance(section.get("examples", []), list):
        yield "the examples are not a list."
    for number, example in enumerate(listed(section.get("examples")), start=1):
        yield from (f"example {number}: {fault}" for fault in example_faults(example, languages))
    given, per_page = section.get("items_given"), section.get("per_page")
    present = len(_given(items, code))
    if not is_count(given) or given > present:
        yield f"items_given is {given}, but the bank has {present} such items."
    if not is_count(per_page) or (is_count(given) and per_page > given):
        yield f"per_page is {per_page}, not from 1 to items_given."
    elif code == "aptitude" and per_page != 1:
        # The answer to each item decides the next one.
        yield f"per_page is {per_page}, not 1."


def _scales(section: Mapping[str, Any], items: Sequence[Mapping[str, Any]]) -> Iterator[str]:
    """Check that the statements given in a section cover all its scales, keyed both ways."""
    code, count = section.get("code"), section.get("items_given")
    scales = SCALES.get(str(code), ())
    given = _given(items, code)
    if all(is_count(item.get("order")) for item in given) and is_count(count):
        given = sorted(given, key=lambda item: item["order"])[:count]
    asked = [item.get("scale") for item in given]
    yield from (f"section {code}: no item for {scale}." for scale in scales if scale not in asked)
    for scale in scales if code == "preferences" else ():
        keys = [item.get("keyed") for item in given if item.get("scale") == scale]
        if keys.count(1) != keys.count(-1):
            yield f"section preferences: the keys of {scale} are not balanced."


def _given(items: Sequence[Mapping[str, Any]], section: object) -> list[Mapping[str, Any]]:
    """Return the items of a section without the spares, which are never given."""
    return [
        item for item in items if item.get("section") == section and item.get("spare") is not True
    ]


def _languages(data: Mapping[str, Any]) -> list[str]:
    languages = listed(data.get("languages"))
    if not all(is_text(each) for each in languages) or len(set(languages)) < len(languages):
        return []
    return languages
