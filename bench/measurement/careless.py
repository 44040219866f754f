"""4. Careless answers are flagged, careful ones are not; the order of rows changes nothing.

Told are those whose result says that it is unsure: flagged ones and flat profiles.

The limits in the bank were chosen on the seed CHOSEN_ON. CONFIRMED_ON is another.
"""

import random
from dataclasses import replace

from bench.measurement.sittings import BANK
from bench.measurement.students import (
    MANNERS,
    attentive,
    broken_liner,
    careful,
    narrow_clicker,
    pattern_clicker,
    random_clicker,
    straight_liner,
    without_liking,
)
from lab.figures import at_least, at_most, exactly, reported
from lab.truths import catalogue
from measurement.profile import score
from measurement.recommendation import COUNT, suggest
from measurement.validity import CAREFUL, check

STUDENTS, REORDERED = 1000, 100
CHOSEN_ON, CONFIRMED_ON = "choose", "confirm"
LEAST_CAUGHT, LEAST_TOLD, MOST_ACCUSED = 0.95, 0.80, 0.10
CARELESS = {
    "straight-liners": straight_liner,
    "who clicks two to five answers over and over": pattern_clicker,
    "random clickers, at the usual pace": random_clicker,
}
# These pass both attention checks, so that only their other answers can tell.
LUCKY = {
    "random clickers": random_clicker,
    "random clickers from 2 to 4": narrow_clicker,
    "answers without any liking": without_liking,
    "broken straight lines": broken_liner,
}


def figures():
    yield reordered()
    for seed in (CHOSEN_ON, CONFIRMED_ON):
        for name, kind in CARELESS.items():
            rows = [kind(f"{seed} {name} {number}") for number in range(STUDENTS)]
            yield at_least(f"{seed}: {name}", flagged(rows) / STUDENTS, LEAST_CAUGHT)
        for name, kind in LUCKY.items():
            rows = [attentive(kind(f"{seed} {name} {number}")) for number in range(STUDENTS)]
            told = sum(score(BANK, each).confidence == "low" for each in rows)
            yield at_least(f"{seed}: told, checks passed: {name}", told / STUDENTS, LEAST_TOLD)
        accused = 0
        for name, manner in MANNERS.items():
            count = round(manner.share * STUDENTS)
            rows = [careful(f"{seed} {name} {number}", manner) for number in range(count)]
            accused += flagged(rows)
            yield reported(f"{seed}: careful, {name}", flagged(rows) / count)
            flat = sum(score(BANK, each).is_flat for each in rows)
            yield reported(f"{seed}: of these, with a flat profile", flat / count)
        yield at_most(f"{seed}: all careful students", accused / STUDENTS, MOST_ACCUSED)


def reordered():
    """Count lists that differ if answers and courses are read in another order."""
    draw, courses, different = random.Random("order of rows"), catalogue(), 0
    for number in range(REORDERED):
        given = careful(f"order {number}", MANNERS["as most do"])
        choices = {each.code: each.choice for each in given}
        lists = [
            suggest(BANK, replace(score(BANK, rows), validity=CAREFUL), choices, these, COUNT)
            for rows, these in (
                (given, courses),
                (draw.sample(given, len(given)), draw.sample(courses, len(courses))),
            )
        ]
        different += lists[0] != lists[1]
    return exactly(f"lists of {REORDERED} that another order of rows changes", different, 0)


def flagged(rows):
    return sum(bool(check(BANK, each).flags) for each in rows)
