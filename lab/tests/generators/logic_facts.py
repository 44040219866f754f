"""Sentences about facts, read by pattern into tests of which facts are true."""

import re
from collections.abc import Callable

Truth = dict[str, bool]
Fact = Callable[[Truth], bool]


def fact_of(clause, names):
    """Read "the lamp is on" or "the lamp is not on"; note the fact's name."""
    assert re.fullmatch(r"the [\w ]+? is (not )?[\w ]+", clause), clause
    name = clause.replace(" is not ", " is ")
    names.add(name)
    return lambda t: t[name] is (name == clause)


def rule_of(sentence, names, everyday=False):
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
