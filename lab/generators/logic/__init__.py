"""Verbal logic: find the one statement that follows from a short passage."""

from __future__ import annotations

import random
from collections.abc import Callable
from functools import partial
from typing import Any

from lab.generators.items import LANGUAGES, CannotGenerate, Draft, rule_difficulty, seeded
from lab.generators.logic import order, rules, sets
from lab.generators.logic.options import OPTIONS, choose_statements
from lab.generators.logic.puzzles import Puzzle, Statement
from lab.generators.logic.scenes import sentence
from lab.generators.logic.words import NUMBERS, WORDS

FAMILY = "logic"
BASE = -2.4
WEIGHTS = {
    "premises": 0.3,  # beyond two
    "things": 1.2,  # five things to put in order, instead of three or four
    "negations": 0.2,  # negated statements
    "integration": 0.25,  # the order of the premises: 1 reversed, 2 scrambled
    "converse": 0.3,  # "higher" and "lower" are both used
    "between": 0.8,  # premises about three things
    "inner": 0.4,  # the question is about a place that is not at an end
    "indirect": 1.1,  # the order stays partly open
    "impossible": 0.7,  # the question is which statement cannot hold
    "open": 2.2,  # the answer is that it cannot be known
    "chain": 0.5,  # rules to join, beyond the first or the required ones
    "backward": 0.9,  # a rule is applied backwards, from a negated outcome
    "links": 1.5,  # a rule follows from rules, without a fact to start from
    "only": 1.4,  # "only", "only if", "unless"
    "cases": 1.6,  # two cases, such as "either ... or"
    "kinds": 0.7,  # about whole kinds, not one thing
    "some": 1.4,  # some are, or some are not
    "some_not": 0.5,  # the answer is that some are not
    "lures": 0.35,  # an option follows if "if" or "all" is read in both directions
}
TRIES = 400
WORDS_PER_SECOND = 2.5
# The time to join the premises and to check the options.
SECONDS, SECONDS_PER_PREMISE, SECONDS_PER_LOGIT = 8, 4, 3
FEWEST_SECONDS, MOST_SECONDS = 25, 75

# The easier ones first.
WRITERS: dict[str, Callable[[random.Random], Puzzle | None]] = {
    "order_three": order.three,
    "if_fact": rules.fact,
    "order_ends": order.ends,
    "named": sets.named,
    "if_chain": rules.chain,
    "all_all": sets.all_all,
    "order_not": order.negated,
    "if_denied": rules.denial,
    "all_no": sets.all_no,
    "order_between": order.between,
    "only_if": rules.only_if,
    "order_open": order.partial,
    "some_all": sets.some_all,
    "order_unknown": order.unknown,
    "if_links": rules.links,
    "only": sets.only,
    "order_row": order.row,
    "some_no": sets.some_no,
    "either": rules.either,
    "order_impossible": order.impossible,
}
RULES: tuple[str, ...] = tuple(WRITERS)

EXAMPLE: dict[str, Any] = {
    "title": {"en": "What follows", "hi": "क्या ज़रूर सच है"},
    "passage": {
        "en": [
            "Three bags each have a different price. The green bag costs more than the white bag. "
            "The white bag costs more than the black bag."
        ],
        "hi": [
            "तीन बैग हैं और हर बैग की कीमत अलग है। हरा बैग, सफ़ेद बैग से महँगा है। सफ़ेद बैग, काले बैग से महँगा है।"
        ],
    },
    "text": {"en": "Which of these must be true?", "hi": "इनमें से कौन-सी बात ज़रूर सच है?"},
    "options": [
        {"label": {"en": "The black bag costs the most.", "hi": "काला बैग सबसे महँगा है।"}},
        {
            "label": {
                "en": "The green bag costs more than the black bag.",
                "hi": "हरा बैग, काले बैग से महँगा है।",
            }
        },
        {"label": {"en": "The white bag costs the least.", "hi": "सफ़ेद बैग सबसे सस्ता है।"}},
        {
            "label": {
                "en": "The black bag costs more than the white bag.",
                "hi": "काला बैग, सफ़ेद बैग से महँगा है।",
            }
        },
        {"label": {"en": "The white bag costs the most.", "hi": "सफ़ेद बैग सबसे महँगा है।"}},
    ],
    "answer": {
        "en": "The green bag costs more than the black bag.",
        "hi": "हरा बैग, काले बैग से महँगा है।",
    },
    "explanation": {
        "en": "From the highest price to the lowest, the bags are green, white, black. "
        "Use only what the text says, even where it seems strange.",
        "hi": "सबसे महँगे से सबसे सस्ते तक, बैग ये हैं: हरा, सफ़ेद, काला। "
        "सिर्फ़ दी गई जानकारी के हिसाब से सोचिए, चाहे वह अजीब लगे।",
    },
}


