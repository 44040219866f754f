"""Build the item bank that ships with the code."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from itertools import product
from pathlib import Path
from statistics import fmean
from typing import Any, Protocol

from lab.generators import data, logic, matrices, patterns, problems, series
from lab.generators.drawings import draw
from lab.generators.field_covariances import OF_FIELDS, field_covariances
from lab.generators.field_words import FIELD_NAMES
from lab.generators.interest_statements import InterestStatement, interest_statements
from lab.generators.items import DISCRIMINATION, LANGUAGES, CannotGenerate, Draft
from lab.generators.section_words import (
    DONT_KNOW,
    INTEREST_ANSWERS,
    PREFERENCE_ANSWERS,
    SECTION_INTROS,
    SECTION_TITLES,
)
from lab.generators.statements import INSTRUCTED, INSTRUCTED_AFTER, PREFERENCE_STATEMENTS
from measurement.fields import FIELDS
from measurement.scales import INSTRUCTED as INSTRUCTED_SCALE
from measurement.scales import INTERESTS, PREFERENCES

# A published bank never changes: new content gets a new version.
VERSION = "2026.6"
# The file that ships with the service.
SHIPPED = Path(__file__).parents[2] / "assessments" / "banks" / f"{VERSION}.json"
# No attempts have been measured yet, so ability 0 is the mean of an assumed population.
REFERENCE = "assumed"
PER_PAGE = {"interests": 8, "fields": 7, "aptitude": 1, "preferences": 4}
LEADING = 12
# Puzzles, and statements of stage 2, two a leading field and an attention check.
GIVEN = {"aptitude": 10, "fields": 2 * LEADING + 1}
SECONDS_PER_STATEMENT = {"interests": 5, "fields": 5, "preferences": 7}
FACETS = {
    "numerical": ["problems", "data"],
    "abstract": ["series", "matrices"],
    "verbal": ["patterns", "logic"],
}
MATCHING = {
    "leading": LEADING,
    "noise": 1 - OF_FIELDS,
    "main_weight": 2,
    "named": 0.5,
    "other_weight": 1,
    # Of simulated students: .85 to .89 (python -m lab studies).
    "fit_spread": 0.85,
    "aptitude_sd": 0.2,
    "aptitude_cap": 0.4,
    "preference_most": 0.05,
    "per_department": 2,
    "department_lead": 0.25,
}
# Chosen with bench.measurement, for 60 statements in two stages and 10 puzzles: flags who rushed
# three puzzles, or clicked a pattern of 20 statements.
# People who are neither for nor against most things answer 3 up to 16 times in a row.
CARELESS = {
    "least_effort": 0.75,
    "least_consistency": -0.2,
    "doubtful_consistency": 1.65,
    "guessed_share": 0.3,
    "straight_run": 20,
    "longest_pattern": 5,
    "fastest_statement": 1.0,
    "hurried_share": 0.25,
}
# Assumed until attempts provide measured norms. The mean of a Holland type is half way between the
# middle and its mean among 9,102 adults, most of them American, who answered public statements.
START_MEANS = {
    "realistic": 2.47,
    "investigative": 3.03,
    "artistic": 2.89,
    "social": 3.26,
    "enterprising": 2.74,
    "conventional": 2.68,
}
# Single answers spread more than their means.
START_SD, START_STATEMENT_SD = 0.9, 1.2
MIDDLE = 3.0
# How far the difficulty of a puzzle is from that of its rules: the SD of what is left. Of 384
# calibrated matrices (ndawlab/mars-irt), rules with elements and distractors leave 1.0. Elsewhere,
# rules explained 50 to 77 % of difficulty, most of it in number series.
DIFFICULTY_SD = {
    "series": 0.8,
    "matrices": 1.0,
    "patterns": 0.9,
    "logic": 0.9,
    "problems": 0.9,
    "data": 0.9,
}

PER_FAMILY = 60
# Ten of these puzzles take somewhat over six minutes. Medians of attempts will replace it.
MEAN_SECONDS = 38
SEEDS = range(1, 31)


class Family(Protocol):
    """The interface of a module that generates one family of items.

    The example has the same number of options as the items.
    """

    FAMILY: str
    RULES: tuple[str, ...]
    EXAMPLE: dict[str, Any]

    def generate(self, rule: str, seed: int, place: int, typical: bool = False) -> Draft:
        """Return an item of a rule with its key at a place. Raises CannotGenerate if it fails."""


# The order of their worked examples, and in which they alternate in the bank.
FAMILIES: tuple[Family, ...] = (series, matrices, patterns, logic, problems, data)


def build() -> dict[str, Any]:
    """Return the content of the bank file; the same code gives the same content."""
    families = _at_the_usual_pace([family_items(family) for family in FAMILIES])
    parts = {
        "interests": _interest_items(),
        "fields": _field_items(),
        # The families alternate; within each, easier items come first.
        "aptitude": [item for each in zip(*families, strict=True) for item in each],
        "preferences": _preference_items(),
    }
    given = {code: GIVEN.get(code, len(items)) for code, items in parts.items()}
    seconds = {code: count * given[code] for code, count in SECONDS_PER_STATEMENT.items()}
    seconds["aptitude"] = round(
        given["aptitude"] * fmean(item["seconds"] for item in parts["aptitude"])
    )
    items = [item for part in parts.values() for item in part]
    return {
        "version": VERSION,
        "languages": list(LANGUAGES),
        "reference": REFERENCE,
        "sections": [
            {
                "code": code,
                "items_given": given[code],
                "per_page": per_page,
                "seconds": seconds[code],
                "title": SECTION_TITLES[code],
                "intro": SECTION_INTROS[code],
                **({"examples": _examples()} if code == "aptitude" else {}),
            }
            for code, per_page in PER_PAGE.items()
        ],
        "answers": {
            "interests": _numbered(INTEREST_ANSWERS),
            "preferences": _numbered(PREFERENCE_ANSWERS),
        },
        "dont_know": DONT_KNOW,
        "norms": {
            "interests": {scale: start_norm([scale], START_SD) for scale in INTERESTS},
            "preferences": {scale: {"mean": MIDDLE, "sd": START_SD} for scale in PREFERENCES},
            "statements": [
                {"code": each.code, **start_norm(types_of(each), START_STATEMENT_SD)}
                for each in interest_statements()
            ],
        },
        "fields": [
            {"code": code, "types": list(types), "name": FIELD_NAMES[code]}
            for code, types in FIELDS.items()
        ],
        "field_covariances": field_covariances(),
        "matching": MATCHING,
        "facets": FACETS,
        "difficulty_sd": DIFFICULTY_SD,
        "careless": CARELESS,
        "items": [{**_drawn(item), "order": order} for order, item in enumerate(items, start=1)],
    }


def start_norm(types: Sequence[str], sd: float) -> dict[str, float]:
    return {"mean": round(fmean(START_MEANS[each] for each in types), 4), "sd": sd}


def types_of(statement: InterestStatement) -> Sequence[str]:
    """Return the type of a statement of stage 1, or those of the field of one of stage 2."""
    return [statement.type] if statement.type else FIELDS[statement.fields[0]]


def to_text(data: Mapping[str, Any]) -> str:
    """Return the text of a bank file, with one item per line for readable diffs."""
    head = {name: value for name, value in data.items() if name != "items"}
    items = ",\n".join(json.dumps(item, ensure_ascii=False) for item in data["items"])
    written = json.dumps(head, ensure_ascii=False, indent=1).removesuffix("\n}")
    return f'{written},\n "items": [\n{items}\n ]\n}}\n'


def _interest_items() -> list[dict[str, Any]]:
    """Return the statements of stage 1: any six in a row have one of each Holland type."""
    items = [
        {
            "code": each.code,
            "section": "interests",
            "scale": each.type,
            "fields": list(each.fields),
            "text": each.text,
        }
        for each in _of_stage(1)
    ]
    items.insert(INSTRUCTED_AFTER, _attention_check("interests", 1))
    return items


def _field_items() -> list[dict[str, Any]]:
    """Return the statements of stage 2: each field once, the attention check, each once more."""
    items = [
        {"code": each.code, "section": "fields", "scale": each.fields[0], "text": each.text}
        for each in _of_stage(2)
    ]
    items.insert(len(FIELDS), _attention_check("fields", 2))
    return items


def _of_stage(stage: int) -> list[InterestStatement]:
    return [each for each in interest_statements() if each.stage == stage]


def _attention_check(section: str, number: int) -> dict[str, Any]:
    expected, text = INSTRUCTED[number - 1]
    return {
        "code": f"int-check-{number}",
        "section": section,
        "scale": INSTRUCTED_SCALE,
        "expected": expected,
        "text": text,
    }


def _preference_items() -> list[dict[str, Any]]:
    rounds = zip(*(PREFERENCE_STATEMENTS[scale] for scale in PREFERENCES), strict=True)
    return [
        {
            "code": f"pref-{scale.replace('_', '-')}-{number:02}",
            "section": "preferences",
            "scale": scale,
            "keyed": keyed,
            "text": text,
        }
        for number, statements in enumerate(rounds, start=1)
        for scale, (keyed, text) in zip(PREFERENCES, statements, strict=True)
    ]


def _examples() -> list[dict[str, Any]]:
    return [{"family": family.FAMILY, **_drawn(family.EXAMPLE)} for family in FAMILIES]


def _drawn(question: Mapping[str, Any]) -> dict[str, Any]:
    """Return an item or example with drawings in place of the descriptions of its figures."""
    drawn = dict(question)
    if "figure" in drawn:
        drawn["figure"] = draw(drawn["figure"])
    if "options" in drawn:
        drawn["options"] = [_drawn(option) for option in drawn["options"]]
    return drawn


def family_items(family: Family) -> list[dict[str, Any]]:
    """Return a family's items with their codes, the easiest first."""
    # Sorting is stable: items of equal difficulty stay in the order of generation.
    made = sorted(drafts(family), key=lambda draft: draft.b)
    return [
        _aptitude_item(f"apt-{family.FAMILY}-{number:02}", draft)
        for number, draft in enumerate(made, start=1)
    ]


