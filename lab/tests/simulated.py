"""Made-up students who answer made-up items as the response model says, always the same."""

from __future__ import annotations

import math
import random
from typing import NamedTuple

import numpy as np

from lab.calibration import MISSING
from measurement.ability import probability


class TrueItem(NamedTuple):
    """What an item is really like."""

    a: float
    b: float
    c: float


def some_items(count, seed, guessing=0.0):
    draw = random.Random(seed)
    return [
        TrueItem(math.exp(draw.gauss(math.log(1.2), 0.25)), draw.gauss(0, 1), guessing)
        for _ in range(count)
    ]


def some_abilities(count, seed):
    draw = random.Random(seed)
    return [draw.gauss(0, 1) for _ in range(count)]


def some_marks(items, abilities, seed, given=None):
    """Let every student answer all items, or as many as are `given`, drawn for each anew."""
    draw = random.Random(seed)
    rows = []
    for theta in abilities:
        shown = set(draw.sample(range(len(items)), given or len(items)))
        rows.append(
            [
                int(draw.random() < probability(theta, *item)) if number in shown else MISSING
                for number, item in enumerate(items)
            ]
        )
    return np.array(rows, dtype=np.int8)