def generate(rule: str, seed: int, place: int, typical: bool = False) -> Draft:
    """Return a sound item of this rule with its key at this place (from 1).

    An item is sound if the key, and no other option, holds in every case that the premises allow.
    Raises CannotGenerate if the seed gives none, KeyError for an unknown rule.
    """
    # Each place gives another puzzle, so that items of a rule differ in more than their options.
    write, rng = WRITERS[rule], seeded(FAMILY, rule, 5 * seed + place)
    if not 1 <= place <= OPTIONS:
        raise CannotGenerate(f"{FAMILY} {rule}, key at {place}")
    for _ in range(TRIES):
        puzzle = write(rng)
        if puzzle is None or not _can_be_told(puzzle):
            continue
        options = choose_statements(
            puzzle,
            place,
            typical=typical,
            turn=(place + 2 * RULES.index(rule)) % OPTIONS,
            say=partial(_said, scene=puzzle.scene, language=LANGUAGES[0]),
            rng=rng,
        )
        if options is not None:
            return _draft(rule, puzzle, options)
    raise CannotGenerate(f"{FAMILY} {rule}, seed {seed}, key at {place}")


def _can_be_told(puzzle: Puzzle) -> bool:
    """Tell whether the scene has words for the puzzle: kites, for example, have no middle place."""
    scene = WORDS[LANGUAGES[0]][puzzle.scene]
    said = {statement.says for statement in (*puzzle.premises, puzzle.key)}
    return said <= set(scene.sentences) and puzzle.question in scene.questions


def _draft(rule: str, puzzle: Puzzle, options: list[Statement]) -> Draft:
    told = {language: _told(puzzle, language) for language in LANGUAGES}
    text = {language: _asked(puzzle, language) for language in LANGUAGES}
    labels = tuple(
        {language: _said(option, puzzle.scene, language) for language in LANGUAGES}
        for option in options
    )
    radicals = {name: puzzle.radicals.get(name, 0) for name in WEIGHTS}
    b = rule_difficulty(BASE, WEIGHTS, radicals)
    first = LANGUAGES[0]
    read = " ".join((told[first], text[first], *(label[first] for label in labels))).split()
    seconds = (
        SECONDS
        + len(read) / WORDS_PER_SECOND
        + SECONDS_PER_PREMISE * len(puzzle.premises)
        + SECONDS_PER_LOGIT * b
    )
    return Draft(
        family=FAMILY,
        rule=rule,
        passage={language: (told[language],) for language in LANGUAGES},
        text=text,
        options=labels,
        key=options.index(puzzle.key) + 1,
        radicals=radicals,
        b=b,
        seconds=round(max(FEWEST_SECONDS, min(MOST_SECONDS, seconds))),
    )


def _told(puzzle: Puzzle, language: str) -> str:
    intro = WORDS[language][puzzle.scene].intro.format(count=NUMBERS[language].get(puzzle.count))
    premises = (_said(premise, puzzle.scene, language) for premise in puzzle.premises)
    return " ".join((intro[:1].upper() + intro[1:], *premises))


def _asked(puzzle: Puzzle, language: str) -> str:
    return WORDS[language][puzzle.scene].questions[puzzle.question]


def _said(statement: Statement, scene: str, language: str) -> str:
    words = WORDS[language][scene]
    template = words.sentences[statement.says]
    return sentence(template, *(words.things[thing] for thing in statement.about))
