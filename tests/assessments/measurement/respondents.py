"""Simulated students who answer carefully, or in one of the careless ways.

Each function takes the random numbers of one student, and returns the answers with their times.
"""

from __future__ import annotations

import itertools
import math
import random
from collections.abc import Callable

from assessments.measurement.bank import Bank
from assessments.measurement.fields import fields_to_ask
from assessments.measurement.scales import INTERESTS
from assessments.measurement.validity import Given
from tests.assessments.measurement.field_bank import field_bank
from tests.assessments.measurement.synthetic import bank_file

BANK = Bank.from_json(bank_file())
FIELDS = field_bank()
AMPLE = {"interests": 4.0, "aptitude": 40.0, "preferences": 6.0}
# Five-point interest answers with ups and downs between the types, a general liking that raises all
# of them (types correlate .3), and a reliability of .83 to .85 for eight statements; pages of six;
# log-normal times that differ between persons and pages.
SPREAD, RELIABILITY, COMMON = 0.9, 0.85, 0.3
MISSED_BY_ATTENTIVE = 0.015
STATEMENTS_A_PAGE = 6


def respondent(rng: random.Random, choose: Callable[[str], int]) -> list[Given]:
    """Return answers as `choose` says, given in usual times."""
    pace, given = rng.gauss(0, 0.35), []
    for place, (code, section) in enumerate(BANK.sections.items()):
        if code in BANK.spares:
            continue
        if section == "aptitude" or place % STATEMENTS_A_PAGE == 0:
            noise = 0.5 if section == "aptitude" else 0.3
            seconds = AMPLE[section] * math.exp(pace + rng.gauss(0, noise))
        given.append(Given(code, choose(code), seconds))
    return given


def plausible(rng: random.Random) -> list[Given]:
    true = SPREAD * math.sqrt(RELIABILITY)
    error = SPREAD * math.sqrt((1 - RELIABILITY) * 8)
    general, ability = rng.gauss(0, 1), rng.gauss(0, 1)
    types = {
        scale: 3.2 + true * (math.sqrt(COMMON) * general + math.sqrt(1 - COMMON) * rng.gauss(0, 1))
        for scale in INTERESTS
    }

    def choose(code: str) -> int:
        if code in BANK.instructed:
            missed = rng.random() < MISSED_BY_ATTENTIVE
            return BANK.instructed[code] % 5 + 1 if missed else BANK.instructed[code]
        if code in BANK.aptitude:
            solved = rng.random() < 1 / (1 + math.exp(BANK.aptitude[code].b - ability))
            return BANK.keys[code] if solved else rng.randint(0, 5)
        mean = types[BANK.interests[code].scale] if code in BANK.interests else 3.2
        return max(1, min(5, round(rng.gauss(mean, error))))

    return respondent(rng, choose)


def straight_liner(rng: random.Random) -> list[Given]:
    always = rng.randint(1, 5)
    return respondent(rng, lambda code: always)


def random_clicker(rng: random.Random) -> list[Given]:
    return respondent(rng, lambda code: rng.randint(1, 5))


# The same on the shorter bank: likings by field, which differ within a type, and two stages.
def in_two_stages(rng: random.Random, choose: Callable[[str], int]) -> list[Given]:
    first = {code: choose(code) for code, s in FIELDS.sections.items() if s == "interests"}
    leading = fields_to_ask(FIELDS, first)
    second = {
        code: choose(code)
        for code, section in FIELDS.sections.items()
        if section == "fields"
        and (code in FIELDS.instructed or FIELDS.follow_ups[code].scale in leading)
    }
    pace = math.exp(rng.gauss(0, 0.35))
    return [Given(code, choice, 4.5 * pace) for code, choice in {**first, **second}.items()]


def with_likings_by_field(rng: random.Random) -> list[Given]:
    spread, likings = rng.choice((0.5, 1.1, 1.1, 1.8)), {f: rng.gauss(0, 1) for f in FIELDS.fields}

    def choose(code: str) -> int:
        if code in FIELDS.instructed:
            missed = rng.random() < MISSED_BY_ATTENTIVE
            return FIELDS.instructed[code] % 5 + 1 if missed else FIELDS.instructed[code]
        liking = sum(likings[each] for each in FIELDS.statements[code].fields)
        liking /= math.sqrt(len(FIELDS.statements[code].fields))
        raw = 3.1 + spread * (0.75 * liking + math.sqrt(1 - 0.75**2) * rng.gauss(0, 1))
        return max(1, min(5, round(raw)))

    return in_two_stages(rng, choose)


def one_pattern(rng: random.Random) -> list[Given]:
    pattern = rng.sample(range(1, 6), rng.randint(1, 5))
    place = itertools.count()
    return in_two_stages(rng, lambda code: pattern[next(place) % len(pattern)])


def random_in_two_stages(rng: random.Random) -> list[Given]:
    return in_two_stages(rng, lambda code: rng.randint(1, 5))
