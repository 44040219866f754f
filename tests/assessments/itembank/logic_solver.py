"""A second, independent opinion on verbal logic: read the English, try every case.

Each sentence is read by a pattern into a test of a case: an order of things, a truth of facts, or
which kinds of things there are. Nothing is shared with assessments.itembank, not even the words.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from itertools import permutations, product

NUMBERS = {"three": 3, "four": 4, "five": 5}
X, Y = "(?P<x>the .+?)", "(?P<y>the .+?)"

# Orders. Earlier in the list is higher, heavier, longer, dearer, older, earlier, further left.
UP = (
    "flew higher than",
    "is heavier than",
    "is longer than",
    "costs more than",
    "is older than",
    "leaves earlier than",
    "finished before",
    "is to the left of",
    "is on a higher floor than",
    "comes before",
)
DOWN = (
    "flew lower than",
    "is lighter than",
    "is shorter than",
    "costs less than",
    "is newer than",
    "leaves later than",
    "finished after",
    "is to the right of",
    "is on a lower floor than",
    "comes after",
)
NEXT_UP = (
    "finished just before",
    "is just to the left of",
    "is one floor above",
    "comes just before",
)
NEXT_DOWN = (
    "finished just after",
    "is just to the right of",
    "is one floor below",
    "comes just after",
)
TOP = (
    "flew the highest",
    "is the heaviest",
    "is the longest",
    "costs the most",
    "is the oldest",
    "leaves first",
    "finished first",
    "is at the left end",
    "is on the top floor",
    "comes first",
)
BOTTOM = (
    "flew the lowest",
    "is the lightest",
    "is the shortest",
    "costs the least",
    "is the newest",
    "leaves last",
    "finished last",
    "is at the right end",
    "is on the lowest floor",
    "comes last",
)
SECOND = (
    "flew the second highest",
    "is the second heaviest",
    "is the second longest",
    "has the second highest price",
    "is the second oldest",
    "is the second to leave",
    "finished second",
    "is second from the left",
    "is on the second floor from the top",
    "comes second",
)
LAST_BUT_ONE = (
    "flew the second lowest",
    "is the second lightest",
    "is the second shortest",
    "has the second lowest price",
    "is the second newest",
    "is the last but one to leave",
    "finished last but one",
    "is second from the right",
    "is one floor above the lowest",
    "comes last but one",
)
THIRD_OF_FIVE = (
    "finished third",
    "is in the middle",
    "is on the middle floor",
    "comes third",
)

Order = tuple[str, ...]
Holds = Callable[[Order], bool]


def negated(verb: str) -> str:
    """Say "is not" for "is", "did not fly" for "flew", "does not cost" for "costs"."""
    first, rest = verb.split(" ", 1)
    said = {
        "is": "is not",
        "flew": "did not fly",
        "finished": "did not finish",
        "costs": "does not cost",
        "leaves": "does not leave",
        "comes": "does not come",
    }
    return f"{said[first]} {rest}"


def order_of(sentence: str) -> Holds | None:
    """Read a sentence about an order, without its full stop."""
    for verbs, holds in (
        (UP, lambda o, x, y: o.index(x) < o.index(y)),
        (DOWN, lambda o, x, y: o.index(x) > o.index(y)),
        (NEXT_UP, lambda o, x, y: o.index(x) + 1 == o.index(y)),
        (NEXT_DOWN, lambda o, x, y: o.index(x) == o.index(y) + 1),
    ):
        for verb in verbs:
            for said, truth in ((verb, True), (negated(verb), False)):
                if found := re.fullmatch(f"{X} {said} {Y}", sentence):
                    x, y = found["x"], found["y"]
                    return lambda o, x=x, y=y, holds=holds, truth=truth: holds(o, x, y) is truth
    for verbs, place in ((TOP, 0), (BOTTOM, -1)):
        for verb in verbs:
            for said, truth in ((verb, True), (negated(verb), False)):
                if found := re.fullmatch(f"{X} {said}", sentence):
                    return lambda o, x=found["x"], p=place, truth=truth: (o[p] == x) is truth
    if found := re.fullmatch(
        f"{X} (?:is|finished|comes) somewhere between {Y} and (?P<z>the .+)", sentence
    ):
        x, y, z = found["x"], found["y"], found["z"]
        return lambda o: sorted((o.index(x), o.index(y), o.index(z)))[1] == o.index(x)
    return None


def place_asked(question: str) -> int | None:
    """Read which place in the order is asked for."""
    asked = re.fullmatch(r"Which \w+ (.+)\?", question)
    for verbs, place in (
        (TOP, 0),
        (SECOND, 1),
        (THIRD_OF_FIVE, 2),
        (LAST_BUT_ONE, -2),
        (BOTTOM, -1),
    ):
        if asked and asked[1] in verbs:
            return place
    return None


def things_in(sentences: Iterable[str]) -> set[str]:
    """Find what the sentences about an order are about: what stands around the verbs."""
    text = " . ".join(sentences)
    for verb in (*UP, *DOWN, *NEXT_UP, *NEXT_DOWN, *TOP, *BOTTOM):
        text = text.replace(negated(verb), "|").replace(verb, "|")
    text = re.sub(r"(is|finished|comes) somewhere between| and ", "|", text)
    return {thing.strip() for thing in re.split(r"[|.]", text) if thing.strip()}


def orders(intro: str, premises: Sequence[str]) -> list[Order]:
    """Return every order of the things in which the premises hold."""
    things = sorted(things_in(premises))
    number = re.search(r"three|four|five", intro.lower())
    assert number and len(things) == NUMBERS[number[0]], (intro, things)
    tests = [order_of(premise) for premise in premises]
    assert all(tests), premises
    return [order for order in permutations(things) if all(test(order) for test in tests if test)]


# Facts.

Truth = dict[str, bool]
Fact = Callable[[Truth], bool]


def fact_of(clause: str, names: set[str]) -> Fact:
    """Read "the lamp is on" or "the lamp is not on"; note the fact's name."""
    assert re.fullmatch(r"the [\w ]+? is (not )?[\w ]+", clause), clause
    name = clause.replace(" is not ", " is ")
    names.add(name)
    return lambda t: t[name] is (name == clause)


