"""Word problems about buying, selling and sharing a cost."""

from __future__ import annotations

import random
from fractions import Fraction

from lab.generators.problems.kinds import Problem, Slips, Values, multiple, perhaps, two_names
from lab.generators.problems.vocabulary import Rupees

# The range of prices of a kilogram.
PER_KG = {
    "rice": (40, 80),
    "wheat_flour": (35, 60),
    "sugar": (40, 50),
    "onions": (20, 50),
    "potatoes": (20, 40),
    "tomatoes": (20, 60),
    "apples": (120, 200),
    "mangoes": (60, 150),
}


def total(rng: random.Random) -> Problem:
    """The cost of several things at one price."""
    if rng.random() < 0.5:
        scene, price = "total_tickets", multiple(rng, 30, 80, 10)
        count, other = rng.randint(21, 38), rng.randint(2, 4)
    else:
        scene, price = "total_chairs", multiple(rng, 350, 750, 50)
        count, other = rng.randint(6, 18), rng.randint(4, 9)
    answer = count * price
    extra = perhaps(rng, other=other)
    slips: Slips = [answer + price, answer - price, answer + 10 * price, answer - 2 * price]
    slips += [(count + other) * price, (count - other) * price, answer + 2 * price]
    values: Values = {"count": count, "price": Rupees(price)}
    return Problem(scene, values, answer, "rupees", slips, {}, extra)


def change(rng: random.Random) -> Problem:
    """The change from a note."""
    scene = rng.choice(("change_shop", "change_canteen"))
    low, high, other = (
        (30, 80, multiple(rng, 80, 120, 8))
        if scene == "change_shop"
        else (25, 45, rng.randint(2, 4))
    )
    price = multiple(rng, low, high, 5)
    count = rng.randint(3, 9 if price <= 50 else 6)
    cost = price * count
    note = 200 if cost < 170 else 500
    answer = note - cost
    slips: Slips = [cost, note - price, answer + price, answer - price, answer + 2 * price]
    slips += [answer + 100, answer - 100, abs(note - 100 - cost), note - count * 10]
    values: Values = {
        "name": two_names(rng)[0],
        "count": count,
        "price": Rupees(price),
        "note": Rupees(note),
    }
    return Problem(scene, values, answer, "rupees", slips, {"steps": 1}, perhaps(rng, other=other))


def equal_share(rng: random.Random) -> Problem:
    """Two or three costs, shared equally."""
    people = rng.randint(4, 8)
    if rng.random() < 0.5:
        scene, each, unit = "share_outing", multiple(rng, 120, 250, 5), 10
        first = multiple(rng, 200, 300, 10)
        other = rng.randint(25, 45)
    else:
        scene, each, unit = "share_club", multiple(rng, 250, 600, 25), 50
        people, first = rng.choice((11, 12, 14, 15)), multiple(rng, 900, 1800, 50)
        other = rng.randint(3, 8)
    second = people * each - first
    slips: Slips = [
        Fraction(each * people, people - 1),
        Fraction(each * people, people + 1),
        Fraction(second, people),
        Fraction(first, people),
        Fraction(second - first, people),
        each + unit,
        each - unit,
        each + 2 * unit,
        each - 2 * unit,
        Fraction(each * people, 2),
    ]
    values: Values = {"people": people, "first": Rupees(first), "second": Rupees(second)}
    return Problem(scene, values, each, "rupees", slips, {"steps": 1}, perhaps(rng, other=other))


def savings(rng: random.Random) -> Problem:
    """The time to save enough money or to fill a tank."""
    if rng.random() < 0.5:
        scene, unit = "saving_money", "weeks"
        rate, weeks = multiple(rng, 250, 500, 50), rng.randint(16, 25)
        had, other = rate * rng.randint(2, 6), rng.choice((6, 18, 21))
    else:
        scene, unit = "filling_tank", "minutes"
        rate, weeks = multiple(rng, 15, 40, 5), rng.randint(12, 36)
        had, other = rate * rng.randint(3, 9), rng.choice((40, 60, 80))
    goal = rate * weeks + had
    before = had // rate
    slips: Slips = [weeks + before, weeks + 2 * before, before, weeks - before]
    slips += [weeks - 2 * before, weeks + 1, weeks - 1, weeks + 10]
    money = scene == "saving_money"
    values: Values = {
        "name": two_names(rng)[0],
        "goal": Rupees(goal) if money else goal,
        "had": Rupees(had) if money else had,
        "rate": Rupees(rate) if money else rate,
    }
    radicals = {"steps": 1, "rate": 1}
    return Problem(scene, values, weeks, unit, slips, radicals, perhaps(rng, other=other))


