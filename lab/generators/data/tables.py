"""Questions about two columns of a table: totals, conditions, rates and growth."""

from __future__ import annotations

import random
from collections.abc import Sequence
from fractions import Fraction

from lab.generators.data.kinds import Amount, Counts, Names, Task, beyond_two
from lab.generators.options import OPTIONS
from lab.generators.problems.kinds import Slips, multiple

Pairs = list[tuple[int, int]]

ROWS = {
    "milk": ("ambla", "belur", "kheri", "manda", "ratu", "sonpur"),
    "zoo": ("tue", "wed", "thu", "fri", "sat", "sun"),
    "players": ("kiran", "noor", "robin", "suman", "mani"),
    "fields": ("field_a", "field_b", "field_c", "field_d", "field_e"),
    "packs": ("pack_a", "pack_b", "pack_c", "pack_d", "pack_e"),
    "buses": ("route_1", "route_2", "route_3", "route_4", "route_5"),
    "members": ("ambla", "belur", "kheri", "manda", "ratu"),
    "commuters": ("route_1", "route_2", "route_3", "route_4", "route_5"),
}
COLUMNS = {
    "milk": ("morning", "evening"),
    "zoo": ("adults", "children"),
    "players": ("matches", "runs"),
    "fields": ("acres", "quintals"),
    "packs": ("gb", "price"),
    "buses": ("trips", "passengers"),
    "members": ("before", "after"),
    "commuters": ("before", "after"),
}
# Themes in which both columns count the same thing, with the step of their values.
GRAINS = {"milk": 5, "zoo": 10}
# The range of values in the first column, and of the rate of the second column to the first.
RATES = {
    "players": ((4, 12), (18, 48)),
    "fields": ((2, 9), (14, 22)),
    "buses": ((5, 15), (24, 46)),
    "packs": ((20, 80), (6, 12)),
}
PERCENTS = (5, 10, 15, 20, 25, 30, 40, 50)


def largest_total(rng: random.Random, place: int) -> Task | None:
    """The row with the largest sum, though neither of its values is the largest in its column."""
    theme, values = _alike(rng, OPTIONS)
    totals = [first + second for first, second in values]
    first, second = values[place - 1]
    if (
        not _is_best(totals, place, GRAINS[theme])
        or first == max(one for one, _ in values)
        or second == max(two for _, two in values)
    ):
        return None
    radicals = {"steps": 1, "values": beyond_two(values), "columns": 1, "each_row": 1}
    return _names(theme, values, "largest_total", radicals)


def both(rng: random.Random, place: int) -> Task | None:
    """How many rows meet two conditions."""
    counts = Counts(rng.choice((0, 1)))
    theme, values = _alike(rng, 6)
    grain = GRAINS[theme]
    high, low = grain * rng.randint(7, 12), grain * rng.randint(9, 15)
    met = sum(first > high and second < low for first, second in values)
    # No value equals a limit, so it does not matter whether the limit itself counts.
    on_limit = any(first == high or second == low for first, second in values)
    if met != counts.first + place - 1 or on_limit:
        return None
    radicals = {"steps": 1, "values": beyond_two(values), "columns": 1, "each_row": 1}
    rows = ROWS[theme]
    words = {"high": high, "low": low}
    return Task(theme, rows, COLUMNS[theme], values, "both", words, counts, radicals)


def best_rate(rng: random.Random, place: int) -> Task | None:
    """The row with the best rate (or lowest unit price), which does not have the best total."""
    theme = rng.choice(sorted(RATES))
    sign = -1 if theme == "packs" else 1
    values = _rated(rng, theme, OPTIONS)
    rates = [sign * brought // used for used, brought in values]
    in_all = [sign * brought for _, brought in values]
    used = [each for each, _ in values]
    if (
        not _is_best(rates, place, 1)
        or in_all[place - 1] == max(in_all)
        or used[place - 1] in (min(used), max(used))
    ):
        return None
    radicals = {"steps": 1, "values": beyond_two(values), "columns": 1, "each_row": 1, "rate": 1}
    return _names(theme, values, "best_rate", radicals)


def overall_rate(rng: random.Random, place: int) -> Task | None:
    """The rate of all rows together, as opposed to the mean of their rates."""
    theme = rng.choice(("players", "fields", "buses"))
    values = _rated(rng, theme, 4)
    used, brought = sum(one for one, _ in values), sum(two for _, two in values)
    rates = [Fraction(two, one) for one, two in values]
    answer = Fraction(brought, used)
    if answer == Fraction(sum(rates), len(rates)):
        return None
    slips: Slips = [Fraction(sum(rates), len(rates)), Fraction(max(rates) + min(rates), 2)]
    slips += [Fraction(brought, len(rates)), *rates]
    slips += [answer + 2, answer - 2, answer + 4, answer - 4]
    radicals = {"steps": 2, "values": beyond_two(values), "columns": 1, "rate": 1}
    amount = Amount(answer, "plain", slips)
    rows = ROWS[theme][: len(values)]
    return Task(theme, rows, COLUMNS[theme], values, "overall_rate", {}, amount, radicals)


def growth(rng: random.Random, place: int) -> Task | None:
    """The row that grew by the highest percentage, though another grew by a larger amount."""
    theme = rng.choice(("members", "commuters"))
    scale = 10 if theme == "commuters" else 1
    values = []
    for _ in ROWS[theme]:
        before = scale * multiple(rng, 40, 400, 20)
        values.append((before, before + before * rng.choice(PERCENTS) // 100))
    percents = [(after - before) * 100 // before for before, after in values]
    rises = [after - before for before, after in values]
    if (
        not _is_best(percents, place, 5)
        or rises[place - 1] == max(rises)
        or values[place - 1] == min(values)
    ):
        return None
    radicals = {"steps": 2, "values": beyond_two(values), "columns": 1, "each_row": 1}
    return _names(theme, values, "growth", {**radicals, "percentage": 1})


def _names(theme: str, values: Pairs, question: str, radicals: dict[str, int]) -> Task:
    """Return the task to find one of these rows."""
    rows = ROWS[theme][: len(values)]
    return Task(theme, rows, COLUMNS[theme], values, question, {}, Names(rows), radicals)


def _is_best(figures: Sequence[int], place: int, margin: int) -> bool:
    """Tell whether the figure at this place is the highest by at least `margin`."""
    others = [*figures[: place - 1], *figures[place:]]
    return figures[place - 1] >= max(others) + margin


def _alike(rng: random.Random, count: int) -> tuple[str, Pairs]:
    """Return a theme in which both columns count the same thing, and `count` rows of values."""
    theme = rng.choice(sorted(GRAINS))
    grain = GRAINS[theme]
    return theme, [(grain * rng.randint(4, 18), grain * rng.randint(4, 18)) for _ in range(count)]


def _rated(rng: random.Random, theme: str, count: int) -> Pairs:
    """Return rows in which the second value is a whole multiple of the first."""
    (low, high), (least, most) = RATES[theme]
    used = rng.sample(range(low, high + 1), count)
    rates = rng.sample(range(least, most + 1), count)
    return [(one, one * rate) for one, rate in zip(used, rates, strict=True)]
