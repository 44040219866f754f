"""Letter and number patterns: rows of signs, each place of a sign following a rule of its own."""

from __future__ import annotations

import random
import string
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import product

from assessments.itembank.grammar import predictions, steps
from assessments.itembank.items import CannotGenerate, Draft, rule_difficulty, seeded
from assessments.itembank.options import choose_options

FAMILY = "patterns"
LETTERS = string.ascii_uppercase
TEXTS = {
    "letter": {"en": "Which letter comes next?"},
    "group": {"en": "Which group of letters comes next?"},
    "pair": {"en": "Which letter and number come next?"},
}
BASE = -1.5
WEIGHTS = {
    "tracks": 0.5,  # places of a sign with a rule of their own, beyond the first
    "operations": 1.0,  # operations that take turns in a place, beyond the first
    "nested": 1.0,  # the rule is in the steps
    "rows": 1.6,  # rows that take turns, beyond the first
    "falling": 0.3,  # some step goes back in the alphabet, or down
    "far": 0.3,  # letter steps of more than three
}
FAR = 3
# Beside a number these two letters are read as 1 and 0.
LOOK_LIKE_DIGITS = "IO"
TRIES = 500

# A sign is a letter's place in the alphabet (from 1), several of them, or one with a number.
Sign = tuple[int, ...]


@dataclass(frozen=True)
class Pattern:
    """The shown signs, the next one, how they are written, and what makes the pattern hard."""

    shown: tuple[Sign, ...]
    key: Sign
    kind: str
    radicals: dict[str, int]

    @property
    def tracks(self) -> list[tuple[int, ...]]:
        """List what is shown in each place of the signs."""
        return list(zip(*self.shown, strict=True))


def generate(rule: str, seed: int, place: int, typical: bool = False) -> Draft:
    """Return a sound item of this rule with its key at this place (from 1).

    Sound: in each place of the sign, every rule of the grammar that reproduces what is shown
    predicts the key's. Raise CannotGenerate if the seed leads to none, KeyError for an unknown
    rule.
    """
    rng = seeded(FAMILY, rule, seed)
    for _ in range(TRIES):
        pattern = WRITERS[rule](rng)
        if not is_sound(pattern):
            continue
        options = choose_options(
            key=pattern.key,
            slips=_slips(pattern),
            views=(_signs, _kinds, lambda sign: (*_signs(sign), *_kinds(sign))),
            place=place,
            typical=typical,
            order=tuple,
            accepts=partial(_needs_every_place, pattern.key),
            rng=rng,
        )
        if options is None:
            continue
        radicals = _radicals(pattern)
        return Draft(
            family=FAMILY,
            text=TEXTS[pattern.kind],
            lines=(", ".join([*(written(sign, pattern.kind) for sign in pattern.shown), "?"]),),
            options=tuple(written(sign, pattern.kind) for sign in options),
            key=place,
            radicals=radicals,
            b=rule_difficulty(BASE, WEIGHTS, radicals),
        )
    raise CannotGenerate(f"{FAMILY} {rule}, seed {seed}, key at {place}")


def is_sound(pattern: Pattern) -> bool:
    """Tell whether the key alone follows, in signs that can be written and are not mistaken.

    A row of vowels only is refused, as vowels in their order are a rule of their own.
    """
    return (
        all(_is_writable(sign, pattern.kind) for sign in (*pattern.shown, pattern.key))
        and all(
            predictions(track) == {following}
            for track, following in zip(pattern.tracks, pattern.key, strict=True)
        )
        and not all(LETTERS[sign[0] - 1] in "AEIOU" for sign in pattern.shown)
    )


def written(sign: Sign, kind: str) -> str:
    """Return a sign as it stands on the page: "K", "BDF" or "K14"."""
    if kind == "pair":
        return f"{LETTERS[sign[0] - 1]}{sign[1]}"
    return "".join(LETTERS[place - 1] for place in sign)


def _letters(rng: random.Random) -> Pattern:
    start, step = rng.randint(1, 5), rng.choice((2, 3, 4))
    return _pattern("letter", [_run(start, [step] * 5)], {})


def _pairs(rng: random.Random) -> Pattern:
    letters = _run(rng.randint(1, 8), [rng.choice((1, 2))] * 5)
    numbers = _run(rng.randint(2, 9), [rng.choice((3, 4, 5))] * 5)
    return _pattern("pair", [letters, numbers], {})


