"""5. How often the range of an estimate holds the true ability, for better and worse difficulties.

A range is the estimate, one error to each side, and should hold two abilities in three (.68).
"""

from __future__ import annotations

import random
from collections.abc import Iterator
from dataclasses import replace
from statistics import fmean

from bench.measurement.claims.simulated import abilities, answering, sit_all, truths
from lab.figures import Figure, reported
from measurement.ability import UNCALIBRATED_ERRORS, reported_bands
from measurement.bank import Bank

STUDENTS = 1000
OFF = 0.5


def figures(bank: Bank, full: bool) -> Iterator[Figure]:
    items, draw = bank.aptitude, random.Random("difficulties that are off")
    worlds = {
        "difficulties as the rules say": items,
        "70 % of difficulty by the rules": truths(
            list(items.values()), "what the items are really like"
        ),
        f"each puzzle off, SD {OFF}": {
            code: replace(item, b=item.b + draw.gauss(0, OFF)) for code, item in items.items()
        },
        f"all puzzles {OFF} harder": {
            code: replace(item, b=item.b + OFF) for code, item in items.items()
        },
    }
    thetas = abilities(STUDENTS * (3 if full else 1), "ranges")
    for title, truth in worlds.items():
        students = [
            answering(theta, truth, f"ranges' student {number}")
            for number, theta in enumerate(thetas)
        ]
        sittings, _ = sit_all(items, bank.family_targets(), students, "ranges")
        found = [each.ability for each in sittings]
        for times, normal in ((1, 0.683), (UNCALIBRATED_ERRORS, 0.789)):
            held = [
                abs(each.theta - theta) <= times * each.se
                for each, theta in zip(found, thetas, strict=True)
            ]
            yield reported(f"{title}: {times} x SE holds", fmean(held), f"(should be {normal})")
        crossing = fmean(len(reported_bands(each, is_calibrated=False)) > 1 for each in found)
        yield reported(f"{title}: the range lies in no single band of three", crossing)
