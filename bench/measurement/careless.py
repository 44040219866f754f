"""Careless answers are flagged, careful ones are not.

Students answer every question of the shipped bank, each from a seed. Told are those whose result
says that it is unsure: flagged ones and flat profiles.

The limits in the bank were chosen on the seed CHOSEN_ON. CONFIRMED_ON is another.
"""

import math
import random
from dataclasses import dataclass

from bench.measurement.sittings import BANK, LOADING, sit_all
from lab.figures import at_least, at_most, reported
from lab.truths import Truth
from measurement.ability import probability
from measurement.bank import DONT_KNOW
from measurement.fields import fields_to_ask
from measurement.profile import score_attempt
from measurement.validity import INTERESTS, AnsweredItem, check_validity

STUDENTS = 1000
CHOSEN_ON, CONFIRMED_ON = "choose", "confirm"
LEAST_CAUGHT, LEAST_TOLD, MOST_ACCUSED = 0.95, 0.80, 0.10
PER_PAGE = 7
TRUTHS = [Truth.read(name) for name in ("basic_interests", "knowledge", "activities")]
# The share of attention checks that a careful reader overlooks.
OVERLOOKED = 0.015
# People differ in pace, pages and puzzles in how long they take; SDs of the logarithm. They take a
# little less than the expected time, and half of it for a puzzle that they give up.
USUAL, OF_PERSON, OF_PAGE, OF_PUZZLE, GIVEN_UP = 0.9, 0.3, 0.3, 0.5, 0.5


def figures():
    for seed in (CHOSEN_ON, CONFIRMED_ON):
        for name, kind in CARELESS.items():
            rows = [kind(f"{seed} {name} {number}") for number in range(STUDENTS)]
            yield at_least(f"{seed}: {name}", flagged(rows) / STUDENTS, LEAST_CAUGHT)
        for name, kind in LUCKY.items():
            rows = [attentive(kind(f"{seed} {name} {number}")) for number in range(STUDENTS)]
            told = sum(INTERESTS in score_attempt(BANK, each).doubts for each in rows)
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


def repeated(seed, length):
    """Return `length` different answers over and over, at the usual pace."""
    draw = random.Random(seed)
    answers = draw.sample(range(1, 6), length)
    asked = []

    def answer(code):
        asked.append(code)
        return answers[(len(asked) - 1) % length]

    return sitting(answer, draw, clicking=True)


def attentive(given):
    """Return the same answers with both attention checks passed, as by luck."""
    return [
        AnsweredItem(each.code, BANK.instructed.get(each.code, each.choice), each.seconds)
        for each in given
    ]


def random_clicker(seed, lowest=1, highest=5):
    """Return random answers at the usual pace, so that the times reveal nothing."""
    draw = random.Random(seed)
    return sitting(lambda code: draw.randint(lowest, highest), draw, clicking=True)


def without_liking(seed):
    """Return answers about a person's own level that no liking moves, spread as those of most."""
    draw = random.Random(seed)
    usual = MANNERS["as most do"]
    level = 3 + draw.gauss(0, usual.level)
    return sitting(lambda code: nearest(level + usual.spread * draw.gauss(0, 1)), draw)


def broken_liner(seed):
    """Return one answer, and every eighth time or so any other."""
    draw = random.Random(seed)
    usual = draw.randint(1, 5)

    def answer(code):
        return usual if draw.random() < 7 / 8 else draw.randint(1, 5)

    return sitting(answer, draw, clicking=True)


def sitting(answer, draw, *, clicking=False):
    """Return all answers of an attempt, in their order. A clicker solves puzzles by chance.

    `answer` returns the answer (1 to 5) to the statement with a code.
    """
    pace = USUAL * math.exp(draw.gauss(0, OF_PERSON))
    stage_1 = [code for code, section in BANK.sections.items() if section == "interests"]
    first = answered(stage_1, answer, pace, draw)
    choices = {each.code: each.choice for each in first if each.code in BANK.interests}
    leading = fields_to_ask(BANK, choices)
    stage_2 = [
        code
        for code, section in BANK.sections.items()
        if section == "fields"
        and (code in BANK.instructed or BANK.follow_ups[code].scale in leading)
    ]
    second = answered(stage_2, answer, pace, draw)
    solved = puzzles(pace, draw, clicking)
    return [*first, *second, *solved, *answered(list(BANK.preferences), answer, pace, draw)]


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
    g, own = draw.gauss(0, 1), math.sqrt(1 - LOADING**2)
    ability = {}
    for families in BANK.facets.values():
        ability |= dict.fromkeys(families, LOADING * g + own * draw.gauss(0, 1))

    def is_right(item):
        right = 0.2 if clicking else probability(ability[item.family], item.a, item.b, item.c)
        return draw.random() < right

    [sat] = sit_all(BANK.aptitude, [is_right], draw.random())
    for response in sat.responses:
        code = response.item.code
        seconds = BANK.seconds[code] * pace * math.exp(draw.gauss(0, OF_PUZZLE))
        if not (response.correct or clicking):
            seconds *= GIVEN_UP
        yield AnsweredItem(code, BANK.keys[code] if response.correct else DONT_KNOW, seconds)


def nearest(value):
    return max(1, min(5, round(value)))


CARELESS = {
    "straight-liners": lambda seed: repeated(seed, 1),
    "who clicks two to five answers over and over": lambda seed: repeated(
        seed, random.Random(f"length {seed}").randint(2, 5)
    ),
    "random clickers, at the usual pace": random_clicker,
}
# These pass both attention checks, so that only their other answers can tell.
LUCKY = {
    "random clickers": random_clicker,
    "random clickers from 2 to 4": lambda seed: random_clicker(seed, 2, 4),
    "answers without any liking": without_liking,
    "broken straight lines": broken_liner,
}
