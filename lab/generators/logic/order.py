"""Verbal logic about an order: heavier, earlier, further left.

The things of a puzzle have a strict order. A statement follows if it holds in every arrangement
that agrees with the premises.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from itertools import permutations

from lab.generators.logic.puzzles import UNKNOWN, Puzzle, Statement, arranged, integration

# Scenes that only compare pairs, and scenes with places, where things can be next to each other.
COMPARED = ("kites", "boxes", "ropes", "bags", "buildings", "buses")
PLACED = ("race", "shops", "floors", "lessons")
THINGS = 7  # in each of these scenes

Arrangement = dict[int, int]
NEGATED = ("not_before", "not_after", "not_first", "not_last")
# The direction of a comparison's wording: "is not older" uses the word "older".
TOLD = {"before": 0, "not_before": 0, "just_before": 0, "after": 1, "not_after": 1, "just_after": 1}
HOLDS: dict[str, Callable[..., bool]] = {
    "before": lambda at, a, b: at[a] < at[b],
    "after": lambda at, a, b: at[a] > at[b],
    "not_before": lambda at, a, b: at[a] > at[b],
    "not_after": lambda at, a, b: at[a] < at[b],
    "just_before": lambda at, a, b: at[b] - at[a] == 1,
    "just_after": lambda at, a, b: at[a] - at[b] == 1,
    "between": lambda at, a, b, c: at[b] < at[a] < at[c] or at[c] < at[a] < at[b],
    "first": lambda at, a: at[a] == 0,
    "last": lambda at, a: at[a] == len(at) - 1,
    "not_first": lambda at, a: at[a] != 0,
    "not_last": lambda at, a: at[a] != len(at) - 1,
}
PLACE_ASKED: dict[str, Callable[[int], int]] = {
    "first": lambda count: 0,
    "second": lambda count: 1,
    "middle": lambda count: count // 2,
    "second_last": lambda count: count - 2,
    "last": lambda count: count - 1,
}


def three(rng: random.Random) -> Puzzle | None:
    """Return a puzzle of two comparisons that make one chain."""
    things = rng.sample(range(THINGS), 3)
    chain = _compared(rng, [(0, 1), (1, 2)], things, mixed=rng.random() < 0.4)
    premises = arranged(rng, chain, rng.randint(0, 1))
    return _statement_puzzle(rng, COMPARED, things, premises, "must")


def ends(rng: random.Random) -> Puzzle | None:
    """Return a puzzle of three comparisons that make one chain, and ask for an end of it."""
    things = rng.sample(range(THINGS), 4)
    chain = _compared(rng, [(0, 1), (1, 2), (2, 3)], things, mixed=rng.random() < 0.5)
    premises = arranged(rng, chain, rng.randint(0, 2))
    return _thing_puzzle(rng, COMPARED, things, premises, rng.choice(("first", "last")))


def negated(rng: random.Random) -> Puzzle | None:
    """Return a puzzle of three comparisons, some of them negated."""
    things = rng.sample(range(THINGS), 4)
    chain = _compared(rng, [(0, 1), (1, 2), (2, 3)], things, mixed=True)
    for place in rng.sample(range(3), rng.randint(1, 2)):
        chain[place] = _denied(chain[place])
    premises = arranged(rng, chain, 2)
    asked = rng.choice(("first", "second", "second_last", "last"))
    return _thing_puzzle(rng, COMPARED, things, premises, asked)


def between(rng: random.Random) -> Puzzle | None:
    """Return a puzzle of four things in a row, with one of them between two others."""
    things = rng.sample(range(THINGS), 4)
    says = ["between", rng.choice(("between", "before", "after")), rng.choice(("before", "after"))]
    return _placed_puzzle(rng, things, says, ("first", "second", "second_last", "last"))


def row(rng: random.Random) -> Puzzle | None:
    """Return a puzzle of five things in a row, with four premises of several kinds."""
    things = rng.sample(range(THINGS), 5)
    says = [
        "between",
        rng.choice(("just_before", "just_after")),
        rng.choice(("just_before", "just_after", "not_first", "not_last")),
        rng.choice(("before", "after", "not_before", "not_after")),
    ]
    return _placed_puzzle(rng, things, says, ("second", "middle", "second_last"))


def unknown(rng: random.Random) -> Puzzle | None:
    """Return a puzzle whose premises do not settle the answer."""
    things = rng.sample(range(THINGS), 4)
    premises = arranged(rng, _tree(rng, things, negations=rng.randint(0, 1)), 2)
    asked = rng.choice(("first", "last"))
    models = arrangements(things, premises)
    if len(_found(models, asked)) != 2:
        return None
    key = Statement(UNKNOWN)
    wrong = tuple(Statement("thing", (thing,)) for thing in things)
    radicals = _radicals(premises) | {"open": 1}
    return Puzzle(rng.choice(COMPARED + PLACED), 4, tuple(premises), asked, key, wrong, radicals)


def partial(rng: random.Random) -> Puzzle | None:
    """Return a puzzle with a partly open order, in which one statement still must hold."""
    return _open_order(rng, "must")


def impossible(rng: random.Random) -> Puzzle | None:
    """Return a puzzle with a partly open order, in which one statement cannot hold."""
    return _open_order(rng, "cannot")


def _open_order(rng: random.Random, question: str) -> Puzzle | None:
    things = rng.sample(range(THINGS), rng.choice((4, 5)))
    premises = arranged(rng, _tree(rng, things, negations=rng.randint(0, 1)), 2)
    if len(arrangements(things, premises)) < 3:
        return None
    return _statement_puzzle(rng, COMPARED + PLACED, things, premises, question)


def arrangements(things: Sequence[int], premises: Sequence[Statement]) -> list[Arrangement]:
    """Return the arrangements of the things in which all premises hold."""
    found = []
    for order in permutations(things):
        at = {thing: place for place, thing in enumerate(order)}
        if all(HOLDS[says](at, *about) for says, about in premises):
            found.append(at)
    return found


def _statement_puzzle(
    rng: random.Random,
    scenes: Sequence[str],
    things: Sequence[int],
    premises: Sequence[Statement],
    question: str,
) -> Puzzle | None:
    """Ask which statement must hold, or cannot hold; one premise alone never settles it."""
    models = arrangements(things, premises)
    wanted = 0 if question == "cannot" else len(models)
    counted = {
        option: sum(HOLDS[option.says](at, *option.about) for at in models)
        for option in _offered(rng, things)
    }
    keys = [
        option
        for option, count in counted.items()
        if count == wanted and not _told_by_one(option, things, premises, question)
    ]
    if not keys:
        return None
    key = rng.choice(keys)
    wrong = [option for option, count in counted.items() if count != wanted]
    if len(models) > 1:
        # Statements that the premises contradict (or imply) are too easy to rule out.
        wrong = [option for option in wrong if 0 < counted[option] < len(models)]
    radicals = _radicals(premises)
    radicals["indirect"] = int(len(models) > 1)
    radicals["impossible"] = int(question == "cannot")
    return Puzzle(
        rng.choice(scenes), len(things), tuple(premises), question, key, tuple(wrong), radicals
    )


def _thing_puzzle(
    rng: random.Random,
    scenes: Sequence[str],
    things: Sequence[int],
    premises: Sequence[Statement],
    asked: str,
) -> Puzzle | None:
    """Ask which thing is in a place. Return None if the premises do not settle it."""
    found = _found(arrangements(things, premises), asked)
    if len(found) != 1:
        return None
    (key,) = found
    wrong = [Statement("thing", (thing,)) for thing in things if thing != key]
    if len(things) > 4:
        wrong.remove(rng.choice(wrong))
    radicals = _radicals(premises)
    radicals["inner"] = int(asked not in ("first", "last"))
    return Puzzle(
        rng.choice(scenes),
        len(things),
        tuple(premises),
        asked,
        Statement("thing", (key,)),
        (*wrong, Statement(UNKNOWN)),
        radicals,
    )


def _placed_puzzle(
    rng: random.Random, things: Sequence[int], says: Sequence[str], asked: Sequence[str]
) -> Puzzle | None:
    """Draw premises that hold for the things in their order, and ask for a place.

    Returns None unless the premises mention all things and every premise is needed.
    """
    true = {thing: place for place, thing in enumerate(things)}
    premises = []
    for name in says:
        size = {"between": 3, "not_first": 1, "not_last": 1}.get(name, 2)
        holding = [about for about in permutations(things, size) if HOLDS[name](true, *about)]
        premises.append(Statement(name, rng.choice(holding)))
    rng.shuffle(premises)
    if {thing for premise in premises for thing in premise.about} != set(things):
        return None
    place = rng.choice(asked)
    for left_out in range(len(premises)):
        fewer = [*premises[:left_out], *premises[left_out + 1 :]]
        if len(_found(arrangements(things, fewer), place)) == 1:
            return None
    return _thing_puzzle(rng, PLACED, things, premises, place)


def _found(models: Sequence[Arrangement], asked: str) -> set[int]:
    """Return the things that may be in the place that the question is about."""
    place = PLACE_ASKED[asked](len(models[0]))
    return {thing for at in models for thing, where in at.items() if where == place}


def _offered(rng: random.Random, things: Sequence[int]) -> list[Statement]:
    """Return statements without repetition: each comparison has one of its two wordings."""
    told = [
        Statement("before", (a, b)) if rng.random() < 0.5 else Statement("after", (b, a))
        for a, b in permutations(things, 2)
    ]
    return [*told, *(Statement(end, (thing,)) for end in ("first", "last") for thing in things)]


def _told_by_one(
    option: Statement, things: Sequence[int], premises: Sequence[Statement], question: str
) -> bool:
    """Tell whether one premise alone settles the option."""
    settled = question != "cannot"
    return any(
        all(
            HOLDS[option.says](at, *option.about) is settled
            for at in arrangements(things, [premise])
        )
        for premise in premises
    )


def _compared(
    rng: random.Random, pairs: Sequence[tuple[int, int]], things: Sequence[int], mixed: bool
) -> list[Statement]:
    """Return comparisons of these places in one wording, or in both wordings if `mixed`."""
    ways = [rng.random() < 0.5] * len(pairs)
    if mixed:
        ways[rng.randrange(len(ways))] ^= True
    return [
        Statement("before", (things[a], things[b]))
        if way
        else Statement("after", (things[b], things[a]))
        for way, (a, b) in zip(ways, pairs, strict=True)
    ]


def _denied(premise: Statement) -> Statement:
    """Return the premise as a negation, such as "not lower than" for "higher than"."""
    return Statement({"before": "not_after", "after": "not_before"}[premise.says], premise.about)


def _tree(rng: random.Random, things: Sequence[int], negations: int) -> list[Statement]:
    """Return comparisons that connect all things, not necessarily in one chain."""
    pairs = []
    for place in range(1, len(things)):
        other = rng.randrange(place)
        pairs.append((min(other, place), max(other, place)))
    premises = _compared(rng, pairs, rng.sample(list(things), len(things)), rng.random() < 0.7)
    for place in rng.sample(range(len(premises)), negations):
        premises[place] = _denied(premises[place])
    return premises


def _radicals(premises: Sequence[Statement]) -> dict[str, int]:
    ways = {TOLD[premise.says] for premise in premises if premise.says in TOLD}
    return {
        "premises": len(premises) - 2,
        "things": int(len({thing for premise in premises for thing in premise.about}) > 4),
        "negations": sum(premise.says in NEGATED for premise in premises),
        "integration": integration(premises),
        "converse": int(len(ways) > 1),
        "between": sum(premise.says == "between" for premise in premises),
    }
