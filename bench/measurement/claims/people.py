"""Simulated students who answer every statement, and four puzzles a family."""

from __future__ import annotations

import math
import random
from collections.abc import Mapping

from assessments.measurement.bank import DONT_KNOW, Bank
from assessments.measurement.response_model import probability
from assessments.measurement.scales import PREFERENCES
from assessments.measurement.validity import Given
from itemgen.hexagon import draw_types

PER_FAMILY = 4
MIDDLE, SPREAD = 3.1, 0.85
LOADING = 0.8
# The share of attention checks that a careful reader overlooks.
OVERLOOKED = 0.01
# Seconds a statement; a puzzle takes about its expected time.
STATEMENT_SECONDS, TIME_SPREAD = 4.5, 0.45


def careful(bank: Bank, seed: str) -> list[Given]:
    """Return all answers of a student who reads, in the order of the sections."""
    draw = random.Random(seed)
    likes = draw_types(draw) | {scale: draw.gauss(0, 1) for scale in PREFERENCES}
    pace = math.exp(draw.gauss(0, 0.25))
    answers = []
    for code, scale, keyed in statements(bank):
        if code in bank.instructed:
            seen = draw.random() >= OVERLOOKED
            choice = bank.instructed[code] if seen else draw.randint(1, 5)
        else:
            choice = rated(keyed * likes[scale], draw)
        answers.append(Given(code, choice, _seconds(STATEMENT_SECONDS, pace, draw)))
    return in_order(bank, answers, _puzzles(bank, pace, draw))


def straight_liner(bank: Bank, seed: str) -> list[Given]:
    """Return the same answer to every statement, at the usual pace."""
    draw = random.Random(seed)
    always = draw.randint(1, 5)
    answers = [
        Given(code, always, _seconds(STATEMENT_SECONDS, 1, draw)) for code, _, _ in statements(bank)
    ]
    return in_order(bank, answers, _puzzles(bank, 1, draw, clicking=True))


def random_clicker(bank: Bank, seed: str) -> list[Given]:
    """Return random answers at the usual pace, so that the times reveal nothing."""
    draw = random.Random(seed)
    answers = [
        Given(code, draw.randint(1, 5), _seconds(STATEMENT_SECONDS, 1, draw))
        for code, _, _ in statements(bank)
    ]
    return in_order(bank, answers, _puzzles(bank, 1, draw, clicking=True))


def rated(liking: float, draw: random.Random) -> int:
    return max(1, min(5, round(MIDDLE + SPREAD * liking + draw.gauss(0, SPREAD))))


def statements(bank: Bank) -> list[tuple[str, str, int]]:
    """List code, scale and key of all statements, attention checks included, in bank order."""
    known = {**bank.interests, **bank.preferences}
    return [
        (
            code,
            known[code].scale if code in known else "",
            known[code].keyed if code in known else 1,
        )
        for code in bank.sections
        if code in known or code in bank.instructed
    ]


def in_order(bank: Bank, answers: list[Given], puzzles: list[Given]) -> list[Given]:
    first = [each for each in answers if bank.sections[each.code] == "interests"]
    last = [each for each in answers if bank.sections[each.code] == "preferences"]
    return [*first, *puzzles, *last]


def _puzzles(
    bank: Bank, pace: float, draw: random.Random, *, clicking: bool = False
) -> list[Given]:
    g = draw.gauss(0, 1)
    ability = _abilities(bank, g, draw)
    by_family: dict[str, list[str]] = {}
    for code in sorted(bank.aptitude):
        by_family.setdefault(bank.aptitude[code].family, []).append(code)
    answers = []
    for family, codes in by_family.items():
        for code in draw.sample(codes, PER_FAMILY):
            item = bank.aptitude[code]
            right = 0.2 if clicking else probability(ability[family], item.a, item.b, item.c)
            choice = bank.keys[code] if draw.random() < right else DONT_KNOW
            expected = bank.seconds.get(code, 40.0)
            answers.append(Given(code, choice, _seconds(expected, pace, draw)))
    return answers


def _abilities(bank: Bank, g: float, draw: random.Random) -> Mapping[str, float]:
    own = math.sqrt(1 - LOADING**2)
    return {
        family: ability
        for families in bank.facets.values()
        for ability in [LOADING * g + own * draw.gauss(0, 1)]
        for family in families
    }


def _seconds(usual: float, pace: float, draw: random.Random) -> float:
    return usual * pace * math.exp(draw.gauss(0, TIME_SPREAD))
