"""Sentences about an order of things, read by pattern into tests of an order.

Nothing is shared with the generators, not even the words.
"""

import re
from collections.abc import Callable
from itertools import permutations

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


def negated(verb):
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


def order_of(sentence):
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


def place_asked(question):
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


def things_in(sentences):
    """Find what the sentences about an order are about: what stands around the verbs."""
    text = " . ".join(sentences)
    for verb in (*UP, *DOWN, *NEXT_UP, *NEXT_DOWN, *TOP, *BOTTOM):
        text = text.replace(negated(verb), "|").replace(verb, "|")
    text = re.sub(r"(is|finished|comes) somewhere between| and ", "|", text)
    return {thing.strip() for thing in re.split(r"[|.]", text) if thing.strip()}


def orders(intro, premises):
    """Return every order of the things in which the premises hold."""
    things = sorted(things_in(premises))
    number = re.search(r"three|four|five", intro.lower())
    assert number and len(things) == NUMBERS[number[0]], (intro, things)
    tests = [order_of(premise) for premise in premises]
    assert all(tests), premises
    return [order for order in permutations(things) if all(test(order) for test in tests if test)]
