"""Letter and number patterns: find the next sign, or one made in the same way as the others."""

from __future__ import annotations

import random
from collections.abc import Callable, Hashable, Sequence
from functools import partial
from itertools import islice, product
from typing import Any

from lab.generators.grammar import predictions, steps
from lab.generators.items import CannotGenerate, Draft, in_all, rule_difficulty, seeded
from lab.generators.options import choose_options, least_typical, some
from lab.generators.patterns import groups, rows
from lab.generators.patterns.group_grammar import CLOSED, STRAIGHT, in_common, properties
from lab.generators.patterns.groups import FAR, Making
from lab.generators.patterns.rows import Pattern
from lab.generators.patterns.signs import (
    LETTERS,
    VOWELS,
    Form,
    Sign,
    is_writable,
    letters_of,
    written,
)
from lab.generators.patterns.words import ALIKE, ALPHABET, EXAMPLE_EXPLANATION, EXAMPLE_TITLE, NEXT

FAMILY = "patterns"
# The easier ones first. Half of the rules make a row, the others make groups of one kind.
WRITERS: dict[str, Callable[[random.Random], Pattern | Making]] = {
    "letters": rows.letters,
    "pairs": rows.pairs,
    "even_steps": groups.even_steps,
    "vowel_place": groups.vowel_place,
    "growing_letters": rows.growing_letters,
    "groups": rows.groups,
    "letter_places": groups.letter_places,
    "letters_by_turns": rows.letters_by_turns,
    "digits_add": groups.digits_add,
    "uneven_steps": groups.uneven_steps,
    "memory_pairs": rows.memory_pairs,
    "forth_and_back": groups.forth_and_back,
    "growing_groups": rows.growing_groups,
    "counted_places": groups.counted_places,
    "digit_sum": groups.digit_sum,
    "woven_letters": rows.woven_letters,
    "pairs_by_turns": rows.pairs_by_turns,
    "mirrored": groups.mirrored,
    "from_the_end": groups.from_the_end,
    "letters_by_threes": rows.letters_by_threes,
    "letter_sums": groups.letter_sums,
    "letter_products": groups.letter_products,
    "woven_pairs": rows.woven_pairs,
    "letter_gaps": groups.letter_gaps,
    "two_rules": groups.two_rules,
    "memory_groups": rows.memory_groups,
}
RULES: tuple[str, ...] = tuple(WRITERS)
BASE = -2.1
WEIGHTS = {
    "tracks": 0.4,  # places of a sign with their own rule, beyond the first
    "operations": 1.0,  # operations to find, beyond the first
    "nested": 1.0,  # the rule is in the steps
    "rows": 1.0,  # alternating rows, beyond the first
    "period": 0.5,  # alternating steps, beyond two
    "memory": 1.4,  # needed signs before the last one
    "shared": 0.6,  # not a row, but groups that have something in common
    "reckoned": 0.8,  # letters to count, or digits to calculate with
    "multiplying": 0.5,
    "falling": 0.3,  # at least one step goes back in the alphabet, or down
    "far": 0.3,  # letter steps of more than three
}

EXAMPLES = 4
SECONDS, SECONDS_PER_RADICAL, SECONDS_FOR_GROUPS = 20, 9, 5
MOST_SECONDS = 70
# More slips would give too many sets of options to check.
MOST_SLIPS = 11
TRIES = 500

EXAMPLE: dict[str, Any] = {
    "title": EXAMPLE_TITLE,
    "passage": {language: list(told) for language, told in ALPHABET.items()},
    "lines": ["B1, D2, F3, H4, ?"],
    "text": NEXT["LN"],
    "options": [{"label": in_all(label)} for label in ("H5", "I5", "J4", "J5", "K6")],
    "answer": in_all("J5"),
    "explanation": EXAMPLE_EXPLANATION,
}


