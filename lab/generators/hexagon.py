"""The six Holland types of simulated people, on the hexagon."""

from __future__ import annotations

import math
import random

from measurement.scales import INTERESTS

# Neighbours on the hexagon correlate .35, opposites .05, as in public data.
GENERAL, CIRCLE = 0.5, 0.45
OWN_VARIANCE = 1 - GENERAL**2 - CIRCLE**2


def draw_types(draw: random.Random) -> dict[str, float]:
    """Return how much a person likes each of the six types, each N(0, 1), from nine draws."""
    general, x, y = (draw.gauss(0, 1) for _ in range(3))
    own = math.sqrt(OWN_VARIANCE)
    return {
        name: GENERAL * general
        + CIRCLE * (x * math.cos(place * math.pi / 3) + y * math.sin(place * math.pi / 3))
        + own * draw.gauss(0, 1)
        for place, name in enumerate(INTERESTS)
    }


def correlation(one: int, other: int) -> float:
    """Return the correlation of two types over people, by their places in INTERESTS."""
    own = OWN_VARIANCE if one == other else 0.0
    return GENERAL**2 + CIRCLE**2 * math.cos((one - other) * math.pi / 3) + own
