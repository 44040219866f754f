"""5. The time to choose an item and to update the estimate."""

from __future__ import annotations

import time
from collections.abc import Iterator
from statistics import fmean, median

from bench.measurement.claims.simulated import GIVEN, abilities, answering
from lab.figures import Figure, at_most, reported
from measurement.ability import Response, eap
from measurement.bank import Bank
from measurement.selection import next_item

SITTINGS = 40


def figures(bank: Bank) -> Iterator[Figure]:
    """Time the selection as the service does it, from all answers each time."""
    targets = bank.family_targets()
    # As after some days: every item has been given to some students, a few to too many.
    exposure = {code: (number % 30) / 100 for number, code in enumerate(sorted(bank.aptitude))}
    spent: list[float] = []
    for number, theta in enumerate(abilities(SITTINGS, "students on the clock")):
        answers = answering(theta, bank.aptitude, f"clock {number}")
        responses: list[Response] = []
        for position in range(GIVEN):
            began = time.perf_counter()
            code = next_item(
                bank.aptitude.values(),
                responses,
                targets,
                exposure=exposure,
                seed=f"clock {number} {position}",
            )
            item = bank.aptitude[code]
            responses.append(Response(item, answers(item)))
            eap(responses)
            spent.append(1000 * (time.perf_counter() - began))
    yield at_most("next of 360 items and the estimate: median ms", median(spent), 1.0)
    yield reported("the same: mean ms", fmean(spent))
    yield reported("the same: 99 of 100 within, ms", sorted(spent)[len(spent) * 99 // 100])
