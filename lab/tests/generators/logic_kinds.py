"""Sentences about kinds of things, and every world of such things in which they hold."""

from __future__ import annotations

import re
from itertools import product

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
    "shops": (r"shops? that sells? (?P<k>\w+)", r"sells? (?P<k>\w+)", r"does not sell (?P<k>\w+)"),
}
Said = tuple[str, str, str]  # what is said, of which kind, of which other; a named thing is ""


def kinds_of(sentence, thing):
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


def worlds(premises, kinds, reading):
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


def _allows(said, region, bit, reading):
    says, a, b = said
    if says in ("is", "is not", "some", "some not"):
        return True
    in_a, in_b = bool(region & bit[a]), bool(region & bit[b])
    if says == "no":
        return not (in_a and in_b)
    if reading == "converse":
        return in_a == in_b
    return (not in_a or in_b) if says == "all" else (not in_b or in_a)


def _exists(said, filled, bit, reading):
    says, a, b = said
    if says != "some":
        return True
    both = any(r & bit[a] and r & bit[b] for r in filled)
    return both and (reading != "not all" or any(r & bit[a] and not r & bit[b] for r in filled))


def true_in(said, filled, region, bit):
    """Tell whether a statement is true in a world."""
    says, a, b = said
    if says in ("is", "is not"):
        return bool(region & bit[b]) is (says == "is")
    both = any(r & bit[a] and r & bit[b] for r in filled)
    only_a = any(r & bit[a] and not r & bit[b] for r in filled)
    return {"all": not only_a, "no": not both, "some": both, "some not": only_a}[says]
