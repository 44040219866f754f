"""Check a bank file before it is published: each part by a JSON Schema, then all together."""

import json
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from types import MappingProxyType
from typing import Any

from jsonschema import Draft4Validator, Draft202012Validator
from jsonschema.validators import extend

from measurement.bank import Data
from measurement.drawings import STYLES, TABLE
from measurement.fields import FIELDS
from measurement.norms import LARGEST_SD, SMALLEST_SD
from measurement.scales import FACETS, HIGHEST, INSTRUCTED, INTERESTS, LOWEST, PREFERENCES, SCALES

Schema = Mapping[str, Any]

# As in Draft 4, 1.0 is not an integer: range() refuses it.
Validator = extend(Draft202012Validator, type_checker=Draft4Validator.TYPE_CHECKER)
SECTIONS = ("interests", "fields", "aptitude", "preferences")
FAMILIES = ("series", "matrices", "patterns", "logic", "problems", "data")
# The parameters of a puzzle.
RANGES = {"a": (0.2, 3.0), "b": (-4.0, 4.0), "c": (0.0, 0.5), "b_sd": (0.0, 2.0)}
SMALLEST_VARIANCE = 0.01
LONGEST_ITEM, LONGEST_SECTION = 600, 7200  # seconds
NO_MEMBERS: Schema = MappingProxyType({})
# Longer messages of jsonschema quote much of the bank.
LONGEST_MESSAGE = 200


def number(low: float, high: float) -> Schema:
    return {"type": "number", "minimum": low, "maximum": high}


def whole(low: int, high: int) -> Schema:
    return {"type": "integer", "minimum": low, "maximum": high}


def one_of(*choices: object) -> Schema:
    return {"enum": [*choices]}


def list_of(schema: Schema, least: int = 0, most: int = 10_000) -> Schema:
    return {"type": "array", "items": schema, "minItems": least, "maxItems": most}


def record(required: Schema, optional: Schema = NO_MEMBERS, *, is_closed: bool = False) -> Schema:
    return {
        "type": "object",
        "properties": {**required, **optional},
        "required": [*required],
        "additionalProperties": not is_closed,
    }


def when(member: str, value: str, then: Schema, otherwise: Schema | bool = True) -> Schema:
    """Return a schema that depends on whether a member has this value."""
    return {"if": record({member: {"const": value}}), "then": then, "else": otherwise}


TEXT = {"type": "string", "pattern": r"\S"}
CODE = {"type": "string", "pattern": r"\A[A-Za-z0-9.-]{1,40}\Z"}
COUNT = whole(1, 10_000)
# What an SVG path draws, and a place in it, with numbers below 1,000. Markup fits into neither.
PATH = {"type": "string", "pattern": r"\AM(?!.*[0-9]{4})[MmZzLlHhVvCcSsQqTtAa0-9., -]{4,4000}\Z"}
PLACE = {"type": "string", "pattern": r"\A[0-9]{1,3}(\.[0-9])?\Z"}
# Pages fall back to English if the bank lacks their language.
LANGUAGES = record(
    {"languages": {**list_of(TEXT), "uniqueItems": True, "contains": {"const": "en"}}}
)
CARELESS = {
    "least_effort": number(0, 1),
    "least_consistency": number(-3, 3),
    "doubtful_consistency": number(-3, 3),
    "guessed_share": number(0, 1),
    "straight_run": whole(2, 100),
    "longest_pattern": whole(1, 5),
    "fastest_statement": number(0, 10),
    "hurried_share": number(0, 1),
}
MATCHING = {
    "leading": whole(1, len(FIELDS)),
    "noise": number(0.01, 10),
    "main_weight": number(1, 10),
    "other_weight": number(0, 10),
    "fit_spread": number(0.1, 1),
    "aptitude_sd": number(0, 1),
    "aptitude_cap": number(0, 1),
    "preference_most": number(0, 0.05),
    "per_department": whole(1, 10),
    "department_lead": number(0, 4),
    "named": number(0, 1),
}


def bank_schema(languages: Sequence[str]) -> Schema:
    """Return the schema of a bank file whose texts are in these languages."""
    words = record(dict.fromkeys(languages, TEXT))
    paragraphs = record(dict.fromkeys(languages, list_of(TEXT, 1)))
    norm = {"mean": number(LOWEST, HIGHEST), "sd": number(SMALLEST_SD, LARGEST_SD)}
    of_scales = {
        section: record(dict.fromkeys(scales, record(norm)), is_closed=True)
        for section, scales in SCALES.items()
    }
    norms = record({**of_scales, "statements": list_of(record({"code": CODE, **norm}))})
    answers = list_of(record({"label": words, "value": COUNT}), HIGHEST, HIGHEST)
    types = list_of(one_of(*INTERESTS), 1, 2)
    covariances = list_of(number(-16, 16), len(FIELDS), len(FIELDS))
    drawing, figure = _drawing(words), _figure(words)
    material = {"passage": paragraphs, "lines": list_of(TEXT), "figure": figure}
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
    option = record({"label": words, "value": COUNT}, {"figure": drawing})
    return record(
        {
            "version": CODE,
            "answers": record(dict.fromkeys(SCALES, answers)),
            "dont_know": words,
            "norms": norms,
            "careless": record(CARELESS, is_closed=True),
            "fields": list_of(record({"code": one_of(*FIELDS), "name": words, "types": types})),
            "matching": record(MATCHING, is_closed=True),
            "field_covariances": list_of(covariances, len(FIELDS), len(FIELDS)),
            "facets": record(dict.fromkeys(FACETS, list_of(one_of(*FAMILIES), 1)), is_closed=True),
            "difficulty_sd": record(dict.fromkeys(FAMILIES, number(*RANGES["b_sd"]))),
            "sections": list_of(section),
            "items": list_of(_item(words, list_of(option, 3), material)),
        },
        {
            "succeeds": CODE,
            "norms_from": COUNT,
            "starting_norms": norms,
            "reference": one_of("assumed", "students"),
        },
    )


