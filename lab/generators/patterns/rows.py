"""Rows of letters, of groups, and of letters with numbers; each place of a sign has its own rule.

Each writer takes a random generator and returns a Pattern, which may not be sound.
"""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import accumulate, chain

from lab.generators.patterns.signs import Form, Sign


@dataclass(frozen=True)
class Pattern:
    """The shown signs, the next one, their form, and the radicals."""

    shown: tuple[Sign, ...]
    key: Sign
    form: Form
    radicals: dict[str, int]

    @property
    def tracks(self) -> list[tuple[int, ...]]:
        """The shown values of each place of the signs."""
        return list(zip(*self.shown, strict=True))


def letters(rng: random.Random) -> Pattern:
    """Letters with the same step: C, F, I, L."""
    step = rng.choice((2, 3, 4, -2, -3))
    start = rng.randint(1, 6) if step > 0 else rng.randint(20, 26)
    return _pattern("L", [_run(start, [step] * 5)], {})


def pairs(rng: random.Random) -> Pattern:
    """A letter and a number, each with its own step: B4, D7, F10."""
    places = _run(rng.randint(1, 8), [rng.choice((1, 2, 3))] * 5)
    numbers = _run(rng.randint(2, 12), [rng.choice((3, 4, 5, 6, 7))] * 5)
    return _pattern("LN", [places, numbers], {})


def growing_letters(rng: random.Random) -> Pattern:
    """Letters with growing steps: B, C, E, H, L."""
    first = rng.choice((1, 2))
    steps = list(range(first, first + 5))
    if rng.randrange(2):
        return _pattern("L", [_run(rng.randint(22, 26), [-s for s in steps])], {"nested": 1})
    return _pattern("L", [_run(rng.randint(1, 5), steps)], {"nested": 1})


def letters_by_turns(rng: random.Random) -> Pattern:
    """Two steps alternate: C, G, F, J, I, M."""
    one, two = rng.choice(((4, -1), (5, -2), (3, -1), (1, 3), (1, 4), (2, 3), (5, -1), (4, -2)))
    return _pattern("L", [_run(rng.randint(1, 7), [one, two] * 3)], {"operations": 1})


def groups(rng: random.Random) -> Pattern:
    """Three letters, each with its own step: BZK, DYM, FXO."""
    moves = rng.sample((1, 2, 3, -1, -2, -3), 3)
    starts = [rng.randint(1, 9) if move > 0 else rng.randint(16, 26) for move in moves]
    tracks = [_run(start, [move] * 4) for start, move in zip(starts, moves, strict=True)]
    return _pattern("LLL", tracks, {})


def memory_pairs(rng: random.Random) -> Pattern:
    """A letter with a step, and a number that is the sum of the two before: B1, E4, H5, K9."""
    places = _run(rng.randint(1, 5), [rng.choice((2, 3))] * 6)
    return _pattern("LN", [places, _summed(rng, 7)], {"memory": 1})


def growing_groups(rng: random.Random) -> Pattern:
    """Three letters, one of them with growing steps: BZC, DYD, FXF, HWI."""
    one, two = rng.sample((1, 2, -1, -2), 2)
    starts = [rng.randint(1, 9) if move > 0 else rng.randint(16, 26) for move in (one, two)]
    tracks = [_run(start, [move] * 5) for start, move in zip(starts, (one, two), strict=True)]
    first = rng.choice((0, 1))
    tracks.append(_run(rng.randint(1, 5), range(first + 1, first + 6)))
    rng.shuffle(tracks)
    return _pattern("LLL", tracks, {"nested": 1})


def woven_letters(rng: random.Random) -> Pattern:
    """Two rows alternate; one goes back: B, Z, D, Y, F, X."""
    first = _run(rng.randint(1, 6), [rng.choice((2, 3, 4))] * 3)
    second = _run(rng.randint(20, 26), [-rng.choice((1, 2, 3))] * 3)
    rows = (first, second) if rng.randrange(2) else (second, first)
    woven = list(chain.from_iterable(zip(*rows, strict=True)))
    return _pattern("L", [woven[: rng.choice((7, 8))]], {"rows": 1, "operations": 1})


def pairs_by_turns(rng: random.Random) -> Pattern:
    """A letter with two alternating steps, and a number with growing steps: B2, G3, F5, K8."""
    forth, back = rng.choice((4, 5, 6)), rng.choice((1, 2))
    places = _run(rng.randint(1, 6), [forth, -back] * 3)
    step = rng.randint(1, 3)
    numbers = _run(rng.randint(2, 6), [step + place for place in range(6)])
    return _pattern("LN", [places, numbers], {"operations": 1, "nested": 1})


def letters_by_threes(rng: random.Random) -> Pattern:
    """Three steps alternate: B, E, D, H, K, J, N, Q."""
    steps = rng.sample((1, 2, 3, 4, 5, -1, -2, -3), 2)
    # The steps must not add up to 0, or the same three letters would repeat.
    steps.append(rng.choice([n for n in (1, 2, 3, 4) if n not in (*steps, -sum(steps))]))
    start = rng.randint(1, 8) if sum(steps) > 0 else rng.randint(18, 26)
    places = _run(start, (steps * 3)[: rng.choice((7, 8))])
    return _pattern("L", [places], {"operations": 2, "period": 1})


def woven_pairs(rng: random.Random) -> Pattern:
    """Two rows of letters alternate; the numbers have growing steps: B3, Z4, D6, Y9, F13."""
    first = _run(rng.randint(2, 6), [rng.choice((2, 3))] * 4)
    second = _run(rng.randint(20, 26), [-rng.choice((1, 2))] * 4)
    rows = (first, second) if rng.randrange(2) else (second, first)
    places = list(chain.from_iterable(zip(*rows, strict=True)))[: rng.choice((7, 8))]
    step = rng.randint(1, 3)
    numbers = _run(rng.randint(2, 9), [step + place for place in range(len(places) - 1)])
    return _pattern("LN", [places, numbers], {"rows": 1, "operations": 1, "nested": 1})


def memory_groups(rng: random.Random) -> Pattern:
    """Two letters, one with growing steps, and between them the sum of two: B1X, C3W, E4V, H7U."""
    first = _run(rng.randint(1, 4), range(1, 7))
    last = _run(rng.randint(20, 26), [-rng.choice((1, 2))] * 6)
    radicals = {"memory": 1, "nested": 1}
    return _pattern("LNL", [first, _summed(rng, 7), last], radicals)


def _run(start: int, moves: Sequence[int]) -> list[int]:
    return list(accumulate(moves, initial=start))


def _summed(rng: random.Random, count: int) -> list[int]:
    numbers = [rng.randint(1, 4), rng.randint(1, 6)]
    while len(numbers) < count:
        numbers.append(numbers[-1] + numbers[-2])
    return numbers


def _pattern(form: Form, tracks: Sequence[Sequence[int]], radicals: dict[str, int]) -> Pattern:
    signs = list(zip(*tracks, strict=True))
    return Pattern(tuple(signs[:-1]), signs[-1], form, radicals)
