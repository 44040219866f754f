"""Data interpretation: answer a question about a small table or bar chart."""

from __future__ import annotations

import random
from collections.abc import Callable, Mapping
from math import gcd
from typing import Any

from lab.generators.data import sales, series, tables
from lab.generators.data.kinds import WEIGHTS, Counts, Names, Ratio, Task
from lab.generators.data.questions import QUESTIONS
from lab.generators.data.words import ALTERNATIVE, BAR, BETWEEN, RATIO, ROWS, SPAN, THEMES
from lab.generators.items import LANGUAGES, CannotGenerate, Draft, in_all, rule_difficulty, seeded
from lab.generators.options import OPTIONS, choose_options
from lab.generators.problems.options import choose_amounts
from lab.generators.problems.vocabulary import Rupees, Value, grouped, measured, rupees

Options = tuple[dict[str, str], ...]

FAMILY = "data"
BASE = -2.15
TRIES = 2000
UNTOLD = "?"
WORDS_PER_SECOND = 2.5
# The time to think and choose, for each relevant value, and for each other radical.
SECONDS, SECONDS_PER_VALUE, SECONDS_PER_RADICAL = 12, 2, 7
FEWEST_SECONDS, MOST_SECONDS = 30, 90

# The easier ones first. Each writer takes the place of the key, because the rows depend on it.
WRITERS: dict[str, Callable[[random.Random, int], Task | None]] = {
    "read": series.read,
    "extreme": series.extreme,
    "difference": series.difference,
    "count_above": series.count_above,
    "ratio": series.ratio,
    "largest_change": series.largest_change,
    "average": series.average,
    "income": sales.income,
    "largest_total": tables.largest_total,
    "both": tables.both,
    "percent_change": series.percent_change,
    "share": series.share,
    "best_rate": tables.best_rate,
    "overall_rate": tables.overall_rate,
    "price_rise": sales.price_rise,
    "missing": series.missing,
    "growth": tables.growth,
    "profit": sales.profit,
    "unknown_price": sales.unknown_price,
    "profit_percent": sales.profit_percent,
}
RULES: tuple[str, ...] = tuple(WRITERS)

EXAMPLE: dict[str, Any] = {
    "title": {"en": "A table or a chart", "hi": "तालिका या चार्ट"},
    "text": {
        "en": "How many more cups of tea than cups of coffee were sold on Monday?",
        "hi": "सोमवार को कॉफ़ी के मुकाबले चाय के कितने कप ज़्यादा बिके?",
    },
    "figure": {
        "kind": "table",
        "caption": {"en": "Cups sold at a canteen", "hi": "एक कैंटीन में बिके कप"},
        "columns": [
            {"en": "Drink", "hi": "पेय"},
            {"en": "Monday", "hi": "सोमवार"},
            {"en": "Tuesday", "hi": "मंगलवार"},
        ],
        "rows": [
            {"label": {"en": "Tea", "hi": "चाय"}, "values": [60, 70]},
            {"label": {"en": "Coffee", "hi": "कॉफ़ी"}, "values": [25, 40]},
            {"label": {"en": "Milk", "hi": "दूध"}, "values": [10, 15]},
        ],
    },
    "options": [{"label": in_all(number)} for number in ("15", "30", "35", "45", "85")],
    "answer": in_all("35"),
    "explanation": {
        "en": "In the column for Monday, tea has 60 and coffee has 25: 60 − 25 = 35.",
        "hi": "सोमवार वाले कॉलम में चाय के 60 और कॉफ़ी के 25 कप हैं: 60 − 25 = 35।",
    },
}


def generate(rule: str, seed: int, place: int, typical: bool = False) -> Draft:
    """Return a question of this rule with its key at this place (from 1).

    Raises CannotGenerate if the seed gives none, KeyError for an unknown rule.
    """
    # The place is part of the seed, because neighbours in a bank often have the same seed.
    rng = seeded(FAMILY, f"{rule} {place} {typical}", seed)
    tries = TRIES if place <= len(EXAMPLE["options"]) else 0
    for _ in range(tries):
        task = WRITERS[rule](rng, place)
        if task is None or not task.is_comfortable:
            continue
        options = _options(task, place, typical, rng)
        if options is not None:
            return _draft(rule, task, options, place, rng)
    raise CannotGenerate(f"{FAMILY} {rule}, seed {seed}, key at {place}")


def _options(task: Task, place: int, typical: bool, rng: random.Random) -> Options | None:
    answer = task.answer
    if isinstance(answer, Names):
        return tuple({each: _named(row, each) for each in LANGUAGES} for row in answer.rows)
    if isinstance(answer, Counts):
        return tuple(in_all(str(answer.first + number)) for number in range(OPTIONS))
    if isinstance(answer, Ratio):
        return _ratios(answer, place, typical, rng)
    amounts = choose_amounts(int(answer.answer), answer.slips, place, typical, rng, answer.most)
    if amounts is None:
        return None
    return tuple(
        {language: measured(amount, answer.unit, language) for language in LANGUAGES}
        for amount in amounts
    )


