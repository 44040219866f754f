"""Simulated students who answer every question of the bank that ranks by fields."""

from __future__ import annotations

import math
import random
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from functools import cache

from lab.truths import Truth
from measurement.ability import probability
from measurement.bank import DONT_KNOW, Bank
from measurement.fields import fields_to_ask
from measurement.validity import Given

PER_FAMILY, PER_PAGE = 2, 7
TRUTHS = ("basic_interests", "knowledge")
# Two facets correlate .64.
LOADING = 0.8
# The share of attention checks that a careful reader overlooks.
OVERLOOKED = 0.015
# People differ in pace, pages and puzzles in how long they take; SDs of the logarithm. They take a
# little less than the expected time, and half of it for a puzzle that they give up.
USUAL, OF_PERSON, OF_PAGE, OF_PUZZLE, GIVEN_UP = 0.9, 0.3, 0.3, 0.5, 0.5

# Returns the answer (1 to 5) to the statement with this code.
Answering = Callable[[str], int]


@dataclass(frozen=True, slots=True)
class Manner:
    """How a careful student uses the five answers.

    `share` is the share of students, `loading` the part of an answer's SD that likings make,
    `spread` that SD, and `level` the SD over students of the mean answer.
    """

    share: float
    loading: float
    spread: float
    level: float


# A third of careful students leave the middle often, hardly ever, or have no clear likings.
MANNERS: Mapping[str, Manner] = {
    "as most do": Manner(0.65, 0.75, 1.1, 0.3),
    "mostly 1 and 5": Manner(0.15, 0.75, 2.0, 0.4),
    "mostly 2 to 4": Manner(0.10, 0.75, 0.55, 0.3),
    "everything alike": Manner(0.10, 0.30, 0.60, 0.6),
}


def careful(bank: Bank, seed: str, manner: Manner) -> list[Given]:
    """Return all answers of a student who reads: likings of a truth, in a manner of answering."""
    draw = random.Random(seed)
    truth = _truth(draw.choice(TRUTHS))
    student, level = truth.student(seed), draw.gauss(0, manner.level)
    noise = math.sqrt(1 - manner.loading**2)

    def answer(code: str) -> int:
        if code in bank.instructed:
            return bank.instructed[code] if draw.random() >= OVERLOOKED else draw.randint(1, 5)
        if code in bank.preferences:
            return _nearest(3 + draw.gauss(0, 1))
        inclined = manner.loading * student.liking(code) + noise * draw.gauss(0, 1)
        return _nearest(truth.usual(code) + level + manner.spread * inclined)

    return sitting(bank, answer, draw)


def straight_liner(bank: Bank, seed: str) -> list[Given]:
    """Return one answer to every statement, at the usual pace."""
    return _repeated(bank, seed, 1)


def pattern_clicker(bank: Bank, seed: str) -> list[Given]:
    """Return two to five different answers over and over."""
    return _repeated(bank, seed, random.Random(f"length {seed}").randint(2, 5))


def attentive(bank: Bank, given: list[Given]) -> list[Given]:
    """Return the same answers with both attention checks passed, as by luck."""
    return [
        Given(each.code, bank.instructed.get(each.code, each.choice), each.seconds)
        for each in given
    ]


def gives_up(bank: Bank, seed: str) -> list[Given]:
    """Return answers that are careful in the first 16 statements and then always the same."""
    careless = straight_liner(bank, seed)
    first = careful(bank, seed, MANNERS["as most do"])[:16]
    return [*first, *careless[len(first) :]]


def random_clicker(bank: Bank, seed: str) -> list[Given]:
    """Return random answers at the usual pace, so that the times reveal nothing."""
    draw = random.Random(seed)
    return sitting(bank, lambda code: draw.randint(1, 5), draw, clicking=True)


def narrow_clicker(bank: Bank, seed: str) -> list[Given]:
    """Return random answers from 2 to 4."""
    draw = random.Random(seed)
    return sitting(bank, lambda code: draw.randint(2, 4), draw, clicking=True)


