"""Verbal logic about kinds of things: all, no, some, only.

A region is a set of properties that a thing may have. "All" and "no" empty regions; "some" says
that a thing exists in one of several regions. A general statement therefore follows if no
remaining region contradicts it. An existential statement follows if some premise says that a thing
exists in one of several regions, and the statement holds in all that remain of these.
"""

from __future__ import annotations

import random
from collections.abc import Sequence
from functools import cache
from itertools import permutations

from lab.generators.logic.puzzles import Puzzle, Statement, arranged, integration

SCENES = ("store", "transport", "cards", "villages", "houses", "sellers")
PROPERTIES = 6  # in each of these scenes

Region = frozenset[int]
NEGATED = ("no", "is_not")


def named(rng: random.Random) -> Puzzle | None:
    """Return a puzzle about one thing: which properties it has."""
    a, b, c, d, e = rng.sample(range(PROPERTIES), 5)
    way, lured = rng.randrange(3), rng.randint(0, 1)
    if way == 0:
        rules, given, key, back = [("all", a, b), ("all", c, d)], ("is", a), ("is", b), 0
        lured = 0
    elif way == 1:
        rules, given, key, back = [("all", a, b), ("all", b, c)], ("is", a), ("is", c), 0
        rules.append(("all", d, c) if lured else ("all", d, e))
    else:
        rules, given, key, back = [("all", a, b), ("all", b, c)], ("is_not", c), ("is_not", a), 1
        rules.append(("all", c, d) if lured else ("all", d, e))
    told = arranged(rng, [Statement(says, (one, other)) for says, one, other in rules], 2)
    premises = [*told, Statement(given[0], (given[1],))]
    properties = sorted({one for premise in told for one in premise.about} - {given[1]})
    offered = [Statement(says, (one,)) for one in properties for says in ("is", "is_not")]
    radicals = {"chain": int(way > 0), "backward": back}
    return _puzzle(rng, premises, Statement(key[0], (key[1],)), offered, radicals, lured)


def all_all(rng: random.Random) -> Puzzle | None:
    """Return a puzzle in which all of one kind are of another, by way of one or two others."""
    a, b, c, d = rng.sample(range(PROPERTIES), 4)
    long = rng.randint(0, 1)
    told = [("all", a, b), ("all", b, c), *([("all", c, d)] if long else [])]
    key = Statement("all", (a, d if long else c))
    return _kinds(rng, told, key, {"chain": long}, lured=rng.randint(0, 1))


def all_no(rng: random.Random) -> Puzzle | None:
    """Return a puzzle in which all of one kind are of a kind that excludes another."""
    a, b, c, d = rng.sample(range(PROPERTIES), 4)
    long = rng.randint(0, 1)
    told = [("all", a, b), *([("all", b, d)] if long else []), ("no", d if long else b, c)]
    if rng.random() < 0.5:
        told[-1] = ("no", c, told[-1][1])
    key = Statement("no", (a, c) if rng.random() < 0.5 else (c, a))
    return _kinds(rng, told, key, {"chain": long}, lured=rng.randint(0, 1))


def only(rng: random.Random) -> Puzzle | None:
    """Return a puzzle in which "only" tells which kind is part of which."""
    a, b, c = rng.sample(range(PROPERTIES), 3)
    way = rng.randrange(3)
    if way == 0:
        told, key = [("only", a, b), ("all", a, c)], Statement("all", (b, c))
    elif way == 1:
        told, key = [("only", a, b), ("only", b, c)], Statement("all", (c, a))
    else:
        told, key = [("only", a, b), ("no", a, c)], Statement("no", (b, c))
    return _kinds(rng, told, key, {"only": 1 + (way == 1)}, lured=rng.randint(0, 1))


def some_all(rng: random.Random) -> Puzzle | None:
    """Return a puzzle in which some of one kind are of another, by way of one or two others."""
    a, b, c, d = rng.sample(range(PROPERTIES), 4)
    long = rng.randint(0, 1)
    told = [("some", a, b), ("all", b, c), *([("all", c, d)] if long else [])]
    if rng.random() < 0.5:
        told[0] = ("some", b, a)
    end = d if long else c
    key = Statement("at_least", (a, end) if rng.random() < 0.5 else (end, a))
    return _kinds(rng, told, key, {"some": 1, "chain": long}, lured=rng.randint(0, 1))


def some_no(rng: random.Random) -> Puzzle | None:
    """Return a puzzle in which some of one kind are not of another."""
    a, b, c, d = rng.sample(range(PROPERTIES), 4)
    long = int(rng.random() < 0.7)
    told = [("some", a, b), *([("all", b, d)] if long else []), ("no", d if long else b, c)]
    if rng.random() < 0.5:
        told[-1] = ("no", c, told[-1][1])
    key = Statement("at_least_not", (a, c))
    radicals = {"some": 1, "some_not": 1, "chain": long}
    return _kinds(rng, told, key, radicals, lured=rng.randint(0, 1))