def rule_of(sentence: str, names: set[str], everyday: bool = False) -> Fact:
    """Read a sentence about facts; `everyday` takes "if" for "if and only if"."""
    if found := re.fullmatch(r"if (.+), (.+)", sentence):
        one, other = (fact_of(clause, names) for clause in found.groups())
        return lambda t: one(t) == other(t) if everyday else other(t) or not one(t)
    if found := re.fullmatch(r"(.+) only if (.+)", sentence):
        one, other = (fact_of(clause, names) for clause in found.groups())
        return lambda t: one(t) == other(t) if everyday else other(t) or not one(t)
    if found := re.fullmatch(r"(.+) unless (.+)", sentence):
        one, other = (fact_of(clause, names) for clause in found.groups())
        return lambda t: one(t) != other(t) if everyday else one(t) or other(t)
    if found := re.fullmatch(r"either (.+) or (.+), but not both", sentence):
        one, other = (fact_of(clause, names) for clause in found.groups())
        return lambda t: one(t) != other(t)
    return fact_of(sentence, names)


# Kinds of things.

KIND = {
    "boxes": (r"(?P<k>\w+) box(?:es)?", r"(?:are|is) (?P<k>\w+)", r"(?:are|is) not (?P<k>\w+)"),
    "buses": (r"(?P<k>\w+) bus(?:es)?", r"(?:are|is) (?P<k>\w+)", r"(?:are|is) not (?P<k>\w+)"),
    "cards": (r"(?P<k>\w+) cards?", r"(?:are|is) (?P<k>\w+)", r"(?:are|is) not (?P<k>\w+)"),
    "villages": (
        r"villages? with (?P<k>a [\w ]+)",
        r"(?:have|has) (?P<k>a [\w ]+)",
        r"does not have (?P<k>a [\w ]+)",
    ),
    "houses": (
        r"houses? with (?P<k>a [\w ]+)",
        r"(?:have|has) (?P<k>a [\w ]+)",
        r"does not have (?P<k>a [\w ]+)",
    ),
    "shops": (
        r"shops? that sells? (?P<k>\w+)",
        r"sells? (?P<k>\w+)",
        r"does not sell (?P<k>\w+)",
    ),
}
Said = tuple[str, str, str]  # what is said, of which kind, of which other; a named thing is ""


def kinds_of(sentence: str, thing: str) -> Said:
    """Read a sentence about kinds of this thing."""
    name, has, has_not = KIND[thing]
    first = name.replace("?P<k>", "?P<a>")
    last, last_not = has.replace("?P<k>", "?P<b>"), has_not.replace("?P<k>", "?P<b>")
    for said, pattern in (
        ("all", f"all the {first} {last}"),
        ("no", f"no {first} {last}"),
        ("some not", f"at least one {first} {last_not}"),
        ("some", f"(?:some|at least one) {first} {last}"),
        ("only", f"only {first} {last}"),
    ):
        if found := re.fullmatch(pattern, sentence):
            return said, found["a"], found["b"]
    named = r"(?:box \d+|bus \d+|card \d+|house \d+|the village \w+|the corner shop)"
    for said, pattern in (("is not", f"{named} {last_not}"), ("is", f"{named} {last}")):
        if found := re.fullmatch(pattern, sentence):
            return said, "", found["b"]
    raise AssertionError(sentence)


def worlds(
    premises: Sequence[Said], kinds: Sequence[str], reading: str
) -> Iterable[tuple[frozenset[int], int]]:
    """Yield every world in which the premises hold: which regions have something, and, for a
    named thing, the region that it is in. A region is the bits of the kinds it belongs to.

    Readings: "plain"; "not empty": something is of each kind; "not all": "some" says so too;
    "converse": "all" and "only" say the converse too.
    """
    bit = {kind: 1 << place for place, kind in enumerate(kinds)}
    allowed = [
        region
        for region in range(2 ** len(kinds))
        if all(_allows(said, region, bit, reading) for said in premises)
    ]
    named = any(said in ("is", "is not") for said, _, _ in premises)
    if named:
        assert all(said in ("all", "no", "only", "is", "is not") for said, _, _ in premises)
        for region in allowed:
            if all(
                bool(region & bit[b]) is (said == "is")
                for said, a, b in premises
                if said in ("is", "is not")
            ):
                yield frozenset([region]), region
        return
    for there in product((False, True), repeat=len(allowed)):
        filled = frozenset(r for r, is_there in zip(allowed, there, strict=True) if is_there)
        if reading != "plain" and not all(any(r & bit[kind] for r in filled) for kind in kinds):
            continue
        if all(_exists(said, filled, bit, reading) for said in premises):
            yield filled, -1


