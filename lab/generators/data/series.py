"""Questions about one column of values: a bar chart, or a table of two columns."""

from __future__ import annotations

import random
from collections.abc import Sequence
from fractions import Fraction
from math import gcd

from lab.generators.data.kinds import Amount, Answer, Counts, Names, Ratio, Task
from lab.generators.options import OPTIONS
from lab.generators.problems.kinds import Slips, Values

MONTHS = ("jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec")
# The rains come in summer, so the rain of a town begins in May.
ORDERS = {
    "rain": ("may", "jun", "jul", "aug", "sep", "oct"),
    "lending": MONTHS,
    "power": MONTHS,
    "visitors": ("tue", "wed", "thu", "fri", "sat", "sun"),
    "trees": ("class_5", "class_6", "class_7", "class_8", "class_9"),
}
# The possible steps of the values. UNITS has their units.
GRAINS = {
    "rain": (20, 25),
    "lending": (20, 25, 30),
    "visitors": (20, 40, 50),
    "power": (20, 40, 50),
    "trees": (5, 10),
}
UNITS = {"rain": "mm", "lending": "books", "visitors": "plain", "power": "units", "trees": "trees"}
LEAST, MOST = 2, 9


class Series:
    """A theme with some rows in order, and a different round value for each."""

    def __init__(self, rng: random.Random, themes: Sequence[str], count: int) -> None:
        """Draw the theme, the rows and the values; trees have at most five rows."""
        self.theme = rng.choice(themes)
        order = ORDERS[self.theme]
        count = min(count, len(order))
        start = rng.randrange(len(order) - count + 1)
        self.rows = order[start : start + count]
        self.step = rng.choice(GRAINS[self.theme])
        # Values in steps: a chart with nine gridlines is still readable on a phone.
        self.parts = rng.sample(range(LEAST, MOST + 1), count)
        self.unit = UNITS[self.theme]

    @property
    def values(self) -> list[int]:
        """The values in the order of the rows."""
        return [part * self.step for part in self.parts]

    def task(self, question: str, answer: Answer, radicals: dict[str, int], words: Values) -> Task:
        """Return the task with this question about the values."""
        return Task(
            theme=self.theme,
            rows=self.rows,
            columns=("value",),
            values=[(value,) for value in self.values],
            question=question,
            words=words,
            answer=answer,
            radicals=radicals,
            step=self.step,
        )


def read(rng: random.Random, place: int) -> Task:
    """One value."""
    series = Series(rng, ("rain", "lending", "visitors", "power", "trees"), 6)
    index = rng.randrange(len(series.rows))
    answer = Amount(series.values[index], series.unit, [*series.values])
    return series.task("read", answer, {}, {"row": series.rows[index]})


def extreme(rng: random.Random, place: int) -> Task:
    """The row with the most, the least or the second most."""
    series = Series(rng, ("rain", "visitors", "trees"), OPTIONS)
    question = rng.choice(("most", "least", "second"))
    ranked = sorted(series.parts, reverse=question != "least")
    wanted = ranked[1 if question == "second" else 0]
    _put(series.parts, wanted, place)
    radicals = {"values": len(series.rows) - 2, "steps": int(question == "second")}
    return series.task(question, Names(series.rows), radicals, {})


def difference(rng: random.Random, place: int) -> Task:
    """How much more one row has than another."""
    series = Series(rng, ("lending", "power", "visitors"), 6)
    large, small = _two(rng, series.parts)
    most, least = series.parts[large], series.parts[small]
    slips: Slips = [most + least, most, least, *(most - each for each in series.parts)]
    slips += [each - least for each in series.parts]
    words: Values = {"row": series.rows[large], "other": series.rows[small]}
    answer = _amount(series, most - least, slips)
    return series.task("difference", answer, {"steps": 1}, words)


def count_above(rng: random.Random, place: int) -> Task:
    """How many rows are above or below a limit."""
    series = Series(rng, ("rain", "visitors", "power"), 6)
    counts = Counts(rng.choice((0, 1)))
    wanted = counts.first + place - 1
    above = rng.random() < 0.5
    ranked = [LEAST - 1, *sorted(series.parts), MOST + 1]
    edge = ranked[-wanted - 2 : len(ranked) - wanted] if above else ranked[wanted : wanted + 2]
    # Between two values, so that it does not matter whether the limit itself counts.
    limit = Fraction(sum(edge) * series.step, 2)
    return series.task(
        "above" if above else "below",
        counts,
        {"steps": 1, "values": len(series.rows) - 2},
        {"limit": limit},
    )


def largest_change(rng: random.Random, place: int) -> Task | None:
    """The neighbours between which the values rise or fall most."""
    series = Series(rng, ("rain", "lending", "power"), OPTIONS + 1)
    rises = rng.random() < 0.5
    sign = 1 if rises else -1
    pairs = list(zip(series.rows, series.rows[1:], strict=False))
    changes = [
        sign * (after - before)
        for before, after in zip(series.parts, series.parts[1:], strict=False)
    ]
    best = max(changes)
    if changes.index(best) != place - 1 or changes.count(best) > 1 or best < 2:
        return None
    radicals = {"steps": 2, "values": len(series.rows) - 2}
    return series.task("rise" if rises else "fall", Names(pairs), radicals, {})


