"""Questions about prices, costs and sales: tickets, a canteen, a stall."""

from __future__ import annotations

import random
from fractions import Fraction

from lab.generators.data.kinds import Amount, Task, beyond_two
from lab.generators.problems.kinds import Slips, Values, multiple
from lab.generators.problems.vocabulary import Rupees

DAYS = ("wed", "thu", "fri", "sat", "sun")
# The range of prices of a plate.
FOOD = {
    "idli": (25, 40),
    "dosa": (45, 70),
    "vada": (25, 40),
    "poha": (20, 35),
    "upma": (25, 40),
    "thali": (80, 120),
}
# The range of the seller's costs for one thing or kilogram.
STALLS = {
    "stall": {"bags": (200, 400), "caps": (50, 90), "umbrellas": (150, 250), "lamps": (200, 350)},
    "fruit": {"mangoes": (50, 90), "apples": (90, 140), "guavas": (30, 60), "grapes": (50, 80)},
}
PLATES = ("price", "sold")
SALES = ("cost", "price", "sold")


def income(rng: random.Random, place: int) -> Task:
    """The income from prices and numbers sold, for one row or for all."""
    return _tickets(rng) if rng.random() < 0.5 else _takings(rng)


def price_rise(rng: random.Random, place: int) -> Task:
    """The income of the next day, with a higher price and fewer plates."""
    rows, values = _plates(rng, 4)
    index = rng.randrange(len(rows))
    price, sold = values[index]
    percent, fewer = rng.choice((10, 20, 25, 40)), rng.choice((5, 10))
    new = price + Fraction(price * percent, 100)
    slips: Slips = [
        price * sold,
        new * sold,
        price * (sold - fewer),
        (price + percent) * (sold - fewer),
        new * (sold + fewer),
        new * fewer,
        new * sold - fewer,
        price * (sold - fewer) + (new - price) * fewer,
        (new - price) * (sold - fewer),
    ]
    words: Values = {"row": rows[index], "percent": percent, "fewer": fewer, "new": new}
    radicals = {"steps": 3, "columns": 1, "percentage": 1}
    amount = Amount(new * (sold - fewer), "rupees", slips)
    return Task("canteen", rows, PLATES, values, "price_rise", words, amount, radicals)


def unknown_price(rng: random.Random, place: int) -> Task:
    """The one hidden price, from the total income."""
    rows, values = _plates(rng, rng.choice((3, 4)))
    index = rng.randrange(len(rows))
    total = sum(price * sold for price, sold in values)
    price, sold = values[index]
    prices = [each for each, _ in values if each != price]
    slips: Slips = [
        Fraction(total, sold),
        Fraction(total, sum(each for _, each in values)),
        Fraction(price * sold + values[index - 1][0] * values[index - 1][1], sold),
        Fraction(sum(prices), max(1, len(prices))),
        *prices,
        price + 5,
        price - 5,
        price + 10,
        price - 10,
    ]
    told: list[tuple[int | None, int]] = [*values]
    told[index] = (None, sold)
    words: Values = {"row": rows[index], "total": Rupees(total)}
    radicals = {"steps": 3, "values": beyond_two(values), "columns": 1, "each_row": 1}
    amount = Amount(price, "rupees", slips)
    return Task(
        "canteen", rows, PLATES, told, "unknown_price", words, amount, {**radicals, "reverse": 1}
    )


def profit(rng: random.Random, place: int) -> Task:
    """The profit from all sales."""
    theme, rows, values = _sales(rng)
    gains = [(price - cost) * sold for cost, price, sold in values]
    paid = sum(cost * sold for cost, _, sold in values)
    margins = sum(price - cost for cost, price, _ in values)
    sold = sum(each for _, _, each in values)
    answer = sum(gains)
    slips: Slips = [
        margins * sold,
        Fraction(margins * sold, len(rows)),
        *(answer - each for each in gains),
        paid,
        paid + answer,
        *(answer + (price - cost) * 10 for cost, price, _ in values),
        *(answer - (price - cost) * 5 for cost, price, _ in values),
    ]
    radicals = {"steps": 2, "values": beyond_two(values), "columns": 2, "each_row": 1}
    amount = Amount(answer, "rupees", slips)
    return Task(theme, rows, SALES, values, "profit", {}, amount, radicals)