def _growing_letters(rng: random.Random) -> Pattern:
    start, step = rng.randint(1, 4), rng.choice((1, 2))
    return _pattern("letter", [_run(start, [step + n for n in range(5)])], {"nested": 1})


def _groups(rng: random.Random) -> Pattern:
    moves = rng.sample((1, 2, 3, -1, -2), 3)
    starts = [rng.randint(1, 9) if move > 0 else rng.randint(16, 26) for move in moves]
    tracks = [_run(start, [move] * 4) for start, move in zip(starts, moves, strict=True)]
    return _pattern("group", tracks, {})


def _letters_by_turns(rng: random.Random) -> Pattern:
    first = _run(rng.randint(1, 6), [rng.choice((2, 3))] * 3)
    second = _run(rng.randint(20, 26), [-rng.choice((1, 2, 4))] * 3)
    woven = [place for pair in zip(first, second, strict=True) for place in pair]
    return _pattern("letter", [woven], {"rows": 1, "operations": 1})


def _pairs_by_turns(rng: random.Random) -> Pattern:
    up, down = rng.choice((4, 5, 6)), rng.choice((1, 2))
    letters = _run(rng.randint(1, 6), [up, -down] * 3)
    step = rng.randint(1, 3)
    numbers = _run(rng.randint(2, 6), [step + n for n in range(6)])
    return _pattern("pair", [letters, numbers], {"operations": 1, "nested": 1})


WRITERS: dict[str, Callable[[random.Random], Pattern]] = {
    "letters": _letters,
    "pairs": _pairs,
    "growing_letters": _growing_letters,
    "groups": _groups,
    "letters_by_turns": _letters_by_turns,
    "pairs_by_turns": _pairs_by_turns,
}


def _run(start: int, moves: Sequence[int]) -> list[int]:
    places = [start]
    for move in moves:
        places.append(places[-1] + move)
    return places


def _pattern(kind: str, tracks: Sequence[Sequence[int]], radicals: dict[str, int]) -> Pattern:
    signs = list(zip(*tracks, strict=True))
    return Pattern(tuple(signs[:-1]), signs[-1], kind, radicals)


def _is_writable(sign: Sign, kind: str) -> bool:
    letters = sign[:1] if kind == "pair" else sign
    if not all(1 <= place <= len(LETTERS) for place in letters):
        return False
    return kind != "pair" or (LETTERS[sign[0] - 1] not in LOOK_LIKE_DIGITS and sign[1] > 0)


def _radicals(pattern: Pattern) -> dict[str, int]:
    """Complete the radicals with those that can be seen from the signs themselves."""
    counted = {name: pattern.radicals.get(name, 0) for name in WEIGHTS}
    moves = [move for track in pattern.tracks for move in steps(track)]
    counted["tracks"] = len(pattern.tracks) - 1
    counted["falling"] = int(min(moves) < 0)
    counted["far"] = int(any(abs(move) > FAR for move in steps(pattern.tracks[0])))
    return counted


def _slips(pattern: Pattern) -> set[Sign]:
    """Return the signs that common slips lead to: a place one off, or with another step."""
    nearby: list[set[int]] = []
    for track, following in zip(pattern.tracks, pattern.key, strict=True):
        moves = steps(track)
        # The fewer places a sign has, the more different values each must offer.
        reach = 4 // len(pattern.key)
        near = {following + error for error in range(-reach, reach + 1)}
        near |= {track[-1] + moves[0], track[-1] + moves[-1]}
        if len(pattern.key) == 1:
            # After letters that only go on, one not after the last would be ruled out at a glance.
            near = {place for place in near if place > track[-1] or min(moves) < 0}
        nearby.append(near)
    return {
        sign
        for sign in product(*nearby)
        if _is_writable(sign, pattern.kind) and sign not in pattern.shown
    }


def _needs_every_place(key: Sign, options: Sequence[Sign]) -> bool:
    """Tell whether no single place of the sign gives the key away."""
    return len(key) == 1 or all(
        sum(option[place] == key[place] for option in options) > 1 for place in range(len(key))
    )


# What somebody may compare who looks for what the options have in common.


def _signs(sign: Sign) -> Sign:
    return sign


def _kinds(sign: Sign) -> tuple[bool, ...]:
    return (*(place % 2 == 0 for place in sign), LETTERS[sign[0] - 1] in "AEIOU")
