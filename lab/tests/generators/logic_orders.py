"""Sentences about an order of things, read by pattern into tests of an order.

Nothing is shared with the generators, not even the words.
"""

import re
from itertools import permutations

NUMBERS = {"three": 3, "four": 4, "five": 5}
VERB = (
    "(?:(?:is|flew|costs|leaves|finished|comes|has)|"
    "(?P<not>is not|did not fly|does not cost|does not leave|did not finish|does not come))"
)
# Earlier in the list is higher, heavier, longer, dearer, older, earlier, further left.
UP = (
    "(?:higher|heavier|longer|more|older|earlier|on a higher floor) than|"
    "(?P<just>just )?(?:before|to the left of)|(?P<one>one floor )above"
)
DOWN = (
    "(?:lower|lighter|shorter|less|newer|later|on a lower floor) than|"
    "(?P<just>just )?(?:after|to the right of)|(?P<one>one floor )below"
)
# A place by its number from the left, and what is said of a thing there.
PLACES = {
    0: "the (?:highest|heaviest|longest|most|oldest)|first|at the left end|on the top floor",
    1: "the second (?:highest(?: price)?|heaviest|longest|oldest|to leave)|second|"
    "second from the left|on the second floor from the top",
    2: "third|in the middle|on the middle floor",
    -2: "the second (?:lowest(?: price)?|lightest|shortest|newest)|second from the right|"
    "(?:the )?last but one(?: to leave)?|one floor above the lowest",
    -1: "the (?:lowest|lightest|shortest|least|newest)|last|at the right end|on the lowest floor",
}
BETWEEN = "(?:is|finished|comes) somewhere between"


def order_of(sentence):
    """Read a sentence about an order, without its full stop."""
    for says, sign in ((UP, 1), (DOWN, -1)):
        if found := re.fullmatch(rf"(?P<x>the .+?) {VERB} (?:{says}) (?P<y>the .+?)", sentence):
            x, y, holds = found["x"], found["y"], not found["not"]
            near = found["just"] or found["one"]

            def is_so(order, x=x, y=y, sign=sign, near=near, holds=holds):
                apart = sign * (order.index(y) - order.index(x))
                return (apart == 1 if near else apart > 0) is holds

            return is_so
    for place in (0, -1):
        if found := re.fullmatch(rf"(?P<x>the .+?) {VERB} (?:{PLACES[place]})", sentence):
            x, holds = found["x"], not found["not"]
            return lambda order, x=x, place=place, holds=holds: (order[place] == x) is holds
    if found := re.fullmatch(f"(the .+?) {BETWEEN} (the .+?) and (the .+)", sentence):
        x, y, z = found.groups()
        return lambda o: sorted((o.index(x), o.index(y), o.index(z)))[1] == o.index(x)
    return None


def place_asked(question):
    """Read which place in the order is asked for."""
    for place, says in PLACES.items():
        if re.fullmatch(rf"Which \w+ {VERB} (?:{says})\?", question):
            return place
    return None


def things_in(sentences):
    """Find what the sentences about an order are about: what stands around the verbs."""
    text = re.sub(f" {BETWEEN} | and ", "|", "|".join(sentences))
    for says in (UP, DOWN, PLACES[0], PLACES[-1]):
        text = re.sub(f" {VERB} (?:{says})", "|", text)
    return {thing.strip() for thing in text.split("|") if thing.strip()}


def orders(intro, premises):
    """Return every order of the things in which the premises hold."""
    things = sorted(things_in(premises))
    number = re.search(r"three|four|five", intro.lower())
    assert number and len(things) == NUMBERS[number[0]], (intro, things)
    tests = [order_of(premise) for premise in premises]
    assert all(tests), premises
    return [order for order in permutations(things) if all(test(order) for test in tests)]
