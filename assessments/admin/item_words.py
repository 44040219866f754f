"""What staff read of an item's figures: each in words, with what is usual and when to worry."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from assessments.measurement.item_findings import (
    BELOW_CHANCE,
    LANGUAGES_DIFFER,
    MANY_STOP,
    TURNED_ROUND,
    WEAK,
    turned_below,
)
from assessments.measurement.item_statistics import ENOUGH, Figures
from assessments.measurement.wording import PREFERENCE_WORDS

SHORT = {
    BELOW_CHANCE: "below guessing",
    TURNED_ROUND: "keyed wrong?",
    WEAK: "tells little",
    MANY_STOP: "many stop here",
    LANGUAGES_DIFFER: "languages differ",
}
LONG = {
    BELOW_CHANCE: "It is answered correctly less often than guessing would be. Is the right answer "
    "marked as right? Or does a wrong one look better than it should?",
    TURNED_ROUND: "Those who do well on the rest do worse here. It may be keyed wrong, or be "
    "understood the other way round.",
    WEAK: "It hardly tells apart those who do well on the rest and those who don't. It may be "
    "unclear, or about something else.",
    MANY_STOP: "More than 10 of 100 who met it stopped at it. Is it hard to read, or unpleasant? "
    "The first question of the assessment also collects those who only had a look.",
    LANGUAGES_DIFFER: "In one language it works differently for students who are otherwise alike. "
    "Have the translation checked against the original.",
}
GRADES = {"A": "works alike", "B": "somewhat {}", "C": "much {}: have the translation checked"}


def scale_name(scale: str) -> str:
    """Return what staff read of an interest, a family of puzzles or a preference."""
    return " or ".join(PREFERENCE_WORDS["en"].get(scale, (scale.replace("_", " "),)))


def leads_to(scale: str, keyed: int) -> str:
    """Return the way of studying that agreeing with a statement speaks for."""
    return PREFERENCE_WORDS["en"][scale][keyed > 0]


@dataclass(frozen=True, slots=True)
class Line:
    """A figure with what it means."""

    what: str
    value: str
    means: str


@dataclass(frozen=True, slots=True)
class LanguageRow:
    """The figures of one language, in words."""

    name: str
    shown: int
    correct: str
    seconds: str
    discrimination: str
    difference: str


def lines(
    figures: Figures, attempts: int, guessing: float | None, expected_seconds: float | None
) -> list[Line]:
    """Return the figures of an item; `guessing` is None for a statement."""
    is_puzzle = guessing is not None
    told = [Line("Shown", f"in {figures.shown:,} of {attempts:,} attempts", SHOWN[is_puzzle])]
    if guessing is not None:
        chance = round(100 * guessing)
        told.append(Line("Answered correctly", correct(figures), CORRECT.format(chance=chance)))
    expected = f", the bank expects {expected_seconds:.0f} s" if expected_seconds else ""
    told.append(Line("Median time", f"{seconds(figures)}{expected}", TIME))
    relation = RELATION[is_puzzle].format(turned=turned_below(max(figures.answered, ENOUGH)))
    told.append(Line("Goes with the rest", discrimination(figures), relation))
    told.append(Line("Stopped here", share(figures.stopped_here, figures.shown), STOPPED))
    return told


SHOWN = {
    True: "A puzzle is chosen by what was answered before, and held to about a quarter of the "
    "attempts. Never shown: it fits nobody better than others of its family do.",
    False: "Every statement that is no spare is part of every attempt.",
}
CORRECT = (
    "Puzzles are chosen to fit the student, so that 50 to 70 of 100 is usual, for hard ones too. "
    "Worry at {chance} of 100 and below: that is what guessing gives."
)
TIME = (
    "Half took longer. Worry if it is far above others of its kind, then it is hard to read; or a "
    "few seconds, then nobody reads it."
)
RELATION = {
    True: "The correlation with the ability that the other puzzles show, from -1 to 1. About 0.3 "
    "is usual. Worry below 0.10: it hardly tells students apart. Only below {turned:.2f} is that "
    "more than chance the other way round: it may be keyed wrong.",
    False: "The correlation with the other statements of its scale, from -1 to 1. About 0.5 is "
    "usual. Worry below 0.20: it hardly tells students apart. Only below {turned:.2f} is that more "
    "than chance the other way round: it may be understood so.",
}
STOPPED = (
    "Attempts that were given up with this as the first question left unanswered. Worry above 10 "
    "of 100."
)


def language_rows(
    figures: dict[str, Figures], languages: Sequence[tuple[str, str]]
) -> list[LanguageRow]:
    """Return a row a language, in the order of `languages`: codes and names."""
    empty = Figures(0, 0, None, 0, None, None)
    return [
        LanguageRow(
            name=name,
            shown=each.shown,
            correct=correct(each),
            seconds=seconds(each),
            discrimination=discrimination(each),
            difference=difference(each, figures),
        )
        for code, name in languages
        for each in [figures.get(code, empty)]
    ]


def difference(figures: Figures, all_: dict[str, Figures]) -> str:
    """Return how a language compares with the others, in words."""
    found = figures.difference
    if found is not None:
        side = "easier, or liked more" if found.delta > 0 else "harder, or liked less"
        words = GRADES[found.grade].format(side)
        return f"{words} ({found.delta:+.1f}, give or take {2 * found.se:.1f})"
    if any(each.difference for each in all_.values()):
        return "see the other language"
    fewest = min((each.answered for each in all_.values()), default=0) if len(all_) > 1 else 0
    return not_enough(min(fewest, figures.answered))


def correct(figures: Figures) -> str:
    """Return the share of right answers; nothing of a statement."""
    return "" if figures.correct is None else share(figures.correct, figures.answered)


def share(part: int, whole: int) -> str:
    """Return a share in words, with the numbers that it comes from."""
    return f"{100 * part / whole:.0f} of 100 ({part:,} of {whole:,})" if whole else "no answers yet"


def seconds(figures: Figures) -> str:
    """Return the median time."""
    return "no answers yet" if figures.median_seconds is None else f"{figures.median_seconds:.0f} s"


def discrimination(figures: Figures) -> str:
    """Return the correlation with the rest, or what it waits for."""
    if figures.discrimination is None:
        return not_enough(figures.answered)
    return f"{figures.discrimination:.2f}"


def not_enough(answers: int) -> str:
    """Return how many answers there are of those that are needed."""
    if answers >= ENOUGH:
        return f"not enough whole attempts yet ({ENOUGH} are needed)"
    return f"not enough answers yet ({answers} of {ENOUGH})"