def follows(
    option: Statement,
    premises: Sequence[Statement],
    *,
    none_empty: bool = False,
    converted: bool = False,
    not_all: bool = False,
) -> bool:
    """Tell whether an option follows from the premises, optionally in a looser reading.

    With `none_empty`, every kind mentioned has members; with `converted`, "all" and "only" also
    hold in the other direction; with `not_all`, "some" also means "not all".
    """
    spoken = tuple(sorted({one for said in (*premises, option) for one in said.about}))
    left = set(_regions(spoken))
    exist: list[frozenset[Region]] = []
    for says, about in premises:
        match says:
            case "all" | "only":
                one, other = about if says == "all" else about[::-1]
                left -= _with_without(spoken, one, other)
                if converted:
                    left -= _with_without(spoken, other, one)
            case "no":
                left -= _with(spoken, *about)
            case "some":
                exist.append(_with(spoken, *about))
                if not_all:
                    exist.append(_with_without(spoken, *about))
            case _:  # "is" and "is not": the one thing may be in the remaining regions
                left = {region for region in left if (about[0] in region) is (says == "is")}
    if none_empty:
        exist += [_with(spoken, one, one) for one in spoken]
    return _holds(option, spoken, left, exist)


def _holds(
    option: Statement,
    spoken: tuple[int, ...],
    left: set[Region],
    exist: Sequence[frozenset[Region]],
) -> bool:
    about = option.about
    match option.says:
        case "is":
            return all(about[0] in region for region in left)
        case "is_not":
            return all(about[0] not in region for region in left)
        case "all":
            return not left & _with_without(spoken, *about)
        case "no":
            return not left & _with(spoken, *about)
        case "at_least":
            target = _with(spoken, *about)
        case _:
            target = _with_without(spoken, *about)
    return any(left & regions <= target for regions in exist)


@cache
def _regions(spoken: tuple[int, ...]) -> frozenset[Region]:
    return frozenset(
        frozenset(one for place, one in enumerate(spoken) if bits >> place & 1)
        for bits in range(2 ** len(spoken))
    )


@cache
def _with(spoken: tuple[int, ...], one: int, other: int) -> frozenset[Region]:
    return frozenset(region for region in _regions(spoken) if one in region and other in region)


@cache
def _with_without(spoken: tuple[int, ...], one: int, other: int) -> frozenset[Region]:
    return frozenset(region for region in _regions(spoken) if one in region and other not in region)


def _kinds(
    rng: random.Random,
    told: Sequence[tuple[str, int, int]],
    key: Statement,
    radicals: dict[str, int],
    lured: int,
) -> Puzzle | None:
    chain = [Statement(says, (one, other)) for says, one, other in told]
    premises = arranged(rng, chain, rng.choice((0, 1, 2)))
    kinds = sorted({one for premise in premises for one in premise.about})
    offered = []
    for one, other in permutations(kinds, 2):
        offered += [Statement("all", (one, other)), Statement("at_least_not", (one, other))]
        if (rng.random() < 0.5) is (one < other) and {one, other} != set(key.about):
            offered += [Statement("no", (one, other)), Statement("at_least", (one, other))]
    offered += [Statement(says, key.about) for says in ("no", "at_least")]
    return _puzzle(rng, premises, key, offered, {"kinds": 1, **radicals}, lured)


def _puzzle(
    rng: random.Random,
    premises: Sequence[Statement],
    key: Statement,
    offered: Sequence[Statement],
    radicals: dict[str, int],
    lured: int,
) -> Puzzle | None:
    """Make a puzzle, without options that follow if no kind is empty and "some" means "not all"."""
    doubtful = {
        option for option in offered if follows(option, premises, none_empty=True, not_all=True)
    }
    wrong = [option for option in offered if option not in doubtful]
    lures = [
        option for option in wrong if follows(option, premises, none_empty=True, converted=True)
    ]
    rules = [premise for premise in premises if len(premise.about) == 2]
    return Puzzle(
        rng.choice(SCENES),
        len({one for premise in premises for one in premise.about}),
        tuple(premises),
        "must",
        key,
        tuple(option for option in wrong if option not in lures),
        {
            "premises": len(premises) - 2,
            "negations": sum(premise.says in NEGATED for premise in premises),
            "integration": integration(rules),
            "lures": lured,
            **radicals,
        },
        tuple(lures),
        lured,
    )
