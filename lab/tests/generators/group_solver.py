"""A second, independent opinion on which group is made like the examples.

Whatever holds for all examples, among very many things that may be said of a group, has to hold
for the answer. Nothing is shared with the generators.
"""

import math
import re
from collections.abc import Callable
from itertools import product

ALPHABET = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
Trait = Callable[[list[int], str], object]


def made_alike(examples, options):
    """Return the options for which all holds that holds for each of the examples."""
    left = list(options)
    for trait in _traits(len(_values(examples[0])), examples[0]):
        held = {trait(_values(example), example) for example in examples}
        # What none of them has is nothing that they have in common.
        if len(held) == 1 and held != {None}:
            left = [option for option in left if {trait(_values(option), option)} == held]
    return left


def _values(group):
    if group.isdigit():
        return [int(digit) for digit in group]
    return [
        int(part) if part.isdigit() else ALPHABET.index(part) + 1
        for part in re.findall(r"\d+|[A-Z]", group)
    ]


def _traits(count, example):
    # Any sum of multiples of what stands in the places; of four places, smaller ones.
    for times in product(range(-3, 4) if count < 4 else range(-2, 3), repeat=count):
        yield lambda v, g, t=times: sum(a * b for a, b in zip(t, v, strict=True))
    yield lambda v, g: math.prod(v)
    yield lambda v, g: sorted(abs(a - b) for a, b in zip(v, v[1:], strict=False))[0]
    yield lambda v, g: tuple(sorted(abs(a - b) for a, b in zip(v, v[1:], strict=False)))
    yield lambda v, g: tuple(v.index(each) for each in v)
    yield lambda v, g: sum(each % 2 for each in v)
    for divisor in range(2, 12):
        yield lambda v, g, d=divisor: sum(v) % d
        number = re.search(r"\d+$", example)
        if number:
            yield lambda v, g, d=divisor: int(re.findall(r"\d+$", g)[0]) % d
    for one, two in product(range(count), repeat=2):
        if one == two:
            continue
        yield lambda v, g, i=one, j=two: v[i] * v[j]
        yield lambda v, g, i=one, j=two: v[i] > v[j]
        yield lambda v, g, i=one, j=two: abs(v[i] - v[j])
        yield lambda v, g, i=one, j=two: v[i] % v[j] == 0
        yield lambda v, g, i=one, j=two: v[j] - v[i] ** 2
        for three in range(count):
            if three not in (one, two):
                yield lambda v, g, i=one, j=two, k=three: v[i] * v[j] - v[k]
                for n in (1, 2, 3):
                    yield lambda v, g, i=one, j=two, k=three, n=n: n * abs(v[i] - v[j]) - v[k]
                yield lambda v, g, i=one, j=two, k=three: v[k] == abs(v[i] - v[j]) or None
    for place in range(count):
        for divisor in range(2, 6):
            yield lambda v, g, p=place, d=divisor: v[p] % d
        yield lambda v, g, p=place: v[p] > 13 if g[p : p + 1].isalpha() else None
    for kind in ("AEIOU", "AEFHIKLMNTVWXYZ", "ABDOPQR", "AHIMOTUVWXY"):
        yield lambda v, g, k=kind: sum(letter in k for letter in g)
        yield lambda v, g, k=kind: tuple(letter in k for letter in g if letter in ALPHABET)
    for sign in "ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789":
        yield lambda v, g, s=sign: s in g or None
