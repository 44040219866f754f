"""Which aptitude item comes next."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from heapq import nsmallest
from types import MappingProxyType

from assessments.measurement.ability import eap
from assessments.measurement.response_model import AptitudeItem, Response, information

# An item that more than this share of recent attempts were given rests for a while.
EXPOSURE_CAP = 0.25
# Among how many of the best an item is drawn. While little is known of a student, ten are about as
# good as one, and so the very best are not worn out; later only two are let in. Five throughout
# cost .01 of RMSE and of a facet's RMSE .015 (`bench.measurement`).
EARLY_ITEMS = 6
EARLY_RANDOMESQUE = 10
RANDOMESQUE = 2
NOT_EXPOSED: Mapping[str, float] = MappingProxyType({})


class NoItemLeft(LookupError):
    """Every candidate has been given already."""


def next_item(
    candidates: Iterable[AptitudeItem],
    answered: Sequence[Response],
    targets: Mapping[str, float],
    *,
    exposure: Mapping[str, float] = NOT_EXPOSED,
    seed: str | None = None,
    theta: float | None = None,
) -> str:
    """Return the code of the item to give next.

    It is of the family that lags most behind its target, and in that family one of the most
    informative ones at the current estimate: of the best EARLY_RANDOMESQUE for the first
    EARLY_ITEMS, then of the best RANDOMESQUE. `seed` draws it, and the family among equal ones;
    without a seed it is the very best of the first family by name. The order of the candidates
    plays no part.

    `targets` are shares or numbers of items per family; only their proportions count. `exposure`
    is the share of recent attempts (0-1) that were given an item, by code. `theta` is estimated
    from the answers unless it is given. Raise NoItemLeft when no family of the targets has an
    unused item.
    Source of the draw: Kingsbury, G. G. & Zara, A. R. (1989), Applied Measurement in Education 2,
    359-375.
    """
    used = {response.item.code for response in answered}
    wanted = {family for family, target in targets.items() if target > 0}
    unused = [item for item in candidates if item.code not in used and item.family in wanted]
    if not unused:
        raise NoItemLeft
    given = Counter(response.item.family for response in answered)
    rng = random.Random(seed) if seed is not None else None  # noqa: S311 - to be repeated, not secret
    families = neediest_families({item.family for item in unused}, given, targets)
    family = rng.choice(families) if rng else families[0]
    fit = allowed([item for item in unused if item.family == family], answered, exposure)
    estimate = eap(answered).theta if theta is None else theta
    if rng is None:
        return most_informative(fit, estimate, 1)[0].code
    among = EARLY_RANDOMESQUE if len(answered) < EARLY_ITEMS else RANDOMESQUE
    return rng.choice(most_informative(fit, estimate, among)).code


def allowed(
    items: Sequence[AptitudeItem], answered: Iterable[Response], exposure: Mapping[str, float]
) -> Sequence[AptitudeItem]:
    """Return the items that are neither worn out nor clones of an answered one.

    When that leaves nothing, an item seen by too many is better than one that the student knows
    how to solve; when there are only clones, one of those is better than none.
    """
    seen = {response.item.clone for response in answered} - {""}
    new = [item for item in items if item.clone not in seen]
    rested = [item for item in new if exposure.get(item.code, 0) <= EXPOSURE_CAP]
    return rested or new or items


def neediest_families(
    families: Iterable[str], given: Mapping[str, int], targets: Mapping[str, float]
) -> list[str]:
    """Return, by name, the families whose share, the next item included, is most in arrears."""
    length = sum(given.values()) + 1
    whole = sum(targets.values())
    # Rounded, as equal deficits must not be told apart by the last bit of a division.
    deficits = {
        family: round(targets[family] / whole * length - given.get(family, 0), 9)
        for family in families
    }
    largest = max(deficits.values())
    return sorted(family for family, deficit in deficits.items() if deficit == largest)


def most_informative(items: Iterable[AptitudeItem], theta: float, count: int) -> list[AptitudeItem]:
    """Return the `count` items most informative at theta, the best first, ties by code."""
    return nsmallest(
        count,
        items,
        key=lambda item: (-round(information(theta, item.a, item.b, item.c), 9), item.code),
    )