def generate(rule: str, seed: int, place: int, typical: bool = False) -> Draft:
    """Return a sound item of this rule with its key at this place (from 1).

    A row is sound if, in each place of the sign, every rule of the grammar that reproduces the
    shown values predicts the value of the key. Groups are sound if only the key has everything that
    the examples have in common. Raises CannotGenerate if the seed gives none, KeyError for an
    unknown rule.
    """
    # The place is part of the seed, because neighbours in a bank often have the same seed.
    rng = seeded(FAMILY, f"{rule} {place} {typical}", seed)
    for _ in range(TRIES):
        made = WRITERS[rule](rng)
        if isinstance(made, Pattern):
            draft = _next_one(made, rule, rng, place, typical)
        else:
            draft = _another_one(made, rule, rng, place, typical)
        if draft is not None:
            return draft
    raise CannotGenerate(f"{FAMILY} {rule}, seed {seed}, key at {place}")


def is_sound(pattern: Pattern) -> bool:
    """Tell whether only the key follows, and all signs can be written without ambiguity."""
    return all(is_writable(sign, pattern.form) for sign in (*pattern.shown, pattern.key)) and all(
        _follows(track, following, what)
        for track, following, what in zip(pattern.tracks, pattern.key, pattern.form, strict=True)
    )


def is_alone(key: Sign, examples: Sequence[Sign], others: Sequence[Sign], form: Form) -> bool:
    """Tell whether only the key has everything that the examples have in common."""
    common = in_common(examples, form)
    return common <= properties(key, form) and not any(
        common <= properties(other, form) for other in others
    )


def _follows(track: Sequence[int], following: int, what: str) -> bool:
    """Tell whether only this value follows, even for a student who ignores the first one.

    Letters are also counted among vowels or consonants: some students continue A, E, I with O.
    """
    if predictions(track) != {following} or not predictions(track[1:]) <= {following}:
        return False
    own = track[len(track) % 2 :: 2]
    return what != "L" or all(_among(row) <= {following} for row in (track, own))


def _among(places: Sequence[int]) -> set[int]:
    """Return what follows in a row of only vowels or only consonants, if only these count."""
    for alike in (VOWELS, [letter for letter in LETTERS if letter not in VOWELS]):
        counted = [LETTERS.index(letter) + 1 for letter in alike]
        if set(places) <= set(counted):
            found = predictions([counted.index(place) for place in places])
            return {counted[rank] for rank in found if 0 <= rank < len(counted)}
    return set()


def _next_one(
    pattern: Pattern, rule: str, rng: random.Random, place: int, typical: bool
) -> Draft | None:
    if not is_sound(pattern):
        return None
    slips = _slips(pattern, rng)
    is_one = len(pattern.key) == 1
    options = _chosen(pattern.key, slips, pattern.form, place, typical, rng, not is_one)
    if options is None:
        return None
    text = NEXT.get(pattern.form, NEXT["LL"])
    signs = (*pattern.shown, None)
    return _draft(rule, text, signs, options, pattern.form, place, _row_radicals(pattern))


def _another_one(
    making: Making, rule: str, rng: random.Random, place: int, typical: bool
) -> Draft | None:
    made = making.made(rng)
    examples = made[:EXAMPLES]
    if len(examples) < EXAMPLES:
        return None
    common = in_common(examples, making.form)
    keys = [sign for sign in made[EXAMPLES:] if common <= properties(sign, making.form)]
    if not keys:
        return None
    key = rng.choice(keys)
    wrong = (sign for sign in making.not_made(rng, (key, *made)) if sign not in examples)
    slips = list(islice(wrong, MOST_SLIPS))
    options = _chosen(key, slips, making.form, place, typical, rng)
    if options is None:
        return None
    if not is_alone(key, examples, [sign for sign in options if sign != key], making.form):
        return None
    radicals = {name: making.radicals.get(name, 0) for name in WEIGHTS} | {"shared": 1}
    text = next(ALIKE[what] for what in "DNL" if what in making.form)
    return _draft(rule, text, examples, options, making.form, place, radicals)


