"""How liking one field goes with liking another, assumed until answers of students say more.

Of the variance of an answer, half is that of liking its field, and of that half is that of the
field's types, which correlate as on the hexagon. Neither half is fitted: `python -m lab studies`
shows what others would give.
"""

from __future__ import annotations

from collections.abc import Sequence
from statistics import fmean

from lab.generators.hexagon import correlation
from measurement.fields import FIELDS
from measurement.scales import INTERESTS

OF_FIELDS = OF_TYPES = 0.5
DECIMALS = 4


def field_covariances() -> list[list[float]]:
    """Return the covariances in the order of FIELDS, in squared SDs of statements."""
    types = [[INTERESTS.index(each) for each in its_types] for its_types in FIELDS.values()]
    return [
        [round(OF_FIELDS * _correlation(one, other, one is other), DECIMALS) for other in types]
        for one in types
    ]


def _correlation(types: Sequence[int], others: Sequence[int], is_same: bool) -> float:
    shared = fmean(correlation(one, other) for one in types for other in others)
    return OF_TYPES * shared + (1 - OF_TYPES if is_same else 0.0)
