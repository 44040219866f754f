"""A second, independent opinion on verbal logic: read the English, try every case.

Each sentence is read by a pattern into a test of a case: an order of things, a truth of facts, or
which kinds of things there are. Nothing is shared with the generators, not even the words.
"""

import re
from itertools import product

from lab.tests.generators.logic_kinds import kinds_of, true_in, worlds
from lab.tests.generators.logic_orders import order_of, orders, place_asked


def answers(passage, question, options, reading="plain"):
    """Return which options (from 1) answer the question in this reading of the passage."""
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


def _order_answered(intro, premises, question, offered):
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


def _none(values):
    return not any(values)


def fact_of(clause, names):
    """Read "the lamp is on" or "the lamp is not on"; note the fact's name."""
    assert re.fullmatch(r"the [\w ]+? is (not )?[\w ]+", clause), clause
    name = clause.replace(" is not ", " is ")
    names.add(name)
    return lambda t: t[name] is (name == clause)


def rule_of(sentence, names, everyday=False):
    """Read a sentence about facts; `everyday` takes "if" for "if and only if"."""
    for pattern, holds in (
        (r"if (.+), (.+)", lambda a, b: a == b if everyday else b or not a),
        (r"(.+) only if (.+)", lambda a, b: a == b if everyday else b or not a),
        (r"(.+) unless (.+)", lambda a, b: a != b if everyday else a or b),
        (r"either (.+) or (.+), but not both", lambda a, b: a != b),
    ):
        if found := re.fullmatch(pattern, sentence):
            one, other = (fact_of(clause, names) for clause in found.groups())
            return lambda t, holds=holds, one=one, other=other: holds(one(t), other(t))
    return fact_of(sentence, names)


def _facts_answered(premises, offered, reading):
    names = set()
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


def _kinds_answered(premises, offered, thing, reading):
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