def fares(rng: random.Random) -> Problem:
    """The cost of two kinds of tickets."""
    scene = rng.choice(("fares_bus", "fares_zoo"))
    child = multiple(rng, 20, 60, 5)
    adult = child + multiple(rng, 15, 50, 5)
    adults, children = rng.randint(2, 5), rng.randint(3, 9)
    answer = adults * adult + children * child
    slips: Slips = [
        adults * child + children * adult,
        (adults + children) * adult,
        (adults + children) * child,
        answer - child,
        answer - adult,
        answer + child,
        answer + adult,
        adults * adult,
        children * child,
    ]
    values: Values = {"adult": Rupees(adult), "child": Rupees(child)}
    counts: Values = {"adults": adults, "children": children}
    other = multiple(rng, 35, 90, 5)
    radicals = {"steps": 2}
    return Problem(
        scene, {**values, **counts}, answer, "rupees", slips, radicals, perhaps(rng, other=other)
    )


def unit_price(rng: random.Random) -> Problem:
    """A larger or smaller amount, at the same price or use."""
    bought, wanted = rng.sample(range(3, 11), 2)
    values: Values
    if rng.random() < 0.5:
        thing = rng.choice(sorted(PER_KG))
        each = multiple(rng, *PER_KG[thing], 5)
        scene, unit, other = "price_kg", "rupees", multiple(rng, 40, 90, 10)
        values = {"thing": thing, "paid": Rupees(bought * each)}
    else:
        each = multiple(rng, 35, 60, 5)
        scene, unit, other = "petrol", "km", rng.randint(11, 14)
        values = {"paid": bought * each}
    paid, answer = bought * each, wanted * each
    slips: Slips = [
        paid + (wanted - bought) * 10,
        paid + wanted - bought,
        answer + each,
        answer - each,
        answer + paid,
        2 * paid,
        Fraction(paid, 2),
        abs(answer - paid),
        answer - 2 * each,
        answer + 2 * each,
    ]
    radicals = {"steps": 1, "rate": 1}
    extra = perhaps(rng, other=other)
    amounts: Values = {"bought": bought, "wanted": wanted}
    return Problem(scene, {**values, **amounts}, answer, unit, slips, radicals, extra)


def sale_profit(rng: random.Random) -> Problem:
    """The profit of a seller who cannot sell everything, or not at one price."""
    return _profit_on_fruit(rng) if rng.random() < 0.5 else _profit_on_shirts(rng)


def _profit_on_fruit(rng: random.Random) -> Problem:
    bought, lost = multiple(rng, 30, 80, 5), rng.randint(3, 9)
    cost = multiple(rng, 40, 60, 5)
    price = cost + multiple(rng, 25, 45, 5)
    paid, taken = bought * cost, (bought - lost) * price
    answer = taken - paid
    slips: Slips = [
        bought * price - paid,
        taken - (bought - lost) * cost,
        answer + lost * price,
        answer - lost * price,
        answer + lost * cost,
        answer - lost * cost,
        taken,
    ]
    values: Values = {"bought": bought, "lost": lost, "paid": Rupees(paid), "price": Rupees(price)}
    extra = perhaps(rng, other=rng.randint(4, 8))
    return Problem("profit_fruit", values, answer, "rupees", slips, {"steps": 2}, extra)


def _profit_on_shirts(rng: random.Random) -> Problem:
    bought, first = rng.choice((20, 25, 30, 40)), rng.choice((8, 12, 15))
    cost = multiple(rng, 250, 400, 50)
    price = cost + multiple(rng, 150, 250, 50)
    lower = price - multiple(rng, 50, 100, 50)
    rest = bought - first
    answer = first * price + rest * lower - bought * cost
    slips: Slips = [
        bought * (price - cost),
        bought * (lower - cost),
        rest * price + first * lower - bought * cost,
        first * (price - cost),
        rest * (lower - cost),
        answer + first * cost,
        answer + rest * 50,
        answer - first * 50,
    ]
    values: Values = {
        "bought": bought,
        "first": first,
        "cost": Rupees(cost),
        "price": Rupees(price),
        "lower": Rupees(lower),
    }
    extra = perhaps(rng, other=rng.randint(3, 5))
    return Problem("profit_shirts", values, answer, "rupees", slips, {"steps": 4}, extra)


def two_prices(rng: random.Random) -> Problem:
    """The price of each thing, from two bills that differ in one of them."""
    cups = rng.randint(2, 6)
    few = rng.randint(2, 5)
    many = few + rng.randint(2, 5)
    tea, samosa = rng.sample(range(10, 26), 2)
    first, second = cups * tea + few * samosa, cups * tea + many * samosa
    asks_tea = rng.random() < 0.7
    answer, wrong = (tea, samosa) if asks_tea else (samosa, tea)
    slips: Slips = [
        wrong,
        Fraction(first, cups + few),
        Fraction(second, cups + many),
        Fraction(second - first, cups),
        Fraction(second, many),
        Fraction(first, cups),
        Fraction(first, few),
        answer + 2,
        answer - 2,
        answer + 5,
        answer - 5,
        second - first,
    ]
    values: Values = {"cups": cups, "few": few, "many": many}
    bills: Values = {"first": Rupees(first), "second": Rupees(second)}
    radicals = {"steps": 4 if asks_tea else 2, "reverse": 1}
    scene = "canteen_tea" if asks_tea else "canteen_samosa"
    extra = perhaps(rng, other=rng.randint(4, 9))
    return Problem(scene, {**values, **bills}, answer, "rupees", slips, radicals, extra)