def _draft(
    rule: str,
    text: dict[str, str],
    signs: Sequence[Sign | None],
    options: Sequence[Sign],
    form: Form,
    place: int,
    radicals: dict[str, int],
) -> Draft:
    seconds = SECONDS + SECONDS_PER_RADICAL * sum(radicals.values())
    seconds += SECONDS_FOR_GROUPS * radicals["shared"]
    return Draft(
        family=FAMILY,
        rule=rule,
        text=text,
        passage={} if "L" not in form else ALPHABET,
        lines=(", ".join("?" if sign is None else written(sign, form) for sign in signs),),
        options=tuple(in_all(written(sign, form)) for sign in options),
        key=place,
        radicals=radicals,
        b=rule_difficulty(BASE, WEIGHTS, radicals),
        seconds=min(MOST_SECONDS, seconds),
    )


def _row_radicals(pattern: Pattern) -> dict[str, int]:
    """Add the radicals that depend on the signs themselves."""
    counted = {name: pattern.radicals.get(name, 0) for name in WEIGHTS}
    tracks = [(*track, last) for track, last in zip(pattern.tracks, pattern.key, strict=True)]
    counted["tracks"] = len(tracks) - 1
    counted["falling"] = int(min(min(steps(track)) for track in tracks) < 0)
    counted["far"] = int(any(abs(move) > FAR for move in steps(tracks[0])))
    return counted


def _slips(pattern: Pattern, rng: random.Random) -> list[Sign]:
    """Return the signs of common slips: some places off, or with another step."""
    count = len(pattern.key)
    # The more places a sign has, the fewer values each may offer.
    reach, most = {1: (6, 11), 2: (2, 3), 3: (1, 2)}[count]
    nearby: list[list[int]] = []
    for track, following in zip(pattern.tracks, pattern.key, strict=True):
        moves = steps(track)
        near = {following + error for error in range(-reach, reach + 1)}
        near |= {track[-1] + move for move in moves} | {following + move for move in moves[-2:]}
        near -= {following}
        if count == 1:
            # If all letters go in one direction, one in the other direction is too obvious.
            near = {
                place
                for place in near
                if (place > track[-1] or min(moves) < 0) and (place < track[-1] or max(moves) > 0)
            }
        nearby.append([following, *some(sorted(near), most, rng)])
    known = (*pattern.shown, pattern.key)
    found = [
        sign for sign in product(*nearby) if is_writable(sign, pattern.form) and sign not in known
    ]
    return some(found, MOST_SLIPS, rng)


def _chosen(
    key: Sign,
    slips: Sequence[Sign],
    form: Form,
    place: int,
    typical: bool,
    rng: random.Random,
    needs_every_place: bool = False,
) -> list[Sign] | None:
    # Steps that never differ would be a clue too, so those of half of the keys may.
    may_differ = len(key) == 1 or rng.randrange(2) == 0

    def accepts(options: Sequence[Sign]) -> bool:
        """Tell whether neither a single place of the sign nor its steps reveal the key."""
        return (may_differ or key not in least_typical(options, _steps)) and (
            not needs_every_place
            or all(sum(o[place] == key[place] for o in options) > 1 for place in range(len(key)))
        )

    kinds = partial(_kinds, form=form)
    return choose_options(
        key=key,
        slips=slips,
        views=(tuple, kinds, _steps, lambda sign: (*sign, *kinds(sign))),
        place=place,
        typical=typical,
        order=tuple,
        accepts=accepts,
        rng=rng,
    )


# Features to compare for a student who looks for something that the options have in common.


def _kinds(sign: Sign, form: Form) -> tuple[bool, ...]:
    letters = "".join(LETTERS[place - 1] for place in letters_of(sign, form))
    shapes = (letter in shape for letter in letters for shape in (VOWELS, STRAIGHT, CLOSED))
    return (*(value % 2 == 0 for value in sign), *shapes)


def _steps(sign: Sign) -> tuple[Hashable, ...]:
    return tuple(steps(sign))
