"""6. Careless answers are flagged, careful ones are not."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from assessments.measurement.bank import Bank
from assessments.measurement.validity import check
from bench.measurement.claims.people import careful, random_clicker, straight_liner
from tests.support.figures import Figure, at_least, at_most, reported

STUDENTS = 1000


def figures(bank: Bank, full: bool) -> Iterator[Figure]:
    count = STUDENTS * (3 if full else 1)
    for name, kind in (("straight-liners", straight_liner), ("random clickers", random_clicker)):
        flagged = sum(bool(check(bank, kind(bank, f"{name} {n}")).flags) for n in range(count))
        yield at_least(f"{name} who are flagged, share", flagged / count, 0.95)
    found = [check(bank, careful(bank, f"careful {n}")).flags for n in range(count)]
    flagged = sum(bool(flags) for flags in found)
    yield at_most("careful students who are flagged, share", flagged / count, 0.06)
    for flag, times in sorted(Counter(flag for flags in found for flag in flags).items()):
        yield reported(f"of these, {flag}", times / count)
