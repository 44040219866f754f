"""Word problems about percentages, ratios and parts of a whole."""

from __future__ import annotations

import random
from fractions import Fraction

from lab.generators.problems.kinds import Problem, Slips, Values, multiple, perhaps, two_names
from lab.generators.problems.vocabulary import Rupees

# The range of prices of a thing, and their step. Prices are realistic: a cycle is not ₹80.
GOODS = {
    "umbrella": (200, 500, 20),
    "school_bag": (500, 1500, 20),
    "wall_clock": (300, 900, 20),
    "table_fan": (1200, 2000, 40),
    "pressure_cooker": (1200, 2400, 40),
    "electric_iron": (600, 1400, 20),
    "study_table": (2000, 5000, 100),
    "cricket_bat": (800, 2000, 40),
    "water_filter": (1600, 3000, 40),
    "sewing_machine": (6000, 9000, 200),
    "bicycle": (5000, 9000, 200),
    "smartphone": (8000, 16000, 400),
}


def discount(rng: random.Random) -> Problem:
    """A price or amount reduced by a percentage."""
    thing = _thing(rng)
    price, percent = multiple(rng, *GOODS[thing]), rng.choice((5, 10, 15, 20, 25, 30, 40))
    off = Fraction(price * percent, 100)
    answer = price - off
    slips: Slips = [
        off,
        price + off,
        price - percent,
        answer + Fraction(price, 10),
        answer - percent,
    ]
    slips += [answer - Fraction(price, 10), answer + Fraction(price, 20), answer - off, 2 * off]
    values: Values = {"thing": thing, "price": Rupees(price), "percent": percent}
    extra = perhaps(rng, other=rng.randint(12, 40))
    radicals = {"steps": 1, "percentage": 1}
    return Problem("discount", values, answer, "rupees", slips, radicals, extra)


def share_ratio(rng: random.Random) -> Problem:
    """A whole divided in a ratio that is given or must be found."""
    mine, yours = rng.choice(((2, 3), (3, 2), (3, 5), (5, 3), (4, 5), (5, 4), (3, 4), (4, 3)))
    parts = mine + yours
    one, two = two_names(rng)
    given = rng.random() < 0.5
    part = multiple(rng, 120, 450, 30) if given else multiple(rng, 600, 1500, 100)
    whole, answer = part * parts, part * mine
    slips: Slips = [
        part * yours,
        Fraction(whole, 2),
        Fraction(whole, mine),
        Fraction(whole, yours),
        Fraction(whole * mine, yours),
        part,
        answer + part,
        answer - part,
        abs(mine - yours) * part,
        whole - part,
    ]
    values: Values = {"one": one, "two": two, "whole": Rupees(whole)}
    if given:
        extra = perhaps(rng, other=rng.randint(3, 9))
        ratio: Values = {"mine": mine, "yours": yours}
        radicals = {"steps": 1, "ratio": 1}
        return Problem("ratio_told", {**values, **ratio}, answer, "rupees", slips, radicals, extra)
    scale = rng.choice((2000, 3000, 4000))
    paid: Values = {"mine": Rupees(mine * scale), "yours": Rupees(yours * scale)}
    extra = perhaps(rng, other=rng.choice((24, 25, 26)))
    radicals = {"steps": 2, "ratio": 1}
    return Problem("ratio_found", {**values, **paid}, answer, "rupees", slips, radicals, extra)


def before_discount(rng: random.Random) -> Problem:
    """The original amount, before a decrease or increase by a percentage."""
    values: Values
    if rng.random() < 0.5:
        scene, percent, thing = "before_discount", rng.choice((10, 20, 25, 40)), _thing(rng)
        answer = multiple(rng, *GOODS[thing])
        change, other = -percent, rng.randint(12, 40)
        values = {"thing": thing, "percent": percent}
    else:
        scene, percent = "before_raise", rng.choice((10, 20, 25))
        answer = multiple(rng, 8000, 16000, 400)
        change, other = percent, rng.randint(24, 27)
        values = {"percent": percent}
    now = Fraction(answer * (100 + change), 100)
    slips: Slips = [
        now * (100 - change) / 100,
        now * (100 + change) / 100,
        now - change,
        now - 10 * change,
        now * percent / 100,
        2 * answer - now,
        answer + Fraction(answer, 10),
        answer - Fraction(answer, 10),
        answer + Fraction(answer, 20),
        answer - Fraction(answer, 20),
    ]
    radicals = {"steps": 1, "percentage": 1, "reverse": 1}
    told: Values = {**values, "now": Rupees(now)}
    return Problem(scene, told, answer, "rupees", slips, radicals, perhaps(rng, other=other))