def _drawing(words: Schema) -> Schema:
    word = record({"x": PLACE, "y": PLACE, "anchor": one_of("middle", "end"), "text": words})
    paths = {
        kind: {**record({}, dict.fromkeys(styles, PATH), is_closed=True), "minProperties": 1}
        for kind, styles in STYLES.items()
    }
    return {
        **record({"kind": one_of(*STYLES)}, {"words": list_of(word), "caption": words}),
        "allOf": [when("kind", kind, record({"paths": paths[kind]})) for kind in STYLES],
    }


def _figure(words: Schema) -> Schema:
    row = record({"label": words, "values": list_of({"type": ["string", "number"]}, 1)})
    table = record({"caption": words, "columns": list_of(words, 2), "rows": list_of(row, 1)})
    drawing = {"allOf": [_drawing(words), record({"alt": words})]}
    return {**record({"kind": one_of(TABLE, *STYLES)}), **when("kind", TABLE, table, drawing)}


def _item(words: Schema, options: Schema, material: Schema) -> Schema:
    fields = {**list_of(one_of(*FIELDS), 1, 3), "uniqueItems": True}
    check = record({"expected": whole(LOWEST, HIGHEST)})
    parameters = {name: number(*RANGES[name]) for name in ("a", "b", "c")}
    radicals = {"type": "object", "additionalProperties": {"type": "integer"}}
    of_section = {
        "interests": {
            **record({"scale": one_of(*INTERESTS, INSTRUCTED)}),
            **when("scale", INSTRUCTED, check, record({"fields": fields})),
        },
        "fields": {
            **record({"scale": one_of(*FIELDS, INSTRUCTED)}),
            **when("scale", INSTRUCTED, check),
        },
        "aptitude": record(
            {"family": one_of(*FAMILIES), "options": options, "key": COUNT, **parameters},
            {"template": TEXT, "radicals": radicals, "b_sd": number(*RANGES["b_sd"]), **material},
        ),
        "preferences": record({"scale": one_of(*PREFERENCES), "keyed": one_of(1, -1)}),
    }
    return {
        **record(
            {"code": CODE, "order": COUNT, "section": one_of(*SECTIONS), "text": words},
            {"seconds": number(1, LONGEST_ITEM)},
        ),
        "allOf": [when("section", *each) for each in of_section.items()],
    }


def validate(data: Any) -> list[str]:
    """Return the faults of a bank file's content as sentences; an empty list if it is valid.

    Each begins with its part. Parts are checked together only if each is valid. Never raises.
    """
    return (
        [*_storage(data)]
        or [*_shape(LANGUAGES, data)]
        or [*_shape(bank_schema(data["languages"]), data)]
        or [*_parts(data), *_questions(data), *_sections(data), *_stages(data)]
    )


def _storage(data: object) -> Iterator[str]:
    """Yield values that a database would refuse, including those in unknown members."""
    try:
        written = json.dumps(data, ensure_ascii=False, allow_nan=False)
        written.encode()
    except (ValueError, TypeError, RecursionError) as error:
        yield f"bank: it can't be stored ({error})."
        return
    if "\\u0000" in written:
        yield "bank: a text holds the character NUL."


def _shape(schema: Schema, data: Any) -> Iterator[str]:
    """Yield faults by the schema, such as "items, 1 (int-mixer), order: 0 is less than ..."."""
    for error in Validator(schema).iter_errors(data):
        names, part = [], data
        for step in error.absolute_path:
            part = part[step]
            name = str(step + 1) if isinstance(step, int) else step
            has_code = isinstance(part, Mapping) and "code" in part
            names.append(f"{name} ({part['code']})" if has_code else name)
        fault = error.message
        if len(fault) > LONGEST_MESSAGE:
            fault = f"{error.instance!r:.60} fails {error.validator} {error.validator_value}"
        yield f"{', '.join(names) or 'bank'}: {fault}."


def repeated(values: Iterable[str]) -> list[str]:
    return [value for value, count in Counter(values).items() if count > 1]


