"""A second, independent opinion on matrices: which of the options follows, and why.

It reads only the figure and the options as they stand in a bank file, tries every rule with every
value in the empty place, along rows, columns and diagonals. It shares nothing with the generator.
"""

from collections.abc import Callable, Mapping, Sequence
from typing import Any

Picture = Mapping[str, Any]
Line = Sequence[Any]
# Whether three whole lines of an attribute of this name keep to the rule.
Rule = Callable[[str, Sequence[Line]], bool]

CYCLES = {"turn": 360, "dot": 8, "ring": 8}
NUMBERS = {"size": 3, "count": 5}
SETS = ("rays", "grid", "lines")


def options_that_follow(item):
    """Return the places (from 1) of the options that some combination of rules leads to."""
    shown = item["figure"]["cells"][:-1]
    allowed = {name: expected(name, [cell[name] for cell in shown]) for name in shown[0]}
    return [
        option["value"]
        for option in item["options"]
        if all(plain(option["figure"]["cell"][name]) in values for name, values in allowed.items())
    ]


def expected(name, shown):
    """Return every value that a rule which fits the shown ones leads to."""
    grid = [plain(value) for value in shown]
    found = set()
    rows, columns, *diagonals = readings(grid)
    for lines in (rows, columns):
        found |= set(_next_in(name, lines, RULES))
    for lines in diagonals:
        found |= set(_next_in(name, lines, (_alike, _three_each)))
    return found


def plain(value):
    """Write a set of parts as one number with a bit for each part."""
    return sum(1 << part for part in value) if isinstance(value, list) else value


def readings(grid):
    """Yield the eight values by threes, the last three without the missing one."""
    place = {(row, column): 3 * row + column for row in range(3) for column in range(3)}
    ways = (
        [[(row, column) for column in range(3)] for row in range(3)],
        [[(row, column) for row in range(3)] for column in range(3)],
        [[(row, (row + start) % 3) for row in range(3)] for start in (1, 2, 0)],
        [[(row, (start - row) % 3) for row in range(3)] for start in (2, 0, 1)],
    )
    for way in ways:
        lines = [[grid[place[at]] for at in line if at != (2, 2)] for line in way]
        lines.sort(key=len, reverse=True)
        yield lines


def _next_in(name, lines, rules):
    first, second, (a, b) = lines
    values = {*first, *second, a, b}
    if name in SETS:
        values |= set(range(512))
    elif name in CYCLES:
        values |= set(range(0, CYCLES[name], 45 if name == "turn" else 1))
    elif name in NUMBERS:
        values |= set(range(1, NUMBERS[name] + 1))
    for c in values:
        third = (a, b, c)
        if any(fits(name, (first, second, third)) for fits in rules):
            yield c


def _alike(name, lines):
    return all(len(set(line)) == 1 for line in lines)


def _first_again(name, lines):
    return all(a == c for a, _, c in lines)


def _second_again(name, lines):
    return all(b == c for _, b, c in lines)


def _three_each(name, lines):
    return len(set(lines[0])) == 3 and len({frozenset(line) for line in lines}) == 1


def _even_steps(name, lines):
    """Each line has a step of its own, which may be the same in all."""
    if name in CYCLES:
        return all((a + c - 2 * b) % CYCLES[name] == 0 for a, b, c in lines)
    return name in NUMBERS and all(a + c == 2 * b for a, b, c in lines)


def _sums(name, lines):
    return name in NUMBERS and any(
        all(signs[0] * a + signs[1] * b == c for a, b, c in lines)
        for signs in ((1, 1), (1, -1), (-1, 1))
    )


def _same_choice_of_parts(name, lines):
    """Whether a part is shown depends only on which of the first two pictures have it."""
    if name not in SETS:
        return False
    seen = {(0, 0): 0}
    for a, b, c in lines:
        for bit in range(9):
            both = (a >> bit & 1, b >> bit & 1)
            if seen.setdefault(both, c >> bit & 1) != c >> bit & 1:
                return False
    return True


RULES = (
    _alike,
    _first_again,
    _second_again,
    _three_each,
    _even_steps,
    _sums,
    _same_choice_of_parts,
)