def ratio(rng: random.Random, place: int) -> Task:
    """Two rows as a ratio in its lowest terms."""
    series = Series(rng, ("lending", "visitors", "trees"), 5)
    first, second = rng.sample(range(len(series.rows)), 2)
    one, two = series.parts[first], series.parts[second]
    common = gcd(one, two)
    radicals = {"steps": 1, "ratio": 1}
    words: Values = {"row": series.rows[first], "other": series.rows[second]}
    return series.task("ratio", Ratio(one // common, two // common), radicals, words)


def average(rng: random.Random, place: int) -> Task:
    """The mean of all rows."""
    series = Series(rng, ("lending", "power", "trees"), rng.choice((4, 5)))
    total, count = sum(series.parts), len(series.parts)
    slips: Slips = [
        Fraction(total, count - 1),
        Fraction(total, count + 1),
        Fraction(max(series.parts) + min(series.parts), 2),
        sorted(series.parts)[count // 2],
        Fraction(total - max(series.parts), count),
        Fraction(total - series.parts[0], count - 1),
        Fraction(total, 2),
        Fraction(total, count) + 1,
        Fraction(total, count) - 1,
    ]
    radicals = {"steps": 1, "values": len(series.rows) - 2, "rate": 1}
    answer = _amount(series, Fraction(total, count), slips)
    return series.task("average", answer, radicals, {"count": count})


def percent_change(rng: random.Random, place: int) -> Task:
    """The change of a value, in percent of the value before."""
    series = Series(rng, ("power", "visitors"), 6)
    later = rng.randrange(1, len(series.rows))
    before, after = series.parts[later - 1], series.parts[later]
    change = abs(after - before)
    slips: Slips = [
        Fraction(100 * change, after),
        change * series.step,
        Fraction(100 * after, before),
        Fraction(100 * before, after),
        100 - Fraction(100 * change, before),
        Fraction(100 * change, sum(series.parts)),
        Fraction(100 * change, before + after),
        10 * change,
    ]
    question = "percent_up" if after > before else "percent_down"
    words: Values = {"row": series.rows[later], "other": series.rows[later - 1]}
    most = None if after > before else 95
    answer = Amount(Fraction(100 * change, before), "percent", slips, most)
    return series.task(question, answer, {"steps": 2, "percentage": 1}, words)


def share(rng: random.Random, place: int) -> Task:
    """The share of a row in the whole, in percent."""
    series = Series(rng, ("trees", "lending", "visitors"), rng.choice((4, 5)))
    index = rng.randrange(len(series.rows))
    part, total = series.parts[index], sum(series.parts)
    slips: Slips = [
        Fraction(100 * part, total - part),
        part * series.step,
        Fraction(100 * part, max(series.parts)),
        Fraction(100, len(series.rows)),
        100 - Fraction(100 * part, total),
        Fraction(200 * part, total),
        Fraction(100 * part, total) + 5,
        Fraction(100 * part, total) - 5,
        10 * part,
    ]
    answer = Amount(Fraction(100 * part, total), "percent", slips, 95)
    radicals = {"steps": 2, "values": len(series.rows) - 2, "percentage": 1}
    return series.task("share", answer, radicals, {"row": series.rows[index]})


def missing(rng: random.Random, place: int) -> Task:
    """The hidden last value, from the mean of all."""
    series = Series(rng, ("rain", "visitors", "power"), rng.choice((5, 6)))
    total, count = sum(series.parts), len(series.parts)
    last, shown = series.parts[-1], series.parts[:-1]
    mean = Fraction(total, count)
    slips: Slips = [
        mean,
        mean * (count - 1) - sum(shown) + last,
        Fraction(sum(shown), count - 1),
        2 * mean - shown[-1],
        mean * (count + 1) - sum(shown),
        abs(mean - Fraction(sum(shown), count - 1)),
        last + 1,
        last - 1,
        last + 2,
        last - 2,
    ]
    words: Values = {
        "count": count,
        "first": series.rows[0],
        "row": series.rows[-1],
        "average": mean * series.step,
    }
    answer = _amount(series, last, slips)
    radicals = {"steps": 2, "values": len(series.rows) - 2, "rate": 1, "reverse": 1}
    task = series.task("missing", answer, radicals, words)
    return Task(**{**vars(task), "rows": series.rows[:-1], "values": task.values[:-1]})


def _amount(series: Series, parts: int | Fraction, slips: Slips) -> Amount:
    return Amount(parts * series.step, series.unit, [each * series.step for each in slips])


def _two(rng: random.Random, parts: Sequence[int]) -> tuple[int, int]:
    """Return the indices of a larger and a smaller value."""
    large, small = sorted(rng.sample(range(len(parts)), 2), key=lambda index: -parts[index])
    return large, small


def _put(parts: list[int], wanted: int, place: int) -> None:
    """Swap the wanted value with the one at this place (from 1)."""
    index = parts.index(wanted)
    parts[index], parts[place - 1] = parts[place - 1], parts[index]