def _parts(data: Data) -> Iterator[str]:
    """Check the codes of items, the fields, their covariances, norms of statements, and facets."""
    for name in ("code", "order"):
        for value in repeated(str(item[name]) for item in data["items"]):
            yield f"{name} {value}: given to more than one item."
    if sorted(each["code"] for each in data["fields"]) != sorted(FIELDS):
        yield f"fields: not each of {', '.join(FIELDS)} once."
    rows = data["field_covariances"]
    for place, row in enumerate(rows):
        for other, value in enumerate(row):
            if value != rows[other][place] or (place == other and value < SMALLEST_VARIANCE):
                yield f"field_covariances: {value} is no covariance (row {place + 1}, {other + 1})."
    scored = [item["code"] for name in ("interests", "fields") for item in _scored(data, name)]
    for name in ("norms", "starting_norms"):
        normed = [norm["code"] for norm in data.get(name, data["norms"])["statements"]]
        if sorted(normed) != sorted(scored):
            yield f"{name}, statements: not one for each interest statement."
    families = [family for each in data["facets"].values() for family in each]
    present = {item["family"] for item in _of(data, "aptitude")}
    yield from (f"facets: no items of {each}." for each in families if each not in present)
    yield from (f"facets: {family} is listed twice." for family in repeated(families))


def _questions(data: Data) -> Iterator[str]:
    named = {f"answers, {section}": {"options": data["answers"][section]} for section in SCALES}
    for item in data["items"]:
        if item["section"] == "aptitude":
            named[f"item {item['code']}"] = item
    for section in data["sections"]:
        for place, example in enumerate(section.get("examples", []), start=1):
            named[f"section {section['code']}, example {place}"] = example
    for name, question in named.items():
        yield from (f"{name}: {fault}" for fault in _options(question, data["languages"]))


def _options(question: Data, languages: Sequence[str]) -> Iterator[str]:
    options = question.get("options", [])
    # The options of an example have no numbers.
    if any(option.get("value", place) != place for place, option in enumerate(options, start=1)):
        yield "the options are not numbered 1, 2, 3 and so on."
    if "key" in question and question["key"] > len(options):
        yield f"the key {question['key']} is not among the options."
    figures = [option["figure"] for option in options if "figure" in option]
    if figures and len(set(map(str, figures))) < len(options):
        yield "the options have not a figure each, all different."
    figure = question.get("figure", {})
    values = len(figure.get("columns", ())) - 1
    if any(len(row["values"]) != values for row in figure.get("rows", ())):
        yield f"a row of the table has not {values} values."
    for language in languages:
        labels = [option["label"][language] for option in options]
        if repeated(labels):
            yield f"two options are the same in {language}."
        if labels and "answer" in question and question["answer"][language] not in labels:
            yield f"the answer is not among the options in {language}."


def _sections(data: Data) -> Iterator[str]:
    codes = [section["code"] for section in data["sections"]]
    if sorted(codes) != sorted(SECTIONS):
        yield f"sections: not each of {', '.join(SECTIONS)} once."
    elif codes.index("fields") < codes.index("interests"):
        yield "sections: fields comes before interests, whose answers choose them."
    for section in data["sections"]:
        code, given, per_page = section["code"], section["items_given"], section["per_page"]
        items = sorted(_of(data, code), key=lambda item: item["order"])
        if given > len(items):
            yield f"section {code}: items_given is {given}, but the bank has {len(items)}."
        # Puzzles come one by one, because the answer to each decides the next.
        most = 1 if code == "aptitude" else given
        if per_page > most:
            yield f"section {code}: per_page is {per_page}, not from 1 to {most}."
        for scale in SCALES.get(code, ()):
            keys = [item.get("keyed") for item in items[:given] if item["scale"] == scale]
            if not keys:
                yield f"section {code}: no item for {scale}."
            if code == "preferences" and keys.count(1) != keys.count(-1):
                yield f"section {code}: the keys of {scale} are not balanced."


def _stages(data: Data) -> Iterator[str]:
    """Check that stage 1 asks about every field, and stage 2 about all equally often."""
    touched = {field for item in _scored(data, "interests") for field in item["fields"]}
    if missing := [field for field in FIELDS if field not in touched]:
        yield f"section interests: no statement speaks of {', '.join(missing)}"
    asked = [item["scale"] for item in _scored(data, "fields")]
    each = len(asked) // len(FIELDS)
    if not each or any(asked.count(field) != each for field in FIELDS):
        yield "section fields: not as many statements of each field."
        return
    checks = len(_of(data, "fields")) - len(asked)
    lengths = {section["code"]: section["items_given"] for section in data["sections"]}
    if lengths.get("fields") != data["matching"]["leading"] * each + checks:
        yield "section fields: items_given is not that of the leading fields and the checks."


def _of(data: Data, section: str) -> list[Data]:
    return [item for item in data["items"] if item["section"] == section]


def _scored(data: Data, section: str) -> list[Data]:
    return [item for item in _of(data, section) if item["scale"] != INSTRUCTED]
