"""Describe an item's statistics: which values are usual, and which need attention."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from assessments.catalogue.field_choices import FIELD_CHOICES
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
    WEAK: "weak",
    MANY_STOP: "many stop here",
    LANGUAGES_DIFFER: "languages differ",
}
LONG = {
    BELOW_CHANCE: "Students answer it correctly less often than by guessing. Check that the "
    "correct answer is marked as correct, and whether a wrong one looks better than it should.",
    TURNED_ROUND: "Students who do well on the rest do worse here. Its key may be wrong, or "
    "students may understand it the other way round.",
    WEAK: "It hardly distinguishes students who do well on the rest from those who don't. It may "
    "be unclear, or measure something else.",
    MANY_STOP: "More than 10 of 100 students who saw it stopped there. Check whether it is hard to "
    "read or unpleasant. The first question also counts students who only had a look.",
    LANGUAGES_DIFFER: "It works differently in one language for students who are otherwise alike. "
    "Have the translation checked against the original.",
}
GRADES = {"A": "no difference", "B": "somewhat {}", "C": "much {}: have the translation checked"}


def scale_name(scale: str) -> str:
    """Return the name of an interest, a field, a family of puzzles or a preference."""
    if scale in FIELD_CHOICES:
        return FIELD_CHOICES[scale].name.lower()
    return " or ".join(PREFERENCE_WORDS["en"].get(scale, (scale.replace("_", " "),)))


def leads_to(scale: str, keyed: int) -> str:
    """Return the preference that agreeing with a statement indicates."""
    return PREFERENCE_WORDS["en"][scale][keyed > 0]


@dataclass(frozen=True, slots=True)
class Line:
    """A statistic with its value and its meaning."""

    what: str
    value: str
    means: str


@dataclass(frozen=True, slots=True)
class LanguageRow:
    """The statistics of one language, in words."""

    name: str
    shown: int
    correct: str
    seconds: str
    discrimination: str
    difference: str


def lines(
    figures: Figures,
    attempts: int,
    guessing: float | None,
    expected_seconds: float | None,
    section: str,
) -> list[Line]:
    """Return the statistics of an item of a section. `guessing` is None for a statement."""
    listed = [Line("Shown", f"in {figures.shown:,} of {attempts:,} attempts", SHOWN[section])]
    if guessing is not None:
        chance = round(100 * guessing)
        listed.append(Line("Answered correctly", correct(figures), CORRECT.format(chance=chance)))
    expected = f", the bank expects {expected_seconds:.0f} s" if expected_seconds else ""
    listed.append(Line("Median time", f"{seconds(figures)}{expected}", TIME))
    relation = RELATION[section].format(turned=turned_below(max(figures.answered, ENOUGH)))
    listed.append(Line("Fits its scale", discrimination(figures), relation))
    listed.append(Line("Stopped here", share(figures.stopped_here, figures.shown), STOPPED))
    return listed


EVERY_ATTEMPT = "Every attempt contains every statement except the spares."
SHOWN = {
    "interests": EVERY_ATTEMPT,
    "fields": "Stage 2 asks each student about the fields that suit them best after stage 1, so "
    "fields that many like are asked about more often.",
    "preferences": EVERY_ATTEMPT,
    "aptitude": "Puzzles are chosen by the student's earlier answers, and each appears in at most "
    "about a quarter of the attempts. One that is never shown always has a better alternative.",
}
CORRECT = (
    "Puzzles are chosen to suit the student, so 50 to 70 of 100 is usual even for hard ones. Worry "
    "at {chance} of 100 and below, which is what guessing gives."
)
TIME = (
    "Half of the students took longer. Worry if it is far longer than for similar items, which "
    "means that it is hard to read, or only a few seconds, which means that nobody reads it."
)
USUAL = (
    "from -1 to 1. 0.3 to 0.5 is usual. Worry below 0.20: it hardly distinguishes students. Below "
    "{turned:.2f} it is reversed by more than chance, and students may understand it the other way "
    "round."
)
RELATION = {
    "interests": f"The correlation with the other statements of its scale, {USUAL}",
    "fields": "The correlation with the other statements about its field, of both stages, " + USUAL,
    "preferences": f"The correlation with the other statements of its scale, {USUAL}",
    "aptitude": "The correlation with the ability measured by the other puzzles, from -1 to 1. "
    "About 0.3 is usual. Worry below 0.10: it hardly distinguishes students. Below {turned:.2f} it "
    "is reversed by more than chance, and its key may be wrong.",
}
STOPPED = (
    "Attempts that ended unfinished with this as their first unanswered question. Worry above 10 "
    "of 100."
)


def language_rows(
    figures: dict[str, Figures], languages: Sequence[tuple[str, str]]
) -> list[LanguageRow]:
    """Return a row per language, in the order of `languages`, which are (code, name) pairs."""
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
        return f"{words} ({found.delta:+.1f}, ± {2 * found.se:.1f})"
    if any(each.difference for each in all_.values()):
        return "see the other language"
    fewest = min((each.answered for each in all_.values()), default=0) if len(all_) > 1 else 0
    return not_enough(min(fewest, figures.answered))


def correct(figures: Figures) -> str:
    """Return the share of correct answers, or "" for a statement."""
    return "" if figures.correct is None else share(figures.correct, figures.answered)


def share(part: int, whole: int) -> str:
    """Return a share in words, with both numbers."""
    return f"{100 * part / whole:.0f} of 100 ({part:,} of {whole:,})" if whole else "no answers yet"


def seconds(figures: Figures) -> str:
    """Return the median time."""
    return "no answers yet" if figures.median_seconds is None else f"{figures.median_seconds:.0f} s"


def discrimination(figures: Figures) -> str:
    """Return the correlation with the scale, or that there are not enough answers."""
    if figures.discrimination is None:
        return not_enough(figures.answered)
    return f"{figures.discrimination:.2f}"


def not_enough(answers: int) -> str:
    """Return how many answers there are and how many are needed."""
    if answers >= ENOUGH:
        return f"not enough complete attempts yet ({ENOUGH} are needed)"
    return f"not enough answers yet ({answers} of {ENOUGH})"