def _at_the_usual_pace(families: list[list[dict[str, Any]]]) -> list[list[dict[str, Any]]]:
    """Scale the generators' times, which are only relative, to a mean of MEAN_SECONDS."""
    usual = fmean(item["seconds"] for items in families for item in items)
    return [
        [{**item, "seconds": round(item["seconds"] * MEAN_SECONDS / usual)} for item in items]
        for items in families
    ]


def drafts(family: Family, seeds: Sequence[int] = SEEDS) -> Iterator[Draft]:
    """Yield PER_FAMILY items of a family, cycling through its rules, without repeating a stem.

    Each item uses the first of `seeds` that gives a new stem. Raises CannotGenerate if none does.

    The key moves through all places in turn. With n places, the key is the option most like the
    others in one item of n. If a rule cannot put the key in its place, the key goes to the place
    used least often so far.
    """
    places = len(family.EXAMPLE["options"])
    keys = Counter(dict.fromkeys(range(1, places + 1), 0))
    stems: set[str] = set()
    for number in range(PER_FAMILY):
        turn, which = divmod(number, len(family.RULES))
        due = (number + turn) % places + 1
        draft = _first_new(
            family,
            family.RULES[which],
            places=[due, *sorted(keys.keys() - {due}, key=lambda place: (keys[place], place))],
            typical=(number + 2 * turn) % places == 0,
            stems=stems,
            seeds=seeds,
        )
        keys[draft.key] += 1
        stems.add(stem(draft))
        yield draft


