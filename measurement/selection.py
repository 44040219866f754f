"""Choose the next aptitude item."""

import random
from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence
from heapq import nsmallest

from measurement.ability import AptitudeItem, Response, eap, information

# Items given to more than this share of recent attempts are avoided.
EXPOSURE_CAP = 0.25
# The item is drawn from this many of the best. While little is known of a student, about ten are
# equally good, and drawing among them saves the very best from overuse; after EARLY_ITEMS, two are.
# Five throughout would add .01 to the RMSE, and .015 to a facet's RMSE (`bench.measurement`).
EARLY_ITEMS = 6
EARLY_RANDOMESQUE = 10
RANDOMESQUE = 2


def next_item(
    candidates: Iterable[AptitudeItem],
    responses: Sequence[Response],
    *,
    exposure: Mapping[str, float],
    substitutes: Mapping[str, Sequence[str]],
    facets: Iterable[Collection[str]],
    seed: str,
) -> str:
    """Return the code of the item to give next, after these responses.

    It belongs to the family that lags most, and is drawn from the most informative items of that
    family at the current estimate of ability. If several families lag equally, it is one of a facet
    that lags most. `seed` determines the draw, and the family if several are left. The order of
    candidates does not matter.

    `facets` are the families of each facet. `exposure` maps the code of an item to the share (0-1)
    of recent attempts that were given it. `substitutes` maps a family without candidates to those
    that take its place. Raises ValueError if all candidates were given.
    Source of the draw: Kingsbury, G. G. & Zara, A. R. (1989), Applied Measurement in Education 2,
    359-375.
    """
    used = {response.item.code for response in responses}
    unused = [item for item in candidates if item.code not in used]
    available = {item.family for item in unused}
    counts = Counter(response.item.family for response in responses)
    targets = reassign(dict.fromkeys({*available, *counts, *substitutes}, 1), substitutes)
    given = reassign(counts, substitutes)
    families = neediest_families(available, given, targets)
    families = of_neediest_facets(families, facets, given, targets)
    rng = random.Random(seed)  # noqa: S311 - reproducible, not secret
    family = rng.choice(families)
    items = fresh_items([item for item in unused if item.family == family], responses, exposure)
    count = EARLY_RANDOMESQUE if len(responses) < EARLY_ITEMS else RANDOMESQUE
    return rng.choice(most_informative(items, eap(responses).theta, count)).code


def reassign(
    amounts: Mapping[str, float], substitutes: Mapping[str, Sequence[str]]
) -> dict[str, float]:
    """Return amounts by family, after each family with substitutes leaves them equal parts."""
    result = {family: amount for family, amount in amounts.items() if family not in substitutes}
    for family in sorted(amounts.keys() & substitutes.keys()):
        for other in substitutes[family]:
            result[other] = result.get(other, 0) + amounts[family] / len(substitutes[family])
    return result


def fresh_items(
    items: Sequence[AptitudeItem], responses: Iterable[Response], exposure: Mapping[str, float]
) -> Sequence[AptitudeItem]:
    """Return items that are not clones of used ones, preferably not overexposed; else all items."""
    clones = {response.item.clone for response in responses} - {""}
    new = [item for item in items if item.clone not in clones]
    rested = [item for item in new if exposure.get(item.code, 0) <= EXPOSURE_CAP]
    return rested or new or items


def neediest_families(
    families: Iterable[str], counts: Mapping[str, float], targets: Mapping[str, float]
) -> list[str]:
    """Return the families, sorted, whose count lags most behind their share of the next length.

    `targets` are the shares by family, up to a factor.
    """
    length = sum(counts.values()) + 1
    whole = sum(targets.values())
    # Rounded, so that equal deficits do not differ in their last bits.
    deficits = {
        family: round(targets[family] / whole * length - counts.get(family, 0), 9)
        for family in families
    }
    largest = max(deficits.values())
    return sorted(family for family, deficit in deficits.items() if deficit == largest)


def of_neediest_facets(
    families: Sequence[str],
    facets: Iterable[Collection[str]],
    counts: Mapping[str, float],
    targets: Mapping[str, float],
) -> list[str]:
    """Return those of the families whose facet has the fewest items, for its target.

    A family without a facet is one of its own.
    """
    of = {family: facet for facet in facets for family in facet}

    def served(family: str) -> float:
        facet = of.get(family, (family,))
        due = sum(targets.get(each, 0) for each in facet)
        return round(sum(counts.get(each, 0) for each in facet) / due, 9)

    fewest = min(map(served, families))
    return [family for family in families if served(family) == fewest]


def most_informative(items: Iterable[AptitudeItem], theta: float, count: int) -> list[AptitudeItem]:
    """Return the `count` most informative items at theta, the best first, ties by code."""

    def order(item: AptitudeItem) -> tuple[float, str]:
        return -round(information(theta, item.a, item.b, item.c), 9), item.code

    return nsmallest(count, items, order)
