"""A second, independent opinion on what comes next: try every rule with every number in it.

Each rule is run forward from the first shown numbers with all values of its parameters; whatever
reproduces what is shown says what comes next. Nothing is shared with the generators.
"""

from collections.abc import Callable
from fractions import Fraction
from itertools import product

Number = int | Fraction
Grow = Callable[[list[Number]], Number]

SMALL = range(-15, 16)
TINY = range(-8, 9)
TIMES = sorted({Fraction(n, d) for n in range(1, 6) for d in range(1, 6)})


def next_numbers(shown):
    """Return every whole number that some rule which fits the shown ones leads to."""
    found = {*_one_row(shown), *_woven(shown)}
    return {int(value) for value in found if Fraction(value).denominator == 1}


def _one_row(shown):
    for period in (1, 2, 3):
        yield from _operations(shown, period)
    yield from _multiply_and_add(shown)
    yield from _from_several(shown)
    if len(shown) >= 6:
        for growth, change in product(SMALL, TINY):
            first = shown[1] - shown[0]
            yield from _run(
                shown,
                1,
                lambda row, s=first, g=growth, c=change: (
                    row[-1] + s + g * (len(row) - 1) + c * (len(row) - 1) * (len(row) - 2) // 2
                ),
            )
    if len(shown) >= 5:
        # Up and down by turns, by more each time.
        first = shown[1] - shown[0]
        for growth in SMALL:
            sizes = [abs(first) + growth * place for place in range(len(shown))]
            if min(sizes) > 0:
                yield from _run(
                    shown,
                    1,
                    lambda row, s=sizes, way=(1 if first > 0 else -1): (
                        row[-1] + way * (-1) ** (len(row) - 1) * s[len(row) - 1]
                    ),
                )


def _operations(shown, period):
    """So many operations take turns; each adds, perhaps more each time, or multiplies."""
    moves = len(shown) - 1
    seen = [len(range(place, moves, period)) for place in range(period)]
    if min(seen) < 2:
        return
    choices = []
    for place in range(period):
        before, after = shown[place], shown[place + 1]
        growths = SMALL if seen[place] >= 3 else (0,)
        choice = [("add", after - before, growth) for growth in growths]
        if before and after:
            ratio = Fraction(after, before)
            times = (0, 1, -1, Fraction(1, 2), 2) if period == 1 and moves >= 3 else (0,)
            choice += [("times", ratio, growth) for growth in times]
            choice += [("over", 1 / ratio, growth) for growth in times if growth]
        choices.append(choice)

    # A choice that fails where it is next used need not be combined with the others.
    for place in range(period):
        again = place + period
        choices[place] = [
            each for each in choices[place] if _moved(shown[again], each, 1) == shown[again + 1]
        ]
    for chosen in product(*choices):
        yield from _run(
            shown,
            1,
            lambda row, c=chosen: _moved(
                row[-1], c[(len(row) - 1) % period], (len(row) - 1) // period
            ),
        )


def _moved(number, operation, turn):
    name, amount, growth = operation
    now = amount + growth * turn
    if name == "over":
        return Fraction(number) / now if now else None
    return number + now if name == "add" else number * now


def _multiply_and_add(shown):
    """Times the same number, plus an amount that stays, grows, is multiplied or changes sign."""
    if len(shown) < 4:
        return
    for times in TIMES:
        first = shown[1] - times * shown[0]
        yield from _run(shown, 1, lambda row, t=times, e=first: row[-1] * t + e)
        if len(shown) >= 5 and times != 1:
            second = shown[2] - times * shown[1]
            for growth in SMALL:
                yield from _run(
                    shown,
                    1,
                    lambda row, t=times, e=first, g=growth: row[-1] * t + e + g * (len(row) - 1),
                )
            if times.denominator == 1 or times == Fraction(1, 2):
                yield from _run(
                    shown,
                    1,
                    lambda row, t=times, e=(first, second): row[-1] * t + e[(len(row) - 1) % 2],
                )


def _from_several(shown):
    """Made from the two or three numbers before."""
    if len(shown) >= 5:
        extra = shown[2] - shown[1] - shown[0]
        yield from _run(shown, 2, lambda row: row[-1] + row[-2] + extra)
        more = shown[2] - shown[1] * shown[0]
        yield from _run(shown, 2, lambda row: row[-1] * row[-2] + more)
    if len(shown) >= 6:
        for growth in SMALL:
            yield from _run(
                shown, 2, lambda row, g=growth: row[-1] + row[-2] + extra + g * (len(row) - 2)
            )
        for one, two in product(range(-3, 4), (-3, -2, -1, 1, 2, 3)):
            rest = shown[2] - one * shown[1] - two * shown[0]
            yield from _run(
                shown, 2, lambda row, p=one, q=two, e=rest: p * row[-1] + q * row[-2] + e
            )
        third = shown[3] - sum(shown[:3])
        yield from _run(shown, 3, lambda row: sum(row[-3:]) + third)
        for step in SMALL:
            yield from _run(
                shown,
                3,
                lambda row, s=step: row[-1] + (row[-1] - row[-2]) + (row[-2] - row[-3]) + s,
            )


def _woven(shown):
    """Two or three rows take turns."""
    for rows in (2, 3):
        if len(shown) < 3 * rows:
            continue
        own, *others = (shown[(len(shown) + place) % rows :: rows] for place in range(rows))
        if all(any(True for _ in _simple(other)) for other in others):
            yield from _simple(own)


def _simple(shown):
    """Adding or multiplying; in four numbers or more also steps that grow or are multiplied."""
    first = shown[1] - shown[0]
    yield from _run(shown, 1, lambda row: row[-1] + first)
    if shown[0]:
        yield from _run(shown, 1, lambda row: row[-1] * Fraction(shown[1], shown[0]))
    if len(shown) >= 4:
        for growth in SMALL:
            yield from _run(shown, 1, lambda row, g=growth: row[-1] + first + g * (len(row) - 1))
        for times in TIMES:
            yield from _run(
                shown, 1, lambda row, t=times: row[-1] + first * Fraction(t) ** (len(row) - 1)
            )


def _run(shown, given, grow):
    """Yield the number after the shown ones if this rule makes them all of the first ones."""
    row = list(shown[:given])
    if len(shown) <= given:
        return
    for expected in shown[given:]:
        following = grow(row)
        if following != expected:
            return
        row.append(following)
    following = grow(row)
    if following is not None:
        yield following