def _first_new(
    family: Family,
    rule: str,
    *,
    places: Sequence[int],
    typical: bool,
    stems: set[str],
    seeds: Sequence[int],
) -> Draft:
    """Return a new item with its key at the first possible one of these places."""
    for place, seed in product(places, seeds):
        try:
            draft = family.generate(rule, seed, place, typical)
        except CannotGenerate:
            continue
        if stem(draft) not in stems:
            return draft
    raise CannotGenerate(f"{family.FAMILY} {rule}: nothing that is not in the bank yet")


def stem(draft: Draft) -> str:
    """Return everything that an item shows before its options, as text to compare."""
    return repr((draft.text, draft.passage, draft.lines, draft.figure))


def _aptitude_item(code: str, draft: Draft) -> dict[str, Any]:
    options = _numbered(draft.options)
    for option, figure in zip(options, draft.option_figures, strict=False):
        option["figure"] = figure
    item = {
        "code": code,
        "section": "aptitude",
        "family": draft.family,
        "template": draft.rule,
        "text": dict(draft.text),
        "passage": {language: list(paragraphs) for language, paragraphs in draft.passage.items()},
        "lines": list(draft.lines),
        "figure": draft.figure,
        "options": options,
        "key": draft.key,
        "a": DISCRIMINATION,
        "b": draft.b,
        "c": draft.guessing,
        # Radicals that are left out are 0.
        "radicals": {name: count for name, count in draft.radicals.items() if count},
        "seconds": draft.seconds,
    }
    optional = ("passage", "lines", "figure")
    return {name: value for name, value in item.items() if value or name not in optional}


def _numbered(labels: Sequence[Mapping[str, str]]) -> list[dict[str, Any]]:
    return [{"value": value, "label": dict(label)} for value, label in enumerate(labels, start=1)]
