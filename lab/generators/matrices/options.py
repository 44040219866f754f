"""Choose the options of a matrix so that they share their features evenly.

A student who sees only the options may look for the features that most of them share, or for the
odd one out. There is no such option among six that combine three values of one attribute with two
of another, or in which each of three changes occurs three times.
"""

from __future__ import annotations

import random
from collections.abc import Sequence
from itertools import chain, compress, product

from lab.generators.matrices.cells import CYCLES, NAMES, PARTS, Cell, Value, domain
from lab.generators.matrices.rules import SELECTIONS

OPTIONS = 6
# Which of three changes each option has; the key has none.
# Every change occurs in three options, and each option is one change away from two others.
HEXAGON = ((0, 0, 0), (1, 0, 0), (0, 1, 0), (0, 1, 1), (1, 0, 1), (1, 1, 1))
# The key is one change away from three others, so that a student needs all three rules. Two changes
# occur in three options, and three options share as much with the rest as the key does.
STAR = ((0, 0, 0), (1, 0, 0), (0, 1, 0), (0, 0, 1), (1, 1, 0), (1, 1, 1))
# A slip that changes more parts than this is too obvious.
MOST_PARTS = 2
FARTHEST = 2


def choose_cells(
    key: Cell, shown: Sequence[Cell], changing: Sequence[str], rng: random.Random
) -> list[Cell] | None:
    """Return the key and five wrong cells; None if the matrix does not have enough slips.

    `changing` names the attributes in which the options differ: one set of parts, two attributes
    (with three values of the first), or three attributes.
    """
    counts = {1: (len(HEXAGON) - 1,), 2: (2, 1), 3: (1, 1, 1)}[len(changing)]
    slips = {}
    for name, count in zip(changing, counts, strict=True):
        slips[name] = _slips(name, key[name], [cell[name] for cell in shown], count, rng)
        if len(slips[name]) < count:
            return None
    if len(changing) < 3:
        choices = [[key[name], *slips[name]] for name in changing]
        return [{**key, **dict(zip(changing, each, strict=True))} for each in product(*choices)]
    changes = [(name, slips[name][0]) for name in rng.sample(list(changing), k=3)]
    return [{**key, **dict(compress(changes, each))} for each in STAR]


def _slips(
    name: str, key: Value, shown: Sequence[Value], count: int, rng: random.Random
) -> list[Value]:
    """Return at most `count` wrong values of an attribute; five sets of parts if `count` is 5."""
    if isinstance(key, tuple):
        return _wrong_parts(name, key, shown, count, rng)
    values = domain(name)
    if name in NAMES:
        wrong = [value for value in values if value in shown and value != key]
    else:
        wrong = _near(name, key, shown)
    rng.shuffle(wrong)
    return wrong[:count]


def _near(name: str, key: Value, shown: Sequence[Value]) -> list[Value]:
    """Return the numbers, turns or places that are easily confused with the right one."""
    values = domain(name)
    right = values.index(key)
    if name not in CYCLES:
        return [v for place, v in enumerate(values) if 0 < abs(place - right) <= FARTHEST]
    # If everything turns by right angles, a turn by half of one is too obvious.
    unit = 2 if all(values.index(value) % 2 == right % 2 for value in shown) else 1
    steps = [unit * step for step in range(-FARTHEST, FARTHEST + 1) if step]
    near = {(right + step) % len(values) for step in steps}
    return [value for place, value in enumerate(values) if place in near]


def _wrong_parts(
    name: str, key: tuple[int, ...], shown: Sequence[Value], count: int, rng: random.Random
) -> list[Value]:
    """Return sets that differ from the right one as if by another rule, or by a lapse."""
    first, second = (each for each in shown[-2:] if isinstance(each, tuple))
    followed = [set(key).symmetric_difference(rule(first, second)) for rule in SELECTIONS]
    others = sorted({tuple(sorted(each)) for each in followed if 0 < len(each) <= MOST_PARTS})
    lapses: list[tuple[int, ...]] = [(part,) for part in range(PARTS[name])]
    rng.shuffle(others)
    rng.shuffle(lapses)
    changes: list[tuple[int, ...]] = []
    for change in (*others[:1], *lapses):
        if not any(set(change) & set(other) for other in changes):
            changes.append(change)
    one, two = changes[:2]
    if count == len(HEXAGON) - 1:
        made = [list(compress(changes[:3], each)) for each in HEXAGON[1:]]
    else:
        # In one item of three, the key is between two slips, and so is most like the others.
        made = [[one], [two] if rng.randrange(3) == 0 else [one, two]][:count]
    sets = [set(key).symmetric_difference(chain(*change)) for change in made]
    return [tuple(sorted(each)) for each in sets if each]
