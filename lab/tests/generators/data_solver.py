"""A second, independent opinion on the tables and charts: read them and the question.

A table is read from its cells, a chart from its text alternative, as somebody does who cannot see
it. Each kind of question is known by its English. Nothing is shared with the generators.
"""

import re
from collections.abc import Callable
from fractions import Fraction

Answer = Fraction | str


class Figure:
    """The rows of a table or chart by their names, and the headings of its columns."""

    def __init__(self, figure):
        self.rows = {}
        if figure["kind"] == "bars":
            self.heads = ["value"]
            _, _, bars = figure["alt"]["en"].rstrip(".").rpartition(". ")
            for bar in bars.split("; "):
                name, value = bar.split(": ")
                self.rows[name] = [number(value)]
        else:
            self.heads = [head["en"] for head in figure["columns"][1:]]
            for row in figure["rows"]:
                assert len(row["values"]) == len(self.heads)
                told = [None if each == "?" else number(each) for each in row["values"]]
                self.rows[row["label"]["en"]] = told

    def row(self, name):
        return self.rows[name if name in self.rows else name.capitalize()]

    def column(self, head):
        index = [each.split(" (")[0] for each in self.heads].index(head)
        return [values[index] for values in self.rows.values()]

    @property
    def only(self):
        """The values of a figure that has one column."""
        assert len(self.heads) == 1
        return {name: values[0] for name, values in self.rows.items() if values[0] is not None}

    def best(self, figures, rank=0):
        """The row with the highest figure, or those that share it."""
        paired = list(zip(figures, self.rows, strict=True))
        wanted = sorted((figure for figure, _ in paired), reverse=True)[rank]
        return [name for figure, name in paired if figure == wanted]


def number(told):
    return Fraction(str(told).replace(",", ""))


def answers(passage, question, figure):
    """Return every answer that some reading of the question leads to."""
    found = []
    for told, asked, solve in READINGS:
        if re.fullmatch(told, passage) and (match := re.fullmatch(asked, question)):
            before = re.fullmatch(told, passage)
            assert before
            words = [*before.groups(), *(each for each in match.groups() if each)]
            found += solve(Figure(figure), *words)
    return found


def second(table, how):
    sign = -1 if how in ("least", "fewest") else 1
    values = [sign * each for each in table.only.values()]
    return table.best(values, 1 if how == "second most" else 0)


def counted(table, how, limit):
    assert number(limit) not in table.only.values()
    above = sum(each > number(limit) for each in table.only.values())
    return [Fraction(above if how == "more" else len(table.rows) - above)]


def changed(table, how):
    names = list(table.rows)
    values = list(table.only.values())
    steps = {
        f"{names[at]} to {names[at + 1]}": values[at + 1] - values[at]
        for at in range(len(names) - 1)
    }
    wanted = max(steps.values()) if how == "increase" else min(steps.values())
    return [name for name, step in steps.items() if step == wanted]


def last(table, count, *words):
    mean, shown = number(words[-2]), list(table.only.values())
    assert len(shown) + 1 == int(count)
    assert words[-1] not in table.rows
    return [Fraction(each) for each in range(2000) if sum(shown) + each == mean * int(count)]


def met(table, high, low):
    pairs = list(table.rows.values())
    assert not any(one == number(high) or two == number(low) for one, two in pairs)
    return [Fraction(sum(one > number(high) and two < number(low) for one, two in pairs))]


def per(table, what, unit):
    return [one / two for one, two in zip(table.column(what), table.column(unit), strict=True)]


def overall(table, what, unit):
    return [sum(table.column(what), Fraction(0)) / sum(table.column(unit))]


def gain(table):
    """The cost of all that was sold, and what was gained."""
    rows = list(table.rows.values())
    cost = sum(each[0] * each[2] for each in rows)
    return cost, sum(each[1] * each[2] for each in rows) - cost


def plate(table, total, name):
    (unknown,) = (each for each in table.rows.values() if None in each)
    assert table.row(name) is unknown
    rest = sum(price * sold for price, sold in table.rows.values() if price is not None)
    return [Fraction(each) for each in range(1, 500) if rest + each * unknown[1] == number(total)]


