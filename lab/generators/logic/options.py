"""Choose the options of a verbal logic item so that they alone do not reveal the key.

A student who has not read the passage may pick the option that shares the most words with the
others, the longest, the shortest, or one of two that contradict each other. Each strategy, and its
opposite, must find the key about as often as guessing does.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence

from lab.generators.logic.puzzles import UNKNOWN, Puzzle, Statement

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
# Keys that join two premises: they leave out the thing that the premises share. Some wrong options
# must be about the same things as such a key, so that it does not stand out.
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
    """Return the options in order, with the key at the given place (from 1).

    If `typical`, the key shares the most words with the others. `turn` goes from 0 to 4, evenly
    spread over a family. The key is the longest option in turn 0 and the shortest in turn 1; if
    the options include UNKNOWN, which is always the longest, it is the shortest in turns 1 and 2.
    A single contradicting pair includes the key in turns 2 and 4 only. Returns None if the puzzle
    has no such options.
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
        # No check for a key about one fact or thing: pairs of opposites settle its shared words.
        if len(key.about) > 1 and _shares_words(said) is not typical:
            continue
        rng.shuffle(wrong)
        return [*wrong[: place - 1], key, *wrong[place - 1 :]]
    return None


def contradicts(one: Statement, other: Statement) -> bool:
    """Tell whether two statements are opposites, or nearly so."""
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
    """Tell whether an option is about the same things as the key; a fact includes its opposite."""
    if key.says == "if":
        return {one & ~1 for one in key.about} == {one & ~1 for one in option.about}
    return set(key.about) == set(option.about)


def _shares_words(said: Sequence[str]) -> bool | None:
    """Tell whether the first option shares the most words with the others; one other may tie.

    Returns None if more options tie, but not nearly all.
    """
    words = [set(each.split()) for each in said]
    shared = [sum(len(mine & theirs) for theirs in words) - len(mine) for mine in words]
    best = [place for place, score in enumerate(shared) if score == max(shared)]
    if 0 not in best or len(best) >= OPTIONS - 1:
        return False
    return True if len(best) <= 2 else None


def _paired(options: Sequence[Statement], turn: int) -> bool:
    """Tell whether the contradicting options fit the turn, so that they do not reveal the key."""
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
    """Tell whether the length of the first option fits the turn."""
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
