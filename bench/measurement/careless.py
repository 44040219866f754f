"""Careless answers are flagged, careful ones are not.

Told are those whose result says that it is unsure: flagged ones and flat profiles. The limits in
the bank were chosen on the first seed.
"""

import math
import random
from dataclasses import replace
from functools import partial
from itertools import cycle
from typing import NamedTuple

from bench.measurement.sittings import BANK, sit_all, students_by_facet
from lab.figures import at_least, at_most, reported
from lab.truths import Truth
from measurement.bank import DONT_KNOW
from measurement.fields import fields_to_ask
from measurement.profile import score_attempt
from measurement.validity import INTERESTS, AnsweredItem, check_validity, choices_by_code

STUDENTS, PER_PAGE = 1000, 7
LEAST_CAUGHT, LEAST_TOLD, MOST_ACCUSED = 0.95, 0.80, 0.10
TRUTHS = [Truth.read(name) for name in ("basic_interests", "knowledge", "activities")]
GUESSED = 0.2  # of puzzles
# The share of attention checks that a careful reader overlooks.
OVERLOOKED = 0.015
# People differ in pace, pages and puzzles in how long they take; SDs of the logarithm. They take a
# little less than the expected time, and half of it for a puzzle that they give up.
USUAL, OF_PERSON, OF_PAGE, OF_PUZZLE, GIVEN_UP = 0.9, 0.3, 0.3, 0.5, 0.5


def figures():
    for seed in ("choose", "confirm"):
        for name, kind in CARELESS.items():
            rows = [clicked(kind, f"{seed} {name} {number}") for number in range(STUDENTS)]
            yield at_least(f"{seed}: {name}", flagged(rows) / STUDENTS, LEAST_CAUGHT)
        for name, kind in LUCKY.items():
            given = (clicked(kind, f"{seed} {name} {number}") for number in range(STUDENTS))
            told = sum(INTERESTS in score_attempt(BANK, attentive(each)).doubts for each in given)
            yield at_least(f"{seed}: told, checks passed: {name}", told / STUDENTS, LEAST_TOLD)
        accused = 0
        for name, manner in MANNERS.items():
            count = round(manner.share * STUDENTS)
            rows = [careful(f"{seed} {name} {number}", manner) for number in range(count)]
            accused += flagged(rows)
            yield reported(f"{seed}: careful, {name}", flagged(rows) / count)
            flat = sum(score_attempt(BANK, each).is_flat for each in rows)
            yield reported(f"{seed}: of these, with a flat profile", flat / count)
        yield at_most(f"{seed}: all careful students", accused / STUDENTS, MOST_ACCUSED)


def flagged(rows):
    return sum(bool(check_validity(BANK, each).flags) for each in rows)


class Manner(NamedTuple):
    """How a careful student uses the five answers."""

    share: float  # of students
    loading: float  # the part of an answer's SD that likings make
    spread: float  # that SD
    level: float  # the SD over students of the mean answer


# A third of careful students leave the middle often, hardly ever, or have no clear likings.
MANNERS = {
    "as most do": Manner(0.65, 0.75, 1.1, 0.3),
    "mostly 1 and 5": Manner(0.15, 0.75, 2.0, 0.4),
    "mostly 2 to 4": Manner(0.10, 0.75, 0.55, 0.3),
    "everything alike": Manner(0.10, 0.30, 0.60, 0.6),
}


def careful(seed, manner):
    """Return all answers of a student who reads: likings of a truth, in a manner of answering."""
    draw = random.Random(seed)
    truth = draw.choice(TRUTHS)
    student, level = truth.student(seed), draw.gauss(0, manner.level)
    noise = math.sqrt(1 - manner.loading**2)

    def answer(code):
        if code in BANK.instructed:
            return BANK.instructed[code] if draw.random() >= OVERLOOKED else draw.randint(1, 5)
        if code in BANK.preferences:
            return nearest(3 + draw.gauss(0, 1))
        inclined = manner.loading * student.liking(code) + noise * draw.gauss(0, 1)
        return nearest(truth.usual(code) + level + manner.spread * inclined)

    return sitting(answer, draw)


def clicked(kind, seed):
    """Return all answers of a student whose answers to statements come from `kind`."""
    draw = random.Random(seed)
    answers = kind(draw)
    return sitting(lambda _: next(answers), draw, clicking=kind is not without_liking)


def pattern(draw, length=0):
    """Yield one to five different answers over and over."""
    return cycle(draw.sample(range(1, 6), length or draw.randint(2, 5)))


def chance(draw, lowest=1, highest=5):
    while True:
        yield draw.randint(lowest, highest)


def broken_line(draw):
    """Yield one answer, and every eighth time or so any other."""
    usual = draw.randint(1, 5)
    while True:
        yield usual if draw.random() < 7 / 8 else draw.randint(1, 5)


def without_liking(draw):
    """Yield answers about a person's own level that no liking moves, spread as those of most."""
    usual = MANNERS["as most do"]
    level = 3 + draw.gauss(0, usual.level)
    while True:
        yield nearest(level + usual.spread * draw.gauss(0, 1))


CARELESS = {
    "straight-liners": partial(pattern, length=1),
    "who clicks two to five answers over and over": pattern,
    "random clickers, at the usual pace": chance,
}
# With both attention checks passed, so that only their other answers can tell.
LUCKY = {
    "random clickers": chance,
    "random clickers from 2 to 4": partial(chance, lowest=2, highest=4),
    "answers without any liking": without_liking,
    "broken straight lines": broken_line,
}


def attentive(given):
    """Return the same answers with both attention checks passed, as by luck."""
    return [replace(each, choice=BANK.instructed.get(each.code, each.choice)) for each in given]


def sitting(answer, draw, *, clicking=False):
    """Return all answers of an attempt; `answer` gives that to the statement with a code."""
    pace = USUAL * math.exp(draw.gauss(0, OF_PERSON))
    first = answered(section("interests"), answer, pace, draw)
    leading = fields_to_ask(BANK, choices_by_code(first))
    stage_2 = [
        code
        for code in section("fields")
        if code in BANK.instructed or BANK.follow_ups[code].scale in leading
    ]
    return [
        *first,
        *answered(stage_2, answer, pace, draw),
        *puzzles(pace, draw, clicking),
        *answered(section("preferences"), answer, pace, draw),
    ]


def section(name):
    return [code for code, each in BANK.sections.items() if each == name]


def answered(codes, answer, pace, draw):
    """Answer statements page by page; the time of a page is divided equally."""
    usual = BANK.section_seconds[BANK.sections[codes[0]]] / len(codes)
    given = []
    for place, code in enumerate(codes):
        if place % PER_PAGE == 0:
            seconds = usual * pace * math.exp(draw.gauss(0, OF_PAGE))
        given.append(AnsweredItem(code, answer(code), seconds))
    return given


def puzzles(pace, draw, clicking):
    """Yield the answers to the puzzles, which are chosen as the service chooses them."""
    _, [student] = students_by_facet(BANK.aptitude, 1, f"{draw.random()}", draw)
    is_right = (lambda item: draw.random() < GUESSED) if clicking else student
    [sat] = sit_all(BANK.aptitude, [is_right], draw.random())
    for response in sat.responses:
        code = response.item.code
        seconds = BANK.seconds[code] * pace * math.exp(draw.gauss(0, OF_PUZZLE))
        if not (response.correct or clicking):
            seconds *= GIVEN_UP
        yield AnsweredItem(code, BANK.keys[code] if response.correct else DONT_KNOW, seconds)


def nearest(value):
    return max(1, min(5, round(value)))
