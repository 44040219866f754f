"""Check a bank file before it is published."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from measurement.bank_shape import SCALES, SECTIONS, bank_shape
from measurement.drawings import TABLE, shown
from measurement.fields import FIELDS
from measurement.json_shapes import list_of, one_of, text
from measurement.scales import INSTRUCTED

# The fields of a statement of stage 1.
SPOKEN_OF = list_of(one_of(*FIELDS), 1, 3)
MOST_GRIDLINES = 20
SMALLEST_VARIANCE = 0.01
# The language of a page if the bank lacks the requested one.
FALLBACK = "en"

Data = Mapping[str, Any]


def validate(data: object) -> list[str]:
    """Return the faults of a bank file's content as sentences; an empty list if it is valid.

    Each sentence begins with the part that it is about. How parts go together is checked once each
    is sound by itself. Never raises, however broken the content.
    """
    if not isinstance(data, Mapping):
        return ["bank: not a JSON object."]
    faults = [*_storage(data), *_languages(data.get("languages"))]
    if not faults:
        faults = [each.removeprefix(", ") for each in bank_shape(data["languages"])(data)]
    return faults or [
        *_parts(data),
        *_items(data),
        *_puzzles(data),
        *_sections(data),
        *_stages(data),
    ]


def _storage(data: Data) -> Iterator[str]:
    """Yield values that a database would refuse, including those in unknown members."""
    try:
        written = json.dumps(data, ensure_ascii=False, allow_nan=False)
        written.encode()
    except (ValueError, TypeError, RecursionError) as error:
        yield f"bank: it can't be stored ({error})."
        return
    if "\\u0000" in written:
        yield "bank: a text holds the character NUL."


def _languages(languages: Any) -> Iterator[str]:
    if any(list_of(text, 1)(languages)) or repeated(languages):
        yield "languages: not a list of different language codes."
    elif FALLBACK not in languages:
        yield f"languages: {FALLBACK} is missing, and pages fall back to it."


def repeated(values: Iterable[str]) -> list[str]:
    return [value for value, count in Counter(values).items() if count > 1]


def _parts(data: Data) -> Iterator[str]:
    """Check the fields, their covariances, the norms of statements, and the facets."""
    if sorted(each["code"] for each in data["fields"]) != sorted(FIELDS):
        yield f"fields: not each of {', '.join(FIELDS)} once."
    rows = data["field_covariances"]
    for place, row in enumerate(rows):
        for other, value in enumerate(row):
            if value != rows[other][place] or (place == other and value < SMALLEST_VARIANCE):
                yield f"field_covariances: {value} is no covariance (row {place + 1}, {other + 1})."
    normed = [norm["code"] for norm in data["norms"]["statements"]]
    scored = [item["code"] for item in _scored(data, "interests", "fields")]
    if sorted(normed) != sorted(scored):
        yield "norms, statements: not one for each interest statement."
    families = [family for each in data.get("facets", {}).values() for family in each]
    present = {item["family"] for item in _given(data, "aptitude")}
    yield from (f"facets: no items of {each}." for each in families if each not in present)
    yield from (f"facets: {family} is listed twice." for family in repeated(families))


def _items(data: Data) -> Iterator[str]:
    """Check that no two items are the same."""
    for name in ("code", "order"):
        for value in repeated(str(item[name]) for item in data["items"]):
            yield f"{name} {value}: given to more than one item."
    for language in data["languages"]:
        # What a student reads before the options of an item.
        alike: dict[str, list[str]] = {}
        for item in data["items"]:
            passage = item.get("passage", {}).get(language)
            parts = (item["text"][language], passage, item.get("lines"), item.get("figure"))
            alike.setdefault(str(parts), []).append(item["code"])
        for codes in alike.values():
            if len(codes) > 1:
                yield f"items {', '.join(codes)}: the same text in {language}."


def _puzzles(data: Data) -> Iterator[str]:
    """Check puzzles and their examples, and the answers to statements."""
    languages = data["languages"]
    for section in SCALES:
        yield from _options(f"answers, {section}", data["answers"][section], languages)
    for item in data["items"]:
        if item["section"] == "aptitude":
            name = f"item {item['code']}"
            yield from _options(name, item["options"], languages)
            yield from _figures(name, item, languages)
            if item["key"] > len(item["options"]):
                yield f"{name}: the key {item['key']} is not among the options."
    for section in data["sections"]:
        for number, example in enumerate(section.get("examples", []), start=1):
            name = f"section {section['code']}, example {number}"
            options = [
                {**option, "value": value}
                for value, option in enumerate(example.get("options", []), start=1)
            ]
            yield from _options(name, options, languages)
            yield from _figures(name, example, languages)
            for language in languages:
                labels = [option["label"][language] for option in options]
                if labels and example["answer"][language] not in labels:
                    yield f"{name}: the answer is not among the options in {language}."


def _options(name: str, options: Sequence[Data], languages: Sequence[str]) -> Iterator[str]:
    if [option["value"] for option in options] != [*range(1, len(options) + 1)]:
        yield f"{name}: the options are not numbered 1, 2, 3 and so on."
    for language in languages:
        if repeated(option["label"][language] for option in options):
            yield f"{name}: two options are the same in {language}."


def _figures(name: str, content: Data, languages: Sequence[str]) -> Iterator[str]:
    options = content.get("options", [])
    pictures = [option["figure"] for option in options if "figure" in option]
    if pictures and len(pictures) < len(options):
        yield f"{name}: the options have figures, but not all of them."
    if repeated(map(str, pictures)):
        yield f"{name}: two options have the same figure."
    if "figure" in content:
        if content["figure"]["kind"] != TABLE and "alt" not in content["figure"]:
            yield f"{name}: the figure has no text alternative."
        pictures.append(content["figure"])
    yield from (f"{name}: {fault}" for each in pictures for fault in _figure(each, languages))


def _figure(figure: Data, languages: Sequence[str]) -> Iterator[str]:
    if figure["kind"] == "bars":
        highest, step = max(bar["value"] for bar in figure["bars"]), figure.get("step", 0)
        if not highest or step < 0 or (step and highest > MOST_GRIDLINES * step):
            # It is not drawn: a small step could keep the processor busy for hours.
            yield f"no bar is above 0, or there are more than {MOST_GRIDLINES} gridlines."
            return
    if figure["kind"] == TABLE:
        values = len(figure["columns"]) - 1
        if any(len(row["values"]) != values for row in figure["rows"]):
            yield f"a row of the table has not {values} values."
    for language in languages:
        try:
            shown(figure, language)
        except Exception as error:
            yield f"the figure can't be drawn in {language} ({type(error).__name__}: {error})."


def _sections(data: Data) -> Iterator[str]:
    codes = [section["code"] for section in data["sections"]]
    if sorted(codes) != sorted(SECTIONS):
        yield f"sections: not each of {', '.join(SECTIONS)} once."
    elif codes.index("fields") < codes.index("interests"):
        yield "sections: fields comes before interests, whose answers choose them."
    for section in data["sections"]:
        code, given, per_page = section["code"], section["items_given"], section["per_page"]
        items = sorted(_given(data, code), key=lambda item: item["order"])
        if given > len(items):
            yield f"section {code}: items_given is {given}, but the bank has {len(items)}."
        # The answer to each puzzle decides the next one.
        most = 1 if code == "aptitude" else given
        if per_page > most:
            yield f"section {code}: per_page is {per_page}, not from 1 to {most}."
        asked = [(item.get("scale"), item.get("keyed")) for item in items[:given]]
        for scale in SCALES.get(code, ()):
            keys = [keyed for of_item, keyed in asked if of_item == scale]
            if not keys:
                yield f"section {code}: no item for {scale}."
            if code == "preferences" and keys.count(1) != keys.count(-1):
                yield f"section {code}: the keys of {scale} are not balanced."


def _stages(data: Data) -> Iterator[str]:
    """Check that stage 1 speaks of every field, and stage 2 of each as often as of the others."""
    touched = set()
    for item in _scored(data, "interests"):
        fields: Any = item.get("fields")
        if any(SPOKEN_OF(fields)) or repeated(fields):
            yield f"item {item['code']}: not one to three different fields."
        else:
            touched |= set(fields)
    if missing := [field for field in FIELDS if field not in touched]:
        yield f"section interests: no statement speaks of {', '.join(missing)}"
    asked = [item["scale"] for item in _scored(data, "fields")]
    each = len(asked) // len(FIELDS)
    if not each or any(asked.count(field) != each for field in FIELDS):
        yield "section fields: not as many statements of each field."
        return
    checks = len(_given(data, "fields")) - len(asked)
    lengths = {section["code"]: section["items_given"] for section in data["sections"]}
    if lengths.get("fields") != data["matching"]["leading"] * each + checks:
        yield "section fields: items_given is not that of the leading fields and the checks."


def _given(data: Data, section: str) -> list[Data]:
    """Return the items of a section without the spares, which are never given."""
    return [item for item in data["items"] if item["section"] == section and not item.get("spare")]


def _scored(data: Data, *sections: str) -> list[Data]:
    return [
        item
        for section in sections
        for item in _given(data, section)
        if item["scale"] != INSTRUCTED
    ]