def markup_discount(rng: random.Random) -> Problem:
    """An increase by a percentage, then a decrease by another one."""
    thing = _thing(rng)
    cost = multiple(rng, *GOODS[thing])
    up, down = rng.choice(((20, 10), (25, 10), (25, 20), (30, 10), (40, 10), (40, 20), (50, 20)))
    marked = Fraction(cost * (100 + up), 100)
    paid = marked * (100 - down) / 100
    simple = Fraction(cost * (100 + up - down), 100)
    asks_profit = rng.random() < 0.5
    less = cost if asks_profit else 0
    answer = paid - less
    slips: Slips = [
        simple - less,
        marked - less,
        marked - down - less,
        marked * down / 100,
        marked * (100 + down) / 100 - less,
        Fraction(cost * (100 - down), 100) * (100 + up) / 100 + Fraction(cost, 10) - less,
        answer + Fraction(cost, 20),
        answer - Fraction(cost, 20),
        answer - Fraction(cost, 50),
        answer + Fraction(cost, 50),
    ]
    values: Values = {"thing": thing, "cost": Rupees(cost), "up": up, "down": down}
    radicals = {"steps": 3 + asks_profit, "percentage": 2}
    scene = "markup_profit" if asks_profit else "markup_price"
    extra = perhaps(rng, other=rng.randint(5, 15))
    return Problem(scene, values, answer, "rupees", slips, radicals, extra, (marked, paid))


def ratio_difference(rng: random.Random) -> Problem:
    """The whole, from the difference of two parts."""
    low, high = rng.choice(((2, 3), (2, 5), (3, 4), (3, 5), (4, 7), (5, 7), (3, 7), (5, 8)))
    one, two = two_names(rng)
    books = rng.random() < 0.5
    part = multiple(rng, 40, 120, 10) if books else multiple(rng, 60, 240, 20)
    difference, answer = part * (high - low), part * (low + high)
    slips: Slips = [
        difference * (low + high),
        difference * high,
        difference * low,
        part * high,
        part * low,
        answer + part,
        answer - part,
        answer + difference,
        answer - difference,
        Fraction(answer, 2),
        2 * answer,
    ]
    values: Values = {"one": one, "two": two, "low": low, "high": high}
    more = difference if books else Rupees(difference)
    extra = perhaps(rng, other=multiple(rng, 40, 90, 10) if books else rng.randint(3, 9))
    scene, unit = ("ratio_books", "books") if books else ("ratio_money", "rupees")
    radicals = {"steps": 2, "ratio": 1, "reverse": 1}
    return Problem(scene, {**values, "more": more}, answer, unit, slips, radicals, extra)


def remaining(rng: random.Random) -> Problem:
    """The whole, from what is left after a part and then a part of the rest are gone."""
    first, second = rng.choice(
        (((1, 3), (1, 4)), ((1, 4), (1, 3)), ((1, 5), (1, 2)), ((2, 5), (1, 3)), ((1, 3), (2, 5)))
    )
    a, b = Fraction(*first), Fraction(*second)
    kept = (1 - a) * (1 - b)
    pay = rng.random() < 0.5
    answer = 15 * 4 * (multiple(rng, 150, 400, 10) if pay else rng.randint(8, 40))
    left = answer * kept
    slips: Slips = [
        left / (1 - a - b),
        left / (1 - a),
        left / (1 - b),
        left / (a + b),
        left / (a * b),
        left * (1 + a) * (1 + b),
        left / a,
        left / b,
        left * (1 + a + b),
        answer + left / 2,
        answer - left / 2,
    ]
    values: Values = {"name": two_names(rng)[0], "left": Rupees(left) if pay else left}
    parts: Values = {"first": "{}/{}".format(*first), "second": "{}/{}".format(*second)}
    scene, unit = ("left_pay", "rupees") if pay else ("left_crop", "kg")
    extra = perhaps(rng, other=rng.randint(6, 12))
    radicals = {"steps": 3, "ratio": 2, "reverse": 1}
    return Problem(scene, {**values, **parts}, answer, unit, slips, radicals, extra)


def first_price(rng: random.Random) -> Problem:
    """The first price, from the last one after two changes by a percentage."""
    thing = _thing(rng)
    answer = multiple(rng, *GOODS[thing])
    up, down = rng.choice(((20, 10), (20, 25), (25, 10), (10, 20), (30, 20), (40, 25)))
    then = Fraction(answer * (100 + up), 100)
    now = then * (100 - down) / 100
    slips: Slips = [
        now * 100 / (100 + up - down),
        now * (100 + down - up) / 100,
        now * (100 - up) * (100 + down) / 100 / 100,
        now,
        now * 100 / (100 - down),
        now * 100 / (100 + up),
        now * (100 + up - down) / 100,
        answer + Fraction(answer, 10),
        answer - Fraction(answer, 10),
        answer + Fraction(answer, 20),
        answer - Fraction(answer, 20),
    ]
    values: Values = {"thing": thing, "up": up, "down": down, "now": Rupees(now)}
    extra = perhaps(rng, other=rng.randint(12, 40))
    radicals = {"steps": 3, "percentage": 2, "reverse": 1}
    return Problem("first_price", values, answer, "rupees", slips, radicals, extra, (then,))


def _thing(rng: random.Random) -> str:
    return rng.choice(sorted(GOODS))
