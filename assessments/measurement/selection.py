"""Which aptitude item comes next."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence

from assessments.measurement.ability import eap
from assessments.measurement.response_model import AptitudeItem, Response, information


class NoItemLeft(LookupError):
    """Every candidate has been given already."""


def next_item(
    candidates: Iterable[AptitudeItem],
    answered: Sequence[Response],
    targets: Mapping[str, float],
    *,
    theta: float | None = None,
) -> str:
    """Return the code of the item to give next.

    It is of the family that lags most behind its target, and in that family the most informative
    one at the current estimate; equal ones go by family and code, so that neither the order of
    the candidates nor chance plays a part. `targets` are shares or numbers of items per family;
    only their proportions count. `theta` is estimated from the answers unless it is given.
    Raise NoItemLeft when no family of the targets has an unused item.
    """
    used = {response.item.code for response in answered}
    unused = [
        item for item in candidates if item.code not in used and targets.get(item.family, 0) > 0
    ]
    if not unused:
        raise NoItemLeft
    given = Counter(response.item.family for response in answered)
    family = neediest_family({item.family for item in unused}, given, targets)
    estimate = eap(answered).theta if theta is None else theta
    return most_informative([item for item in unused if item.family == family], estimate)[0].code


def neediest_family(
    families: Iterable[str], given: Mapping[str, int], targets: Mapping[str, float]
) -> str:
    """Return the family whose share of the items, the next one included, is most in arrears."""
    length = sum(given.values()) + 1
    whole = sum(targets.values())

    def deficit(family: str) -> float:
        return targets[family] / whole * length - given.get(family, 0)

    # Rounded, as equal deficits must not be told apart by the last bit of a division.
    return min(families, key=lambda family: (-round(deficit(family), 9), family))


def most_informative(items: Iterable[AptitudeItem], theta: float) -> list[AptitudeItem]:
    """Return the items by the information they give at theta, the best first, ties by code."""
    return sorted(
        items,
        key=lambda item: (-round(information(theta, item.a, item.b, item.c), 9), item.code),
    )
