"""Build the item bank that ships with the code."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from itertools import product
from statistics import fmean
from typing import Any, Protocol

from assessments.banks import VERSION
from assessments.measurement.scales import INSTRUCTED as INSTRUCTED_SCALE
from assessments.measurement.scales import INTERESTS, PREFERENCES
from itemgen import data, logic, matrices, patterns, problems, series
from itemgen.items import DISCRIMINATION, LANGUAGES, CannotGenerate, Draft
from itemgen.section_words import (
    DONT_KNOW,
    INTEREST_ANSWERS,
    PREFERENCE_ANSWERS,
    SECTION_INTROS,
    SECTION_TITLES,
)
from itemgen.statements import (
    INSTRUCTED,
    INSTRUCTED_AFTER,
    INTEREST_STATEMENTS,
    PREFERENCE_STATEMENTS,
    SCORED,
)

# No attempts have been measured yet, so ability 0 is the mean of an assumed population.
REFERENCE = "assumed"
PER_PAGE = {"interests": 6, "aptitude": 1, "preferences": 4}
APTITUDE_GIVEN = 24
SECONDS_PER_STATEMENT = {"interests": 5, "preferences": 7}
WEIGHTS = {"interests": 0.65, "aptitude": 0.30, "preferences": 0.05}
FACETS = {
    "numerical": ["problems", "data"],
    "abstract": ["series", "matrices"],
    "verbal": ["patterns", "logic"],
}
RANKING = {"diversity": 0.2, "per_department": 2, "department_lead": 0.1, "aptitude_cap": 0.85}
# Assumed until a hundred attempts provide measured norms.
START_NORM = {"mean": 3.0, "sd": 0.9}

PER_FAMILY = 60
# 24 of these puzzles take about a quarter of an hour. Medians of attempts will replace this value.
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
        # The families alternate; within each, easier items come first.
        "aptitude": [item for each in zip(*families, strict=True) for item in each],
        "preferences": _preference_items(),
    }
    given = {code: _given(code, items) for code, items in parts.items()}
    seconds = {code: count * given[code] for code, count in SECONDS_PER_STATEMENT.items()}
    seconds["aptitude"] = round(
        APTITUDE_GIVEN * fmean(item["seconds"] for item in parts["aptitude"])
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
            "interests": {scale: dict(START_NORM) for scale in INTERESTS},
            "preferences": {scale: dict(START_NORM) for scale in PREFERENCES},
        },
        "weights": WEIGHTS,
        "facets": FACETS,
        "ranking": RANKING,
        "items": [{**item, "order": order} for order, item in enumerate(items, start=1)],
    }


def to_text(data: Mapping[str, Any]) -> str:
    """Return the text of a bank file, with one item per line for readable diffs."""
    head = {name: value for name, value in data.items() if name != "items"}
    items = ",\n".join(json.dumps(item, ensure_ascii=False) for item in data["items"])
    written = json.dumps(head, ensure_ascii=False, indent=1).removesuffix("\n}")
    return f'{written},\n "items": [\n{items}\n ]\n}}\n'


def _given(section: str, items: Sequence[Mapping[str, Any]]) -> int:
    if section == "aptitude":
        return APTITUDE_GIVEN
    return sum(not item.get("spare", False) for item in items)


def _interest_items() -> list[dict[str, Any]]:
    """Return the interest statements, alternating between the six types.

    Any six consecutive statements contain one of each type, so every page has all types, even after
    an instructed statement has shifted the others. The spares come last.
    """
    statements = [
        {
            "code": f"int-{scale[0].upper()}-{number:02}",
            "section": "interests",
            "scale": scale,
            "text": text,
            **({"spare": True} if number > SCORED else {}),
        }
        for number, texts in enumerate(
            zip(*(INTEREST_STATEMENTS[scale] for scale in INTERESTS), strict=True), start=1
        )
        for scale, text in zip(INTERESTS, texts, strict=True)
    ]
    for number, (before, (expected, text)) in enumerate(
        zip(INSTRUCTED_AFTER, INSTRUCTED, strict=True), start=1
    ):
        check = {
            "code": f"int-check-{number}",
            "section": "interests",
            "scale": INSTRUCTED_SCALE,
            "expected": expected,
            "text": text,
        }
        statements.insert(before, check)
    return statements


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
    return [family.EXAMPLE for family in FAMILIES]


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
