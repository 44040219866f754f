"""Made-up students who answer every item of a made-up bank, in a language."""

import json
import random
from functools import cache

from lab.answers import Attempt, Shown
from lab.generators.build import SHIPPED
from lab.item_statistics import ALL, item_figures
from measurement.ability import probability
from measurement.bank import Bank
from tests.measurement.synthetic import bank_file

BANK = Bank.from_json(bank_file())


@cache
def field_bank():
    """Return the shipped bank, which asks in two stages."""
    return Bank.from_json(json.loads(SHIPPED.read_bytes()))


EASY, HARD = "apt-series-01", "apt-series-03"
LIKED = "int-R-01"


def simulate(count, language="en", odd=lambda draw, theta, language, code: None):
    """Let so many students answer every item of the bank, as their ability and liking say.

    `odd` returns what a student of this ability answers to an item instead, if anything.
    """
    draw = random.Random(f"sit {language}")
    attempts = []
    for _ in range(count):
        theta, likes = draw.gauss(0, 1), {scale: draw.gauss(3, 0.8) for scale in BANK.norms}
        shown = []
        for code in BANK.sections:
            choice = odd(draw, theta, language, code)
            if choice is None and code in BANK.aptitude:
                item = BANK.aptitude[code]
                right = draw.random() < probability(theta, item.a, item.b, item.c)
                choice = BANK.keys[code] if right else 0
            elif choice is None:
                statement = {**BANK.interests, **BANK.preferences}.get(code)
                liked = likes[statement.scale] if statement else 3.0
                choice = max(1, min(5, round(liked + draw.gauss(0, 0.8))))
                if statement and statement.keyed < 0:
                    choice = 6 - choice
            shown.append(Shown(code, choice, 5.0, language))
        attempts.append(Attempt(tuple(shown), is_completed=True, is_valid=True))
    return attempts


def together(*attempts):
    return {code: found[ALL] for code, found in item_figures(BANK, attempts).items()}


def attempt(*shown, abandoned=False):
    items = tuple(Shown(*each, "en") for each in shown)
    return Attempt(items, is_completed=not abandoned, is_valid=not abandoned)
