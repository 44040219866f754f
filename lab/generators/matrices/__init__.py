"""Matrices: find the last of nine small pictures in three rows that follow rules."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Mapping, Sequence
from itertools import permutations
from typing import Any

from lab.generators.items import CannotGenerate, Draft, in_all, rule_difficulty, seeded
from lab.generators.matrices.cells import (
    FILLS,
    PARTS,
    SHAPES,
    TURNING,
    Cell,
    Value,
    domain,
    to_json,
)
from lab.generators.matrices.options import choose_cells
from lab.generators.matrices.plans import PLANS, Plan, changing, overlaps, ruled
from lab.generators.matrices.rows import WRITERS
from lab.generators.matrices.rules import EMPTY, numbers_expected, predictions

FAMILY = "matrices"
RULES: tuple[str, ...] = tuple(PLANS)
TEXT = {"en": "Which picture belongs in the empty place?", "hi": "खाली जगह में कौन-सा चित्र आएगा?"}
ALT = {
    "en": "Nine places in three rows of three. Eight of them show small pictures; "
    "the last place of the third row is empty.",
    "hi": "तीन पंक्तियों में नौ जगहें हैं, हर पंक्ति में तीन। उनमें से आठ में छोटे चित्र हैं; "
    "तीसरी पंक्ति की आखिरी जगह खाली है।",
}
LETTERS = "ABCDEF"
# Beside these, shapes are small, and striped only if the fill follows a rule.
CROWDED = {"count", "grid", "outer", "rays"}
BASE = -2.2
WEIGHTS = {
    "rules": 0.7,  # attributes that follow a rule, beyond the first
    "distribution": 0.5,  # the same three values in every row
    "addition": 1.1,  # the third picture is the sum or the difference of two
    "exclusive": 2.2,  # the third has the parts that only one of the two has
    # Something turns or moves: 0 to .17 in 384 calibrated matrices (ndawlab/mars-irt).
    "spatial": 0.1,
    "leap": 0.3,  # it moves further than to the next place
    "removal": 0.4,  # parts are removed, or only common parts are kept
    "shared": 0.4,  # the pictures to add have parts in common
    "overlap": 0.45,  # one changing attribute is drawn over another one
}
# The time to look, find the rules and compare six pictures: for the easiest matrix, and for each
# logit of additional difficulty.
SECONDS, SECONDS_PER_LOGIT = 25, 10.5
TRIES = 300


def generate(rule: str, seed: int, place: int, typical: bool = False) -> Draft:
    """Return a sound matrix of this rule with its key at this place (from 1).

    A matrix is sound if, for every attribute, each rule of the grammar that reproduces the eight
    pictures by rows, columns or diagonals predicts the value of the key. `typical` has no effect,
    because no option is made more similar to the others. Raises CannotGenerate if the seed gives
    none, KeyError for an unknown rule.
    """
    plan = PLANS[rule]
    rng = seeded(FAMILY, f"{rule} {place}", seed)
    for _ in range(TRIES):
        columns, radicals = _filled(plan, rng)
        if not is_sound(columns):
            continue
        cells = [{name: columns[name][i] for name in columns} for i in range(EMPTY + 1)]
        options = choose_cells(cells[EMPTY], cells[:EMPTY], changing(plan), rng)
        if options is None or not 1 <= place <= len(options):
            continue
        key, *wrong = options
        rng.shuffle(wrong)
        b = rule_difficulty(BASE, WEIGHTS, radicals)
        return Draft(
            family=FAMILY,
            rule=rule,
            text=TEXT,
            figure=_matrix(cells[:EMPTY]),
            options=tuple(map(in_all, LETTERS)),
            option_figures=tuple(map(_cell, [*wrong[: place - 1], key, *wrong[place - 1 :]])),
            key=place,
            radicals=radicals,
            b=b,
            seconds=round(SECONDS + SECONDS_PER_LOGIT * (b - BASE)),
        )
    raise CannotGenerate(f"{FAMILY} {rule}, seed {seed}, key at {place}")


def is_sound(values: Mapping[str, Sequence[Value]]) -> bool:
    """Tell whether the rules predict only the ninth value, for every attribute."""
    return all(
        predictions(name, nine[:EMPTY]) == {nine[EMPTY]} and _is_clear(name, nine)
        for name, nine in values.items()
    ) and not any(_seems_tied(values[one], values[other]) for one, other in permutations(values, 2))


def _seems_tied(one: Sequence[Value], other: Sequence[Value]) -> bool:
    """Tell whether two attributes seem to depend on each other, but not in the key.

    For example, a student may notice that every square is inside a circle.
    """
    alike = [other[place] for place in range(EMPTY) if one[place] == one[EMPTY]]
    return len(alike) > 1 and len(set(alike)) == 1 and other[EMPTY] not in alike


def _is_clear(name: str, nine: Sequence[Value]) -> bool:
    """Tell whether sets and sums give the same result to a student who looks less closely."""
    if name == "count":
        # After two equal sums, a student may expect the same number again.
        return nine[2] != nine[5] or nine[2] == nine[EMPTY]
    if name not in PARTS:
        return True
    return (
        all(nine)
        and len(set(nine)) == len(nine)
        and numbers_expected(nine[:EMPTY]) <= {_number_of_parts(nine[EMPTY])}
    )


def _number_of_parts(value: Value) -> int:
    return len(value) if isinstance(value, tuple) else 0


def _filled(plan: Plan, rng: random.Random) -> tuple[dict[str, tuple[Value, ...]], dict[str, int]]:
    """Return nine values for each attribute of the plan, and the radicals."""
    columns: dict[str, tuple[Value, ...]] = {}
    found: Counter[str] = Counter(rules=len(ruled(plan)) - 1, overlap=int(overlaps(plan)))
    for name, does in plan.items():
        rows = WRITERS[does](name, _choice(name, plan), rng)
        columns[name] = rows.values
        found.update(rows.radicals)
    return columns, {name: found[name] for name in WEIGHTS}


def _choice(name: str, plan: Plan) -> Sequence[Value]:
    """Return the values of an attribute that can be distinguished in a picture of this plan."""
    if name == "shape" and "turn" in plan:
        # A small half circle is too small for stripes.
        return [each for each in TURNING if each != "half" or plan.keys().isdisjoint(CROWDED)]
    if name == "shape":
        return SHAPES
    if name == "fill" and plan["fill"] == "same" and plan.keys() & CROWDED:
        return [fill for fill in FILLS if fill != "striped"]
    return () if name in PARTS else domain(name)


def _matrix(cells: Sequence[Cell]) -> dict[str, Any]:
    return {"kind": "matrix", "cells": [*map(to_json, cells), None], "alt": ALT}


def _cell(cell: Cell) -> dict[str, Any]:
    return {"kind": "cell", "cell": to_json(cell)}


EXAMPLE: dict[str, Any] = {
    "title": {"en": "Nine pictures, one missing", "hi": "नौ चित्र, एक गायब"},
    "text": TEXT,
    "figure": _matrix(
        [
            {"shape": shape, "fill": fill}
            for shape in ("circle", "square", "triangle")
            for fill in FILLS
        ][:EMPTY]
    ),
    "options": [
        {"label": in_all(letter), "figure": _cell({"shape": shape, "fill": fill})}
        for letter, shape, fill in (
            ("A", "circle", "solid"),
            ("B", "triangle", "striped"),
            ("C", "square", "striped"),
            ("D", "triangle", "solid"),
            ("E", "square", "empty"),
            ("F", "circle", "empty"),
        )
    ],
    "answer": in_all("D"),
    "explanation": {
        "en": "The shape stays the same along each row. Its inside goes from empty to striped to "
        "full. So the third row must end with a full triangle.",
        "hi": "एक पंक्ति में आकृति नहीं बदलती। वह पहले खाली होती है, फिर धारीदार और फिर पूरी भरी हुई। "
        "इसलिए तीसरी पंक्ति के आखिर में पूरा भरा हुआ त्रिभुज आएगा।",
    },
}