def _ratios(answer: Ratio, place: int, typical: bool, rng: random.Random) -> Options | None:
    """Return ratios by size: the right one, inverted, part to whole, or off by one."""
    one, two = answer.first, answer.second
    wrong = [(two, one), (one, one + two), (two, one + two), (one + two, two), (one + two, one)]
    wrong += [(one + 1, two), (one, two + 1), (one - 1, two), (one, two - 1), (two, one + 1)]
    wrong += [(two + 1, one), (one + 1, two + 1), (abs(one - two), two), (one, abs(one - two))]
    ratios = choose_options(
        key=(one, two),
        slips=[each for each in wrong if min(each) > 0 and gcd(*each) == 1 and max(each) > 1],
        views=(lambda pair: pair, sorted),
        place=place,
        typical=typical,
        order=lambda pair: (10**6 * pair[0] // pair[1],),
        accepts=lambda options: (two, one) in options,
        rng=rng,
    )
    if ratios is None:
        return None
    return tuple(
        {language: RATIO[language].format(first=first, second=second) for language in LANGUAGES}
        for first, second in ratios
    )


def _named(row: str | tuple[str, str], language: str) -> str:
    rows = ROWS[language]
    if isinstance(row, str):
        return rows[row].option
    first, second = row
    return SPAN[language].format(first=rows[first].option, second=rows[second].option)


def _draft(rule: str, task: Task, options: Options, place: int, rng: random.Random) -> Draft:
    is_chart = bool(task.step) and rng.random() < 0.7
    has_gridlines = is_chart and rng.random() < 0.4
    figure = _chart(task, has_gridlines) if is_chart else _table(task)
    asked = {language: QUESTIONS[language][task.theme, task.question] for language in LANGUAGES}
    told = {
        language: (asked[language].told.format_map(_spoken(task, language)),)
        for language in LANGUAGES
        if asked[language].told
    }
    text = {
        language: asked[language].text.format_map(_spoken(task, language)) for language in LANGUAGES
    }
    radicals = {name: task.radicals.get(name, 0) for name in WEIGHTS}
    radicals["gridlines"] = int(has_gridlines)
    words = " ".join((*told.get("en", ()), text["en"], figure["caption"]["en"]))
    seconds = (
        SECONDS
        + len(words.split()) / WORDS_PER_SECOND
        + SECONDS_PER_VALUE * radicals["values"]
        + SECONDS_PER_RADICAL * (sum(radicals.values()) - radicals["values"])
    )
    return Draft(
        family=FAMILY,
        rule=rule,
        passage=told,
        text=text,
        figure=figure,
        options=options,
        key=place,
        radicals=radicals,
        b=rule_difficulty(BASE, WEIGHTS, radicals),
        seconds=round(max(FEWEST_SECONDS, min(MOST_SECONDS, seconds))),
    )


def _spoken(task: Task, language: str) -> Mapping[str, str]:
    def spoken(value: Value) -> str:
        if isinstance(value, str):
            return ROWS[language][value].named
        return rupees(value.amount) if isinstance(value, Rupees) else grouped(value)

    return {name: spoken(value) for name, value in task.words.items()}


def _chart(task: Task, has_gridlines: bool) -> dict[str, Any]:
    """Return the bar chart of a task with one column."""
    values = [int(row[0] or 0) for row in task.values]
    alternative = {}
    for language in LANGUAGES:
        bars = BETWEEN[language].join(
            BAR[language].format(row=ROWS[language][row].named, value=grouped(value))
            for row, value in zip(task.rows, values, strict=True)
        )
        caption = THEMES[language][task.theme].caption
        alternative[language] = ALTERNATIVE[language].format(caption=caption, bars=bars)
    return {
        "kind": "bars",
        "caption": {language: THEMES[language][task.theme].caption for language in LANGUAGES},
        "bars": [
            {
                "label": {language: ROWS[language][row].label for language in LANGUAGES},
                "value": value,
            }
            for row, value in zip(task.rows, values, strict=True)
        ],
        "step": task.step if has_gridlines else 0,
        "alt": alternative,
    }


def _table(task: Task) -> dict[str, Any]:
    """Return the table of a task; the first heading is for the row labels."""
    themes = {language: THEMES[language][task.theme] for language in LANGUAGES}
    heads = [{language: theme.head for language, theme in themes.items()}]
    heads += [
        {language: theme.columns[column] for language, theme in themes.items()}
        for column in task.columns
    ]
    return {
        "kind": "table",
        "caption": {language: theme.caption for language, theme in themes.items()},
        "columns": heads,
        "rows": [
            {
                "label": {language: ROWS[language][row].option for language in LANGUAGES},
                "values": [UNTOLD if value is None else grouped(value) for value in values],
            }
            for row, values in zip(task.rows, task.values, strict=True)
        ],
    }
