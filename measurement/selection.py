"""Choose the next aptitude item."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from heapq import nsmallest
from types import MappingProxyType

from measurement.ability import AptitudeItem, Response, eap, information

# Items given to more than this share of recent attempts are avoided.
EXPOSURE_CAP = 0.25
# The item is drawn from this many of the best. For the first items, about ten are equally good
# because little is known of a student, and drawing among them saves the very best from overuse;
# later only two are. Five throughout would add .01 to the RMSE, and .015 to a facet's RMSE
# (`bench.measurement`).
EARLY_ITEMS = 6
EARLY_RANDOMESQUE = 10
RANDOMESQUE = 2
NOT_EXPOSED: Mapping[str, float] = MappingProxyType({})
NO_STAND_INS: Mapping[str, Sequence[str]] = MappingProxyType({})


def next_item(
    candidates: Iterable[AptitudeItem],
    answered: Sequence[Response],
    *,
    seed: str,
    exposure: Mapping[str, float] = NOT_EXPOSED,
    stand_ins: Mapping[str, Sequence[str]] = NO_STAND_INS,
) -> str:
    """Return the code of the item to give next.

    The item belongs to the family that was given least. It is drawn from the most informative ones
    at the current estimate: the best EARLY_RANDOMESQUE for the first EARLY_ITEMS, then the best
    RANDOMESQUE. `seed` determines the draw, also among families that lag equally. The order of
    candidates does not matter.

    `exposure` maps the code of an item to the share (0-1) of recent attempts that were given it.
    `stand_ins` maps a family without candidates to those that take its place. Raises ValueError if
    all candidates were given.
    Source of the draw: Kingsbury, G. G. & Zara, A. R. (1989), Applied Measurement in Education 2,
    359-375.
    """
    used = {response.item.code for response in answered}
    unused = [item for item in candidates if item.code not in used]
    left = {item.family for item in unused}
    counts = Counter(response.item.family for response in answered)
    targets = taken_over(dict.fromkeys({*left, *counts, *stand_ins}, 1), stand_ins)
    given = taken_over(counts, stand_ins)
    rng = random.Random(seed)  # noqa: S311 - reproducible, not secret
    family = rng.choice(neediest_families(left, given, targets))
    fit = allowed([item for item in unused if item.family == family], answered, exposure)
    estimate = eap(answered).theta
    among = EARLY_RANDOMESQUE if len(answered) < EARLY_ITEMS else RANDOMESQUE
    return rng.choice(most_informative(fit, estimate, among)).code


def taken_over(
    amounts: Mapping[str, float], stand_ins: Mapping[str, Sequence[str]]
) -> dict[str, float]:
    """Return the amounts by family; families with stand-ins leave theirs to them in equal parts."""
    shared = {family: amount for family, amount in amounts.items() if family not in stand_ins}
    for family in sorted(amounts.keys() & stand_ins.keys()):
        for other in stand_ins[family]:
            part = amounts[family] / len(stand_ins[family])
            shared[other] = shared.get(other, 0) + part
    return shared


def allowed(
    items: Sequence[AptitudeItem], answered: Iterable[Response], exposure: Mapping[str, float]
) -> Sequence[AptitudeItem]:
    """Return the items that are neither overexposed nor clones of an answered item.

    If there are none, return overexposed ones; if only clones are left, return those.
    """
    seen = {response.item.clone for response in answered} - {""}
    new = [item for item in items if item.clone not in seen]
    rested = [item for item in new if exposure.get(item.code, 0) <= EXPOSURE_CAP]
    return rested or new or items


def neediest_families(
    families: Iterable[str], given: Mapping[str, float], targets: Mapping[str, float]
) -> list[str]:
    """Return the names, sorted, of the families that lag most, counting the next item."""
    length = sum(given.values()) + 1
    whole = sum(targets.values())
    # Rounded, so that equal deficits do not differ in their last bits.
    deficits = {
        family: round(targets[family] / whole * length - given.get(family, 0), 9)
        for family in families
    }
    largest = max(deficits.values())
    return sorted(family for family, deficit in deficits.items() if deficit == largest)


def most_informative(items: Iterable[AptitudeItem], theta: float, count: int) -> list[AptitudeItem]:
    """Return the `count` most informative items at theta, the best first, ties by code."""
    return nsmallest(
        count,
        items,
        key=lambda item: (-round(information(theta, item.a, item.b, item.c), 9), item.code),
    )