def profit_percent(rng: random.Random, place: int) -> Task | None:
    """The profit as a percentage of the cost of everything sold."""
    theme, rows, values = _sales(rng)
    paid = sum(cost * sold for cost, _, sold in values)
    gained = sum((price - cost) * sold for cost, price, sold in values)
    percents = [Fraction(100 * (price - cost), cost) for cost, price, _ in values]
    costs, prices = sum(one for one, _, _ in values), sum(two for _, two, _ in values)
    answer = Fraction(100 * gained, paid)
    if answer == Fraction(sum(percents), len(percents)):
        return None
    slips: Slips = [
        Fraction(100 * gained, paid + gained),
        Fraction(sum(percents), len(percents)),
        *percents,
        Fraction(100 * (prices - costs), costs),
        Fraction(100 * (prices - costs), prices),
        answer + 5,
        answer - 5,
        answer + 10,
        answer - 10,
    ]
    radicals = {"steps": 3, "values": beyond_two(values), "columns": 2, "each_row": 1}
    amount = Amount(answer, "percent", slips)
    return Task(
        theme, rows, SALES, values, "profit_percent", {}, amount, {**radicals, "percentage": 1}
    )


def _tickets(rng: random.Random) -> Task:
    rows = DAYS[-4:]
    values = [(10 * rng.randint(4, 18), 10 * rng.randint(4, 18)) for _ in rows]
    child = multiple(rng, 20, 40, 10)
    adult = child + multiple(rng, 20, 40, 10)
    index = rng.randrange(len(rows))
    adults, children = values[index]
    slips: Slips = [
        adults * child + children * adult,
        (adults + children) * adult,
        (adults + children) * child,
        adults * adult,
        children * child,
        *(one * adult + two * child for one, two in values),
    ]
    words: Values = {"row": rows[index], "adult": Rupees(adult), "child": Rupees(child)}
    amount = Amount(adults * adult + children * child, "rupees", slips)
    columns, radicals = ("adults", "children"), {"steps": 2, "columns": 1}
    return Task("zoo", rows, columns, values, "income", words, amount, radicals)


def _takings(rng: random.Random) -> Task:
    rows, values = _plates(rng, 3)
    takings = [price * sold for price, sold in values]
    answer = sum(takings)
    slips: Slips = [
        *(answer - each for each in takings),
        Fraction(sum(price for price, _ in values) * sum(sold for _, sold in values), len(rows)),
        *(answer + price * 10 for price, _ in values),
        *(answer - price * 10 for price, _ in values),
        *(answer + sold * 5 for _, sold in values),
        *(answer - sold * 5 for _, sold in values),
    ]
    radicals = {"steps": 2, "values": beyond_two(values), "columns": 1, "each_row": 1}
    amount = Amount(answer, "rupees", slips)
    return Task("canteen", rows, PLATES, values, "income", {}, amount, radicals)


def _plates(rng: random.Random, count: int) -> tuple[list[str], list[tuple[int, int]]]:
    """Return foods with the price of a plate and the number sold, which differs for each food."""
    rows = rng.sample(sorted(FOOD), count)
    sold = rng.sample(range(20, 85, 5), count)
    return rows, [
        (multiple(rng, *FOOD[row], 5), plates) for row, plates in zip(rows, sold, strict=True)
    ]


def _sales(rng: random.Random) -> tuple[str, list[str], list[tuple[int, int, int]]]:
    """Return three things, each with the cost and the price of one, and the number sold."""
    theme = rng.choice(sorted(STALLS))
    rows = rng.sample(sorted(STALLS[theme]), 3)
    values = []
    for row, sold in zip(rows, rng.sample(range(10, 65, 5), 3), strict=True):
        cost = multiple(rng, *STALLS[theme][row], 10)
        gain = multiple(rng, 10, max(10, cost // 20 * 10), 10)
        values.append((cost, cost + gain, sold))
    return theme, rows, values
