"""Starting norms of field scores, simulated with a fixed seed because there are no attempts yet."""

from __future__ import annotations

import math
import random
from collections.abc import Mapping
from statistics import fmean
from typing import Any

from lab.generators.hexagon import draw_types
from measurement.bank import Bank
from measurement.fields import field_scores, leading_fields
from measurement.scales import INTERESTS, interest_profile

STUDENTS = 2000
# Half of the variance of liking a field is that of its types, and half of the variance of an answer
# is that of its fields.
OF_TYPES = OF_FIELDS = 0.5
MIDDLE, SPREAD = 3.0, 1.2
DECIMALS = 3


def field_norms(bank: Bank) -> dict[str, Any]:
    """Return `means` and `covariances` of the final field scores of simulated students.

    They are lists in the order of the bank's fields.
    """
    draw = random.Random("field norms")  # noqa: S311 - reproducible, not secret
    sittings = [_sitting(bank, draw) for _ in range(STUDENTS)]
    means = {name: fmean(scores[name] for scores in sittings) for name in bank.fields}
    covariances = [
        [_mean_product(sittings, one, other) - means[one] * means[other] for other in bank.fields]
        for one in bank.fields
    ]
    return {
        "means": [_rounded(mean) for mean in means.values()],
        "covariances": [[_rounded(value) for value in row] for row in covariances],
    }


def _sitting(bank: Bank, draw: random.Random) -> dict[str, float]:
    likes = _likes(bank, draw)
    answers = {code: _answer(bank, code, likes, draw) for code in bank.interests}
    types = interest_profile(
        [(statement.scale, answers[code]) for code, statement in bank.interests.items()], bank.norms
    )
    by_type = dict(zip(INTERESTS, types.z, strict=True))
    leading = leading_fields(bank, field_scores(bank, answers, by_type))
    answers |= {
        code: _answer(bank, code, likes, draw)
        for code, statement in bank.follow_ups.items()
        if statement.scale in leading
    }
    return field_scores(bank, answers, by_type)


def _likes(bank: Bank, draw: random.Random) -> dict[str, float]:
    """Return how much a student likes each field, N(0, 1)."""
    types = draw_types(draw)
    return {
        name: math.sqrt(OF_TYPES) * fmean(types[each] for each in its_types)
        + math.sqrt(1 - OF_TYPES) * draw.gauss(0, 1)
        for name, its_types in bank.fields.items()
    }


def _answer(bank: Bank, code: str, likes: Mapping[str, float], draw: random.Random) -> int:
    liking = fmean(likes[name] for name in bank.statements[code].fields)
    noise = draw.gauss(0, 1)
    z = math.sqrt(OF_FIELDS) * liking + math.sqrt(1 - OF_FIELDS) * noise
    return max(1, min(5, round(MIDDLE + SPREAD * z)))


def _mean_product(sittings: list[dict[str, float]], one: str, other: str) -> float:
    return fmean(scores[one] * scores[other] for scores in sittings)


def _rounded(value: float) -> float:
    # Adding 0.0 turns -0.0 into 0.0.
    return round(value, DECIMALS) + 0.0