def _allows(said: Said, region: int, bit: dict[str, int], reading: str) -> bool:
    says, a, b = said
    if says in ("is", "is not", "some", "some not"):
        return True
    in_a, in_b = bool(region & bit[a]), bool(region & bit[b])
    if says == "no":
        return not (in_a and in_b)
    if reading == "converse":
        return in_a == in_b
    return (not in_a or in_b) if says == "all" else (not in_b or in_a)


def _exists(said: Said, filled: frozenset[int], bit: dict[str, int], reading: str) -> bool:
    says, a, b = said
    if says != "some":
        return True
    both = any(r & bit[a] and r & bit[b] for r in filled)
    return both and (reading != "not all" or any(r & bit[a] and not r & bit[b] for r in filled))


def true_in(said: Said, filled: frozenset[int], region: int, bit: dict[str, int]) -> bool:
    """Tell whether a statement is true in a world."""
    says, a, b = said
    if says in ("is", "is not"):
        return bool(region & bit[b]) is (says == "is")
    both = any(r & bit[a] and r & bit[b] for r in filled)
    only_a = any(r & bit[a] and not r & bit[b] for r in filled)
    return {"all": not only_a, "no": not both, "some": both, "some not": only_a}[says]


# All of them.


def answers(passage: str, question: str, options: Sequence[str]) -> list[int]:
    """Return which options (from 1) answer the question, in the plain reading."""
    return answers_read(passage, question, options)


def answers_read(
    passage: str, question: str, options: Sequence[str], reading: str = "plain"
) -> list[int]:
    """Return which options answer the question in this reading of the passage."""
    sentences = [each[:1].lower() + each[1:] for each in passage.rstrip(".").split(". ")]
    offered = [each[:1].lower() + each[1:].rstrip(".") for each in options]
    if sentences[1] == "no two cars finished together":
        del sentences[1]
    intro, premises = sentences[0], sentences[1:]
    if intro.startswith("all of this is true"):
        return _facts_answered(premises, offered, reading)
    if found := re.fullmatch(r"a [\w ]+ has many (\w+)", intro):
        return _kinds_answered(premises, offered, found[1], reading)
    return _order_answered(intro, premises, question, offered)


def _order_answered(
    intro: str, premises: Sequence[str], question: str, offered: Sequence[str]
) -> list[int]:
    found = orders(intro, premises)
    assert found
    place = place_asked(question)
    if place is not None:
        there = {order[place] for order in found}
        if len(there) > 1:
            return [n for n, o in enumerate(offered, 1) if o.startswith("this cannot be known")]
        return [n for n, o in enumerate(offered, 1) if o in there]
    wanted = {"Which of these must be true?": all, "Which of these cannot be true?": _none}
    tests = [order_of(option) for option in offered]
    assert all(tests), offered
    return [
        n
        for n, test in enumerate(tests, 1)
        if test and wanted[question](test(order) for order in found)
    ]


def _none(values: Iterable[bool]) -> bool:
    return not any(values)


def _facts_answered(premises: Sequence[str], offered: Sequence[str], reading: str) -> list[int]:
    names: set[str] = set()
    everyday = reading == "converse"
    rules = [rule_of(premise, names, everyday) for premise in premises]
    spoken = set(names)
    options = [rule_of(option, names, everyday) for option in offered]
    strict = [rule_of(option, names) for option in offered]
    assert names == spoken, names - spoken
    order = sorted(names)
    cases = [
        dict(zip(order, each, strict=True)) for each in product((True, False), repeat=len(order))
    ]
    left = [case for case in cases if all(rule(case) for rule in rules)]
    assert left
    return [
        n
        for n, (option, plain) in enumerate(zip(options, strict, strict=True), 1)
        if all(map(option, left)) or all(map(plain, left))
    ]


def _kinds_answered(
    premises: Sequence[str], offered: Sequence[str], thing: str, reading: str
) -> list[int]:
    told = [kinds_of(premise, thing) for premise in premises]
    options = [kinds_of(option, thing) for option in offered]
    kinds = sorted({kind for _, a, b in told for kind in (a, b) if kind})
    assert {kind for _, a, b in options for kind in (a, b) if kind} <= set(kinds)
    bit = {kind: 1 << place for place, kind in enumerate(kinds)}
    left = set(range(len(options)))
    count = 0
    for filled, region in worlds(told, kinds, reading):
        count += 1
        left = {n for n in left if true_in(options[n], filled, region, bit)}
    assert count
    return sorted(n + 1 for n in left)