def without_liking(bank: Bank, seed: str) -> list[Given]:
    """Return answers about a person's own level that no liking moves, spread as those of most."""
    draw = random.Random(seed)
    usual = MANNERS["as most do"]
    level = 3 + draw.gauss(0, usual.level)
    return sitting(bank, lambda code: _nearest(level + usual.spread * draw.gauss(0, 1)), draw)


def broken_liner(bank: Bank, seed: str) -> list[Given]:
    """Return one answer, and every eighth time or so any other."""
    draw = random.Random(seed)
    usual = draw.randint(1, 5)
    return sitting(
        bank,
        lambda code: usual if draw.random() < 7 / 8 else draw.randint(1, 5),
        draw,
        clicking=True,
    )


def _repeated(bank: Bank, seed: str, length: int) -> list[Given]:
    draw = random.Random(seed)
    answers = draw.sample(range(1, 6), length)
    asked: list[str] = []

    def answer(code: str) -> int:
        asked.append(code)
        return answers[(len(asked) - 1) % length]

    return sitting(bank, answer, draw, clicking=True)


def sitting(
    bank: Bank, answer: Answering, draw: random.Random, *, clicking: bool = False
) -> list[Given]:
    """Return all answers of an attempt, in their order. A clicker solves puzzles by chance."""
    pace = USUAL * math.exp(draw.gauss(0, OF_PERSON))
    stage_1 = [code for code, section in bank.sections.items() if section == "interests"]
    first = _answered(bank, stage_1, answer, pace, draw)
    choices = {each.code: each.choice for each in first if each.code in bank.interests}
    leading = fields_to_ask(bank, choices)
    stage_2 = [
        code
        for code, section in bank.sections.items()
        if section == "fields"
        and (code in bank.instructed or bank.follow_ups[code].scale in leading)
    ]
    return [
        *first,
        *_answered(bank, stage_2, answer, pace, draw),
        *_puzzles(bank, pace, draw, clicking=clicking),
        *_answered(bank, list(bank.preferences), answer, pace, draw),
    ]


def _answered(
    bank: Bank, codes: list[str], answer: Answering, pace: float, draw: random.Random
) -> list[Given]:
    """Answer statements page by page; the time of a page is divided equally."""
    usual = bank.section_seconds[bank.sections[codes[0]]] / len(codes)
    given = []
    for place, code in enumerate(codes):
        if place % PER_PAGE == 0:
            seconds = usual * pace * math.exp(draw.gauss(0, OF_PAGE))
        given.append(Given(code, answer(code), seconds))
    return given


def _puzzles(bank: Bank, pace: float, draw: random.Random, *, clicking: bool) -> Iterator[Given]:
    ability = _abilities(bank, draw)
    by_family: dict[str, list[str]] = {}
    for code in sorted(bank.aptitude):
        by_family.setdefault(bank.aptitude[code].family, []).append(code)
    for family, codes in by_family.items():
        for code in draw.sample(codes, PER_FAMILY):
            item = bank.aptitude[code]
            right = 0.2 if clicking else probability(ability[family], item.a, item.b, item.c)
            solved = draw.random() < right
            seconds = bank.seconds[code] * pace * math.exp(draw.gauss(0, OF_PUZZLE))
            if solved or clicking:
                yield Given(code, bank.keys[code] if solved else DONT_KNOW, seconds)
            else:
                yield Given(code, DONT_KNOW, GIVEN_UP * seconds)


def _abilities(bank: Bank, draw: random.Random) -> Mapping[str, float]:
    g, own = draw.gauss(0, 1), math.sqrt(1 - LOADING**2)
    return {
        family: ability
        for families in bank.facets.values()
        for ability in [LOADING * g + own * draw.gauss(0, 1)]
        for family in families
    }


def _nearest(value: float) -> int:
    return max(1, min(5, round(value)))


@cache
def _truth(name: str) -> Truth:
    return Truth.read(name)
