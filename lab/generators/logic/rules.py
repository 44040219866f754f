"""Verbal logic about facts: if, only if, unless, either ... or.

A literal is the number of a fact in its scene, even for the fact and odd for its opposite. A
statement follows if it holds in every assignment of truth that agrees with the premises.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterable, Sequence
from itertools import permutations, product

from lab.generators.logic.puzzles import Puzzle, Statement, arranged, integration

SCENES = ("lamps", "market", "school", "farm", "machine", "post")
FACTS = 6  # in each of these scenes

Case = dict[int, bool]
HOLDS: dict[str, Callable[..., bool]] = {
    "fact": lambda a: a,
    "if": lambda a, b: b or not a,
    "only_if": lambda a, b: b or not a,
    "unless": lambda a, b: a or b,
    "either": lambda a, b: a != b,
}
# A common misreading: both "if" and "only if" as "if and only if".
EVERYDAY: dict[str, Callable[..., bool]] = {
    **HOLDS,
    "if": lambda a, b: a == b,
    "only_if": lambda a, b: a == b,
    "unless": lambda a, b: a != b,
}


def denied(literal: int) -> int:
    """Return the opposite of a literal."""
    return literal ^ 1


def fact(rng: random.Random) -> Puzzle | None:
    """Return a puzzle of two rules, one of which applies."""
    a, b, c, d = _literals(rng, 4, negations=rng.randint(0, 1))
    rules = [Statement("if", (a, b)), Statement("if", (c, d))]
    rng.shuffle(rules)
    return _fact_puzzle(rng, rules, a, b, {})


def chain(rng: random.Random) -> Puzzle | None:
    """Return a puzzle of two rules that apply one after the other, and a third."""
    a, b, c, d, e = _literals(rng, 5, negations=rng.randint(0, 2))
    lured = rng.randint(0, 1)
    third = Statement("if", (d, c) if lured else (d, e))
    rules = [*arranged(rng, [Statement("if", (a, b)), Statement("if", (b, c))], rng.randint(0, 1))]
    rules.insert(rng.randint(0, 2), third)
    return _fact_puzzle(rng, rules, a, c, {"chain": 1}, lured)


def denial(rng: random.Random) -> Puzzle | None:
    """Return a puzzle in which a rule must be applied backwards, because its outcome is false."""
    a, b, c, d, e = _literals(rng, 5, negations=rng.randint(0, 2))
    lured, long = rng.randint(0, 1), rng.randint(0, 1)
    end = c if long else b
    rules = [Statement("if", (a, b)), *([Statement("if", (b, c))] if long else [])]
    rules = arranged(rng, rules, rng.randint(0, 1))
    rules.insert(rng.randint(0, len(rules)), Statement("if", (end, d) if lured else (d, e)))
    radicals = {"backward": 1, "chain": long}
    return _fact_puzzle(rng, rules, denied(end), denied(a), radicals, lured)


def only_if(rng: random.Random) -> Puzzle | None:
    """Return a puzzle in which a rule says "only if" or "not ... unless"."""
    a, b, c, d, e = _literals(rng, 5, negations=0)
    lured = rng.randint(0, 1)
    if rng.random() < 0.5:
        c = denied(c)
    form = rng.choice(("only_if", "unless"))
    told = Statement(form, (denied(a) if form == "unless" else a, b))
    if rng.random() < 0.5:
        third = Statement("if", (d, c) if lured else (d, e))
        given, key, back = a, c, 0
    else:
        third = Statement("if", (c, d) if lured else (d, e))
        given, key, back = denied(c), denied(a), 1
    rules = arranged(rng, [told, Statement("if", (b, c)), third], rng.choice((0, 2)))
    radicals = {"only": 1, "chain": 1, "backward": back}
    return _fact_puzzle(rng, rules, given, key, radicals, lured)


def links(rng: random.Random) -> Puzzle | None:
    """Return a puzzle of rules only, from which another rule follows."""
    a, b, c, d = _literals(rng, 4, negations=rng.randint(0, 2))
    long, back, lured = rng.randint(0, 1), rng.randint(0, 1), rng.randint(0, 1)
    end = d if long else c
    links = [(a, b), (b, c), *([(c, d)] if long else [])]
    rules = arranged(rng, [Statement("if", pair) for pair in links], rng.choice((0, 1, 2)))
    key = Statement("if", (denied(end), denied(a)) if back else (a, end))
    facts = sorted({literal for pair in links for side in pair for literal in (side, side ^ 1)})
    offered = [
        Statement("if", (one, other))
        for one, other in permutations(facts, 2)
        if one != denied(other)
    ]
    radicals = {"links": 1, "chain": long, "backward": back}
    return _puzzle(rng, rules, key, offered, radicals, lured)


def either(rng: random.Random) -> Puzzle | None:
    """Return a puzzle of two cases, one of which the student must rule out."""
    a, b, c, d, e = _literals(rng, 5, negations=rng.randint(0, 2))
    way, lured = rng.randrange(3), rng.randint(0, 1)
    if way == 0:  # a or b; not a
        rules = [Statement("either", (a, b)), Statement("if", (b, c))]
        given, key, back, end = denied(a), c, 0, c
    elif way == 1:  # a or b; a would lead to c, which is false
        rules = [Statement("either", (a, b)), Statement("if", (a, c)), Statement("if", (b, d))]
        given, key, back, end = denied(c), d, 1, d
    else:  # if a, then c; if not a, then b
        rules = [Statement("if", (a, c)), Statement("if", (denied(a), b))]
        given, key, back, end = denied(c), b, 1, b
    if len(rules) < 3:
        rules.append(Statement("if", (e, end) if lured else (d, e)))
    elif lured:
        return None
    rules = arranged(rng, rules, rng.choice((0, 2)))
    radicals = {"cases": 1, "chain": int(way == 1), "backward": back}
    return _fact_puzzle(rng, rules, given, key, radicals, lured)


def cases(
    literals: Iterable[int], premises: Sequence[Statement], reading: dict[str, Callable[..., bool]]
) -> list[Case]:
    """Return the assignments of truth to the literals in which all premises hold in a reading."""
    facts = sorted({literal & ~1 for literal in literals})
    found = []
    for truth in product((True, False), repeat=len(facts)):
        case = dict(zip(facts, truth, strict=True))
        case |= {denied(one): not holds for one, holds in case.items()}
        if all(reading[says](*(case[one] for one in about)) for says, about in premises):
            found.append(case)
    return found


def _literals(rng: random.Random, count: int, negations: int) -> list[int]:
    """Return literals of different facts; `negations` of them are negated."""
    literals = [2 * fact for fact in rng.sample(range(FACTS), count)]
    for place in rng.sample(range(count), negations):
        literals[place] = denied(literals[place])
    return literals


def _fact_puzzle(
    rng: random.Random,
    rules: Sequence[Statement],
    given: int,
    key: int,
    radicals: dict[str, int],
    lured: int = 0,
) -> Puzzle | None:
    """Offer every fact in the rules and its opposite, except the given fact."""
    spoken = {one & ~1 for rule in rules for one in rule.about} - {given & ~1}
    offered = [Statement("fact", (one | side,)) for one in sorted(spoken) for side in (0, 1)]
    premises = [*rules, Statement("fact", (given,))]
    return _puzzle(rng, premises, Statement("fact", (key,)), offered, radicals, lured)


def _puzzle(
    rng: random.Random,
    premises: Sequence[Statement],
    key: Statement,
    offered: Sequence[Statement],
    radicals: dict[str, int],
    lured: int,
) -> Puzzle | None:
    spoken = {one for premise in premises for one in premise.about}
    strict, everyday = cases(spoken, premises, HOLDS), cases(spoken, premises, EVERYDAY)
    if not everyday:
        return None
    unsound = [option for option in offered if not _follows(option, strict, HOLDS)]
    # A student who misreads the premises also misreads the options.
    lures = [option for option in unsound if _follows(option, everyday, EVERYDAY)]
    lures += [
        option for option in unsound if option not in lures and _follows(option, everyday, HOLDS)
    ]
    rules = [premise for premise in premises if premise.says != "fact"]
    return Puzzle(
        rng.choice(SCENES),
        len(spoken),
        tuple(premises),
        "must",
        key,
        tuple(option for option in unsound if option not in lures),
        {
            "premises": len(premises) - 2,
            "negations": _negations(premises),
            "integration": integration(rules),
            "lures": lured,
            **radicals,
        },
        tuple(lures),
        lured,
    )


def _follows(
    option: Statement, found: Sequence[Case], reading: dict[str, Callable[..., bool]]
) -> bool:
    return all(reading[option.says](*(case[one] for one in option.about)) for case in found)


def _negations(premises: Sequence[Statement]) -> int:
    return sum(one & 1 for premise in premises for one in premise.about)
