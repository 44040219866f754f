"""Choosing the options of a verbal logic item, so that they alone give nothing away.

Somebody who has not read the passage may take the option that shares most words with the others,
the longest, the shortest, or one of two that contradict each other. Each of these must be right
about as often as guessing is, and so must be leaving them out.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence

from itemgen.logic.puzzles import UNKNOWN, Puzzle, Statement

OPTIONS = 5
DRAWS = 60
OPPOSITES = {
    "is": "is_not",
    "is_not": "is",
    "all": "at_least_not",
    "at_least_not": "all",
    "no": "at_least",
    "at_least": "no",
}
# Wrong options about the same as the key: a statement that joins two others leaves out what is
# told twice, and must not be the only one to do so.
JOINING = ("all", "no", "at_least", "at_least_not", "if")
SYMMETRIC = ("no", "at_least")


def choose_statements(
    puzzle: Puzzle,
    place: int,
    *,
    typical: bool,
    turn: int,
    say: Callable[[Statement], str],
    rng: random.Random,
) -> list[Statement] | None:
    """Return the options in order, the key at the given place (from 1).

    `typical`: the key shares most words with the others. `turn`, 0 to 4, evenly spread over a
    family: the key is the longest in turn 0, the shortest in turn 1 (among things,
    beside an answer that is always longer, in turns 1 and 2); it is one of a single
    contradicting pair in turns 2 and 4. Return None if what may be offered does not allow it.
    """
    if len(puzzle.lures) < puzzle.lured or len(puzzle.wrong) < OPTIONS - 1 - puzzle.lured:
        return None
    key = puzzle.key
    words = {option: say(option) for option in (key, *puzzle.wrong, *puzzle.lures)}
    for _ in range(DRAWS):
        wrong = [
            *rng.sample(puzzle.lures, puzzle.lured),
            *rng.sample(puzzle.wrong, OPTIONS - 1 - puzzle.lured),
        ]
        options = [key, *wrong]
        said = [words[option] for option in options]
        if not (_sized(options, said, turn) and _paired(options, turn)):
            continue
        rivals = sum(_rivals(key, option) for option in wrong)
        if key.says in JOINING and rivals < min(turn, 2):
            continue
        # What facts and things share is settled by the pairs among them.
        if len(key.about) > 1 and _shares_words(said) is not typical:
            continue
        rng.shuffle(wrong)
        return [*wrong[: place - 1], key, *wrong[place - 1 :]]
    return None


def contradicts(one: Statement, other: Statement) -> bool:
    """Tell whether two statements are each other's opposite, or as good as that."""
    if one.says == "fact":
        return other.about == (one.about[0] ^ 1,)
    if one.says == "if":
        return one.about[0] == other.about[0] and one.about[1] == other.about[1] ^ 1
    if one.says in ("before", "after") and other.says in ("before", "after"):
        same = one.says == other.says
        return set(one.about) == set(other.about) and (one.about != other.about) is same
    if OPPOSITES.get(one.says) != other.says:
        return False
    return one.about == other.about or (
        one.says in SYMMETRIC and set(one.about) == set(other.about)
    )


def _rivals(key: Statement, option: Statement) -> bool:
    """Tell whether an option is about the same as the key; facts, with their opposites."""
    if key.says == "if":
        return {one & ~1 for one in key.about} == {one & ~1 for one in option.about}
    return set(key.about) == set(option.about)


def _shares_words(said: Sequence[str]) -> bool | None:
    """Tell whether the first option shares most words with the others, at most one like it.

    None if several are like it, but not nearly all.
    """
    words = [set(each.split()) for each in said]
    shared = [sum(len(mine & theirs) for theirs in words) - len(mine) for mine in words]
    best = [place for place, score in enumerate(shared) if score == max(shared)]
    if 0 not in best or len(best) >= OPTIONS - 1:
        return False
    return True if len(best) <= 2 else None


def _paired(options: Sequence[Statement], turn: int) -> bool:
    """Tell whether contradicting options tell no more about the first one than they may."""
    pairs = [
        (one, other)
        for place, one in enumerate(options)
        for other in options[place + 1 :]
        if contradicts(one, other)
    ]
    if not pairs:
        return True
    has_key = any(one is options[0] for one, _ in pairs)
    return has_key if len(pairs) > 1 else has_key is (turn in (2, 4))


def _sized(options: Sequence[Statement], said: Sequence[str], turn: int) -> bool:
    """Tell whether the first option has the length that it should have among them."""
    if options[0].says == UNKNOWN:
        return True
    lengths = [len(each) for each in said]
    if len(set(lengths)) == 1:
        return True
    shortest = lengths[0] == min(lengths)
    if any(option.says == UNKNOWN for option in options):  # always the longest
        return shortest is (turn in (1, 2))
    longest = lengths[0] == max(lengths)
    if turn > 1:
        return lengths.count(lengths[0]) > 1 or not (longest or shortest)
    return longest if turn == 0 else shortest
