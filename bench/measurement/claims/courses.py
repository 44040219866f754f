"""3. Who loves one field gets its course, and a higher answer never lowers a fit.

Tests hold both for many more catalogues (`tests/measurement/test_field_fit.py`).
"""

from __future__ import annotations

import random
from collections.abc import Iterator
from itertools import pairwise

from lab.figures import Figure, at_most, exactly
from lab.truths import catalogue
from measurement.bank import Bank, Matching
from measurement.field_fit import rank, raw_fit
from measurement.fields import field_scores, fields_to_ask

LOVED, USUAL, RAISES = 5, 3, 20
LATEST_PLACE = 2


def figures(bank: Bank, matching: Matching) -> Iterator[Figure]:
    courses = catalogue()
    places = []
    for field in bank.fields:
        fits = rank(bank, field_scores(bank, _loves(bank, field)), {}, (), courses)
        found = [place for place, fit in enumerate(fits, 1) if fit.course.fields[0] == field]
        places += found[:1]
    yield exactly("fields with a course in the demo's catalogue", len(places), 20)
    yield at_most("place of the loved field's course, the latest", max(places), LATEST_PLACE)
    yield exactly("answers raised that lower a fit", _falls(bank, matching), 0)


def _loves(bank: Bank, field: str) -> dict[str, int]:
    """Return the answers of a student who loves one field, in both stages."""
    liked = {
        code: LOVED if field in statement.fields else USUAL
        for code, statement in bank.statements.items()
    }
    stage_1 = {code: liked[code] for code in bank.interests}
    leading = fields_to_ask(bank, stage_1)
    return stage_1 | {
        code: liked[code] for code, each in bank.follow_ups.items() if each.scale in leading
    }


def _falls(bank: Bank, matching: Matching) -> int:
    """Raise each answer of statements of one field step by step; count falls of its course."""
    draw, falls = random.Random("answers to raise"), 0
    for code, statement in bank.statements.items():
        if len(statement.fields) > 1:
            continue
        for _ in range(RAISES):
            asked = {*draw.sample(list(bank.fields), matching.leading), *statement.fields}
            answers = {
                each: draw.randint(1, 5)
                for each, other in bank.statements.items()
                if each in bank.interests or other.scale in asked
            }
            fits = [
                raw_fit(field_scores(bank, {**answers, code: answer}), statement.fields, matching)
                for answer in range(1, 6)
            ]
            falls += sum(higher < lower for lower, higher in pairwise(fits))
    return falls