NAME = r"(Class \d|[A-Z][a-z]+)"
UNITS = {"run": "Runs", "match": "Matches", "quintal": "Quintals", "acre": "Acres"}
UNITS |= {"passenger": "Passengers", "trip": "Trips"}
Reading = tuple[str, str, Callable[..., list[Answer]]]
READINGS = [
    (
        "",
        rf"How (?:much rain fell|many (?:books|people|units|trees)"
        rf"(?: did the library lend| visited the museum| did the shop use)?) (?:in|on) {NAME}\?",
        lambda table, name: [table.only[name]],
    ),
    ("", rf"How many trees did {NAME} plant\?", lambda table, name: [table.only[name]]),
    (
        "",
        r"Which (?:month|day|class) (?:had|planted) the (most|least|fewest|second most) "
        r"(?:rain|visitors|trees)\?",
        second,
    ),
    (
        "",
        rf"How many more .+ (?:in|on) {NAME} than (?:in|on) {NAME}\?",
        lambda table, one, two: [table.only[one] - table.only[two]],
    ),
    (
        "",
        r"(?:In|On) how many (?:months|days) [a-z ]*(more|less|fewer) than (\d+) [a-z ]+\?",
        counted,
    ),
    ("", r"From which month to the next did .+ (increase|decrease) most\?", changed),
    (
        "",
        rf"What is the ratio of the .+ (?:in|on|by) {NAME} to the .+ (?:in|on|by) {NAME}\?",
        lambda table, one, two: [table.only[one] / table.only[two]],
    ),
    (
        "",
        r"How many .+ on average in these (\d) (?:months|classes)\?",
        lambda table, count: (
            [sum(table.only.values()) / int(count)] if len(table.rows) == int(count) else []
        ),
    ),
    (
        "",
        rf"By what percentage did .+ (increase|decrease) from {NAME} to {NAME}\?",
        lambda table, how, old, new: [
            (table.only[new] / table.only[old] - 1) * (100 if how == "increase" else -100)
        ],
    ),
    (
        "",
        rf"What percentage of all the .+ (?:did {NAME} plant|lend in {NAME}|came on {NAME})\?",
        lambda table, name: [100 * table.only[name] / sum(table.only.values())],
    ),
    (
        rf"(?:In|On) the (\d) (?:months|days) from {NAME} to [A-Z][a-z]+, (?:the shop used )?(\d+) "
        r".+ on average\. The value for [A-Z][a-z]+ is not shown\.",
        rf"How .+ (?:in|on) {NAME}\?",
        last,
    ),
    (
        "",
        r"Which (?:village|day) .+, (?:morning and evening|adults and children) together\?",
        lambda table: table.best([sum(values) for values in table.rows.values()]),
    ),
    ("", r"(?:In|On) how many .+ more than (\d+) .+ and (?:less|fewer) than (\d+) .+\?", met),
    (
        "",
        r"How much money did the canteen get for all these plates\?",
        lambda table: [sum(price * sold for price, sold in table.rows.values())],
    ),
    (
        r"A ticket costs ₹(\d+) for an adult and ₹(\d+) for a child\.",
        rf"How much money did the zoo get for tickets on {NAME}\?",
        lambda table, adult, child, day: [
            table.row(day)[0] * int(adult) + table.row(day)[1] * int(child)
        ],
    ),
    (
        "",
        r"Which (?:player|field|route) [a-z]+ the most (run|quintal|passenger)s per "
        r"(match|acre|trip)\?",
        lambda table, what, unit: table.best(per(table, UNITS[what], UNITS[unit])),
    ),
    (
        "",
        r"Which pack has the lowest price for each GB\?",
        lambda table: table.best([-each for each in per(table, "Price", "Data")]),
    ),
    (
        "",
        r"How many (run|quintal|passenger)s per (match|acre|trip) did all these .+ on average\?",
        lambda table, what, unit: overall(table, UNITS[what], UNITS[unit]),
    ),
    (
        "",
        r"(?:In|On) which (?:village|route) did the number of .+ grow by the highest percentage\?",
        lambda table: table.best([after / before for before, after in table.rows.values()]),
    ),
    (
        r"On the next day, a plate of ([a-z]+) costs (\d+)% more, and (\d+) fewer plates of "
        r"[a-z]+ are sold\.",
        r"How much money does the canteen get for ([a-z]+) on the next day\?",
        lambda table, one, percent, fewer, two: [
            table.row(one)[0] * (100 + int(percent)) / 100 * (table.row(two)[1] - int(fewer))
        ],
    ),
    (
        r"For all these plates together, the canteen got ₹([\d,]+)\.",
        r"What is the price of a plate of ([a-z]+)\?",
        plate,
    ),
    ("", r"How much profit did the stall make in all\?", lambda table: [gain(table)[1]]),
    (
        "",
        r"What was the total profit as a percentage of the total cost\?",
        lambda table: [100 * gain(table)[1] / gain(table)[0]],
    ),
]
