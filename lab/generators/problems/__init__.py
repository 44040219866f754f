"""Word problems about rupees and other whole amounts, in one to four short sentences."""

from __future__ import annotations

import random
from collections.abc import Callable
from typing import Any

from lab.generators.items import LANGUAGES, CannotGenerate, Draft, rule_difficulty, seeded
from lab.generators.problems import buying, rates, shares
from lab.generators.problems.kinds import WEIGHTS, Problem
from lab.generators.problems.options import choose_amounts
from lab.generators.problems.vocabulary import measured, spoken
from lab.generators.problems.words import WORDS

FAMILY = "problems"
BASE = -2.1
TRIES = 500
WORDS_PER_SECOND = 2.5
# The time to think, calculate and choose: for any problem, and for each of its radicals.
SECONDS, SECONDS_PER_RADICAL = 10, 7
FEWEST_SECONDS, MOST_SECONDS = 30, 90

# The easier ones first.
WRITERS: dict[str, Callable[[random.Random], Problem]] = {
    "total": buying.total,
    "change": buying.change,
    "equal_share": buying.equal_share,
    "savings": buying.savings,
    "fares": buying.fares,
    "unit_price": buying.unit_price,
    "sale_profit": buying.sale_profit,
    "discount": shares.discount,
    "share_ratio": shares.share_ratio,
    "supply": rates.supply,
    "mixture": rates.mixture,
    "workers": rates.workers,
    "average_needed": rates.average_needed,
    "before_discount": shares.before_discount,
    "markup_discount": shares.markup_discount,
    "steps_of_price": rates.steps_of_price,
    "ratio_difference": shares.ratio_difference,
    "two_prices": buying.two_prices,
    "remaining": shares.remaining,
    "first_price": shares.first_price,
}
RULES: tuple[str, ...] = tuple(WRITERS)

EXAMPLE: dict[str, Any] = {
    "title": {"en": "A problem in words", "hi": "शब्दों में लिखा सवाल"},
    "passage": {
        "en": ["A pencil costs ₹8. A student buys 5 pencils."],
        "hi": ["एक पेंसिल की कीमत ₹8 है। एक विद्यार्थी ने 5 पेंसिलें खरीदीं।"],
    },
    "text": {"en": "How much does the student pay?", "hi": "विद्यार्थी को कितने रुपये देने होंगे?"},
    "options": [
        {"label": {"en": "₹13", "hi": "₹13"}},
        {"label": {"en": "₹32", "hi": "₹32"}},
        {"label": {"en": "₹40", "hi": "₹40"}},
        {"label": {"en": "₹45", "hi": "₹45"}},
        {"label": {"en": "₹48", "hi": "₹48"}},
    ],
    "answer": {"en": "₹40", "hi": "₹40"},
    "explanation": {
        "en": "5 pencils at ₹8 each cost 5 × 8 = 40. You may use pen and paper, and some "
        "problems tell you a number that you do not need.",
        "hi": "₹8 वाली 5 पेंसिलों की कीमत 5 × 8 = 40 है। कागज़ और पेन का इस्तेमाल किया जा सकता है। "
        "कुछ सवालों में एक ऐसी संख्या भी दी होती है जिसकी ज़रूरत नहीं होती।",
    },
}


def generate(rule: str, seed: int, place: int, typical: bool = False) -> Draft:
    """Return a problem of this rule with its key at this place (from 1).

    Raises CannotGenerate if the seed gives none, KeyError for an unknown rule.
    """
    # The place is part of the seed, because neighbours in a bank often have the same seed.
    rng = seeded(FAMILY, f"{rule} {place} {typical}", seed)
    tries = TRIES if place <= len(EXAMPLE["options"]) else 0
    for _ in range(tries):
        problem = WRITERS[rule](rng)
        if not problem.is_comfortable:
            continue
        options = choose_amounts(int(problem.answer), problem.slips, place, typical, rng)
        if options is not None:
            return _draft(rule, problem, options, place)
    raise CannotGenerate(f"{FAMILY} {rule}, seed {seed}, key at {place}")


def _draft(rule: str, problem: Problem, options: list[int], place: int) -> Draft:
    told = {language: _told(problem, language) for language in LANGUAGES}
    text = {language: _asked(problem, language) for language in LANGUAGES}
    radicals = {name: problem.radicals.get(name, 0) for name in WEIGHTS}
    radicals["irrelevant"] = int(problem.extra is not None)
    read = len(f"{told['en']} {text['en']}".split()) / WORDS_PER_SECOND
    seconds = SECONDS + read + SECONDS_PER_RADICAL * sum(radicals.values())
    return Draft(
        family=FAMILY,
        rule=rule,
        passage={language: (told[language],) for language in LANGUAGES},
        text=text,
        options=tuple(
            {language: measured(option, problem.unit, language) for language in LANGUAGES}
            for option in options
        ),
        key=place,
        radicals=radicals,
        b=rule_difficulty(BASE, WEIGHTS, radicals),
        seconds=round(max(FEWEST_SECONDS, min(MOST_SECONDS, seconds))),
    )


def _told(problem: Problem, language: str) -> str:
    words = WORDS[language][problem.scene]
    spoken_values = _spoken(problem, language)
    extra = "" if problem.extra is None else f"{words.extra.format_map(spoken_values)} "
    return words.told.format_map({**spoken_values, "extra": extra}).strip()


def _asked(problem: Problem, language: str) -> str:
    return WORDS[language][problem.scene].asked.format_map(_spoken(problem, language))


def _spoken(problem: Problem, language: str) -> dict[str, object]:
    values = {**problem.values, **(problem.extra or {})}
    return {name: spoken(value, language) for name, value in values.items()}
