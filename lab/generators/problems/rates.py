"""Word problems about rates, averages and inverse proportion."""

from __future__ import annotations

import random
from fractions import Fraction

from lab.generators.problems.kinds import Problem, Slips, Values, multiple, perhaps, two_names
from lab.generators.problems.vocabulary import Rupees


def supply(rng: random.Random) -> Problem:
    """The rate at which a supply lasts for some days, after a first part at another rate."""
    data = rng.random() < 0.5
    if data:
        scene, unit, days = "supply_data", "gb", 28
        early, rate, later = rng.randint(6, 18), rng.randint(2, 4), rng.randint(2, 8)
    else:
        scene, unit, days = "supply_rice", "kg", 30
        early, rate, later = rng.randint(8, 20), rng.randint(6, 14), rng.randint(6, 16)
    if later == rate:
        later += 1
    rest = days - early
    total = early * rate + rest * later
    slips: Slips = [
        Fraction(total, days),
        Fraction(total, rest),
        Fraction(total - early * rate, days),
        Fraction(total, days) - rate,
        later + 1,
        later - 1,
        later + 2,
        later - 2,
        2 * later,
        later + rate,
        abs(later - rate),
        rate,
    ]
    values: Values = {"name": two_names(rng)[0], "total": total, "days": days, "early": early}
    other = Rupees(rng.choice((299, 349, 399))) if data else multiple(rng, 40, 80, 10)
    extra = perhaps(rng, other=other)
    radicals = {"steps": 3, "rate": 1}
    return Problem(scene, {**values, "rate": rate}, later, unit, slips, radicals, extra)


def mixture(rng: random.Random) -> Problem:
    """The average of two groups of different sizes."""
    tea = rng.random() < 0.5
    many, few = rng.choice(((30, 10), (30, 20), (10, 30), (20, 30), (40, 10), (10, 40)))
    low = multiple(rng, 180, 300, 20) if tea else multiple(rng, 200, 400, 20)
    high = low + multiple(rng, 40, 200, 20)
    people = many + few
    answer = Fraction(many * low + few * high, people)
    slips: Slips = [
        Fraction(low + high, 2),
        Fraction(few * low + many * high, people),
        Fraction(many * low + few * high, 2 * people),
        answer + 10,
        answer - 10,
        answer + 20,
        answer - 20,
        low,
        high,
        answer + Fraction(high - low, 5),
        answer - Fraction(high - low, 5),
    ]
    values: Values = {"many": many, "few": few, "low": Rupees(low), "high": Rupees(high)}
    scene = "mixed_tea" if tea else "mixed_students"
    extra = perhaps(rng, other=rng.choice((3, 4, 6)))
    radicals = {"steps": 4, "rate": 1}
    return Problem(scene, values, answer, "rupees", slips, radicals, extra)


def workers(rng: random.Random) -> Problem:
    """Inverse proportion: more workers need less time, more consumers empty a store sooner."""
    scene = rng.choice(("workers", "fodder"))
    first, days, second = rng.choice(
        (
            (6, 10, 4),
            (8, 9, 6),
            (12, 10, 8),
            (9, 8, 6),
            (10, 12, 8),
            (4, 15, 6),
            (6, 12, 9),
            (8, 15, 10),
            (5, 18, 6),
            (6, 14, 7),
            (10, 18, 12),
            (8, 21, 12),
        )
    )
    answer = first * days // second
    slips: Slips = [
        Fraction(days * second, first),
        days + first - second,
        days - first + second,
        days,
        Fraction(days, 2),
        answer + 1,
        answer - 1,
        answer + 2,
        answer - 2,
        2 * days,
        first + second,
        2 * answer,
    ]
    values: Values = {"first": first, "days": days, "second": second}
    extra = perhaps(rng, other=rng.randint(5, 8))
    radicals = {"steps": 1, "inverse": 1}
    return Problem(scene, values, answer, "days", slips, radicals, extra)


def steps_of_price(rng: random.Random) -> Problem:
    """The bill, or the use, if the price changes after the first units."""
    wrong: Slips
    if rng.random() < 0.5:
        scene, unit, limit = "power", "units", 100
        low, further, other = rng.randint(3, 5), multiple(rng, 20, 150, 10), 15
        high = low + rng.randint(2, 4)
        start = limit * low
        wrong = [Fraction(start + further * high, high), Fraction(start + further * high, low)]
    else:
        scene, unit, limit = "auto", "km", 2
        start, further, other = rng.randint(25, 40), rng.randint(4, 15), rng.choice((2, 3))
        high = rng.randint(14, 20)
        low = start
        wrong = [Fraction(start + further * high, high), Fraction(start, 1)]
    used, bill = limit + further, start + further * high
    values: Values = {"limit": limit, "low": Rupees(low), "high": Rupees(high)}
    extra = perhaps(rng, other=other)
    if rng.random() < 0.5:
        slips: Slips = [used * low, used * high, start + used * high, further * high, bill + high]
        slips += [bill - high, limit * high + further * low, bill + start, start + high]
        radicals = {"steps": 3, "rate": 1}
        forward: Values = {**values, "used": used}
        return Problem(f"{scene}_bill", forward, bill, "rupees", slips, radicals, extra)
    misuse: Slips = [*wrong, further, used + limit, further - limit, used + 1, used - 1]
    misuse += [Fraction(bill, low + high), used + 2, used - 2, Fraction(2 * bill, low + high)]
    radicals = {"steps": 3, "rate": 1, "reverse": 1}
    backward: Values = {**values, "bill": Rupees(bill)}
    return Problem(f"{scene}_use", backward, used, unit, misuse, radicals, extra)


def average_needed(rng: random.Random) -> Problem:
    """The next value needed to raise the average to a given value."""
    cricket = rng.random() < 0.5
    count = rng.randint(4, 9)
    average = rng.randint(24, 45) if cricket else multiple(rng, 900, 1800, 50)
    rise = rng.randint(2, 6) if cricket else multiple(rng, 50, 150, 50)
    new = average + rise
    answer = new * (count + 1) - average * count
    slips: Slips = [
        new,
        2 * new - average,
        average,
        new + rise * count + rise,
        answer - rise,
        answer + rise,
        new * count - average * (count - 1),
        average + rise * count,
        average + new,
        answer + 2 * rise,
        answer - 2 * rise,
    ]
    money = not cricket
    values: Values = {
        "count": count,
        "average": Rupees(average) if money else average,
        "new": Rupees(new) if money else new,
    }
    other = rng.randint(70, 98) if cricket else rng.randint(4, 8)
    scene, unit = ("average_runs", "runs") if cricket else ("average_sales", "rupees")
    radicals = {"steps": 2, "rate": 1, "reverse": 1}
    return Problem(scene, values, answer, unit, slips, radicals, perhaps(rng, other=other))
