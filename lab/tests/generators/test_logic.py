"""Verbal logic: the English alone leads to the key, in every fair reading of it."""

import re

import pytest

from lab.generators import logic
from lab.tests.generators.logic_solver import answers
from lab.tests.generators.sixty import opposite, share_right, sixty

ITEMS = sixty(logic)
MORE = sixty(logic, first_seed=500)
UNKNOWN = "This cannot be known from the text."


def passage(draft):
    return " ".join(draft.passage["en"])


def labels(draft, language="en"):
    return [option[language] for option in draft.options]


def answered(draft, reading="plain"):
    return answers(passage(draft), draft.text["en"], labels(draft), reading)


@pytest.mark.parametrize("rule", logic.RULES)
def test_exactly_the_key_follows(rule):
    for draft in (ITEMS + MORE).of_rule(rule):
        assert answered(draft) == [draft.key], draft


@pytest.mark.parametrize("reading", ["not empty", "not all"])
def test_the_key_alone_follows_in_other_readings(reading):
    """There is something of every kind that is spoken of; "some" also says "not all"."""
    for draft in ITEMS + MORE:
        assert answered(draft, reading) == [draft.key], draft


def test_only_a_lure_follows_beside_the_key_if_rules_are_read_both_ways():
    for draft in ITEMS + MORE:
        both_ways = answered(draft, "converse")
        assert draft.key in both_ways, draft
        assert len(both_ways) == 1 + draft.radicals["lures"], draft


def test_no_option_repeats_a_premise():
    for draft in ITEMS + MORE:
        assert not set(labels(draft)) & set(re.split(r"(?<=\.) ", passage(draft))), draft


def test_a_wrong_key_and_a_second_one_are_detected():
    told = "A bag has many cards. All the round cards are blue. All the blue cards are torn."
    options = [
        "All the round cards are torn.",
        "All the torn cards are round.",
        "At least one torn card is round.",
        "At least one blue card is not round.",
    ]

    assert answers(told, "Which of these must be true?", options) == [1]
    assert answers(told, "", options, "not empty") == [1, 3]
    assert answers(told, "", options, "converse") == [1, 2, 3]


def test_the_solver_reads_orders_and_rules():
    race = (
        "Three cars took part in a race. No two cars finished together. The red car did not "
        "finish after the blue car. The blue car finished just before the green car."
    )
    rule = "All of this is true of a machine. The lid is shut only if the tray is full."

    assert answers(race, "Which car finished first?", ["The red car", "The blue car"]) == [1]
    assert answers(race, "Which car finished last?", ["The red car", "The green car"]) == [2]
    assert answers(race, "Which of these cannot be true?", ["The green car finished first."]) == [1]
    told = f"{rule} The tray is not full."
    assert answers(told, "", ["The lid is shut.", "The lid is not shut."]) == [2]
    assert answers(f"{rule} The tray is full.", "", ["The lid is shut."]) == []


# Ways to guess from the options alone, or by searching the passage for their words.


def words(text):
    # Not \w, which splits Hindi words at their vowel signs.
    return set(re.findall(r"[^\s.,।?]+", text.lower()))


def shared_words(draft, language="en"):
    said = [words(label) for label in labels(draft, language)]
    return [sum(len(one & other) for other in said) for one in said]


def telling(draft):
    """The words of the premises, in order, that some options have and others lack."""
    said = [words(label) for label in labels(draft)]
    small = words("the a at least one is not no all if some only has have does")
    varied = set.union(*said) - set.intersection(*said) - small
    told = passage(draft).lower().split(". ", 1)[1]
    return [word for word in re.findall(r"\w+", told) if word in varied]


def mentions(place):
    return lambda draft: [telling(draft)[place] in words(label) for label in labels(draft)]


def lengths(draft, language="en"):
    return [len(label) for label in labels(draft, language)]


def denies(draft):
    return [bool(words(label) & {"not", "no"}) for label in labels(draft)]


def in_a_pair(draft):
    """Which options differ from another in "not" alone."""
    bare = [re.sub(r" (not|does not)\b", "", label) for label in labels(draft)]
    return [bare.count(each) for each in bare]


GUESSERS = {
    "most shared words": shared_words,
    "fewest shared words": opposite(shared_words),
    "longest": lengths,
    "shortest": opposite(lengths),
    "neither": lambda d: [min(lengths(d)) < length < max(lengths(d)) for length in lengths(d)],
    "first named": mentions(0),
    "last named": mentions(-1),
    "a denial": denies,
    "in a pair": in_a_pair,
    "not in a pair": opposite(in_a_pair),
    "words of the passage": lambda d: [len(words(o) & words(passage(d))) for o in labels(d)],
    "cannot be known": lambda draft: [label == UNKNOWN for label in labels(draft)],
    "first": lambda draft: [5, 4, 3, 2, 1],
    "last": lambda draft: [1, 2, 3, 4, 5],
}


@pytest.mark.parametrize("name", GUESSERS)
def test_the_key_is_not_given_away(name):
    assert share_right((GUESSERS[name](draft), draft.key) for draft in ITEMS) <= 0.25 + 1e-9


def test_that_it_cannot_be_known_is_the_answer_as_often_as_any_other():
    offering = [draft for draft in ITEMS if UNKNOWN in labels(draft)]
    right = [draft for draft in offering if labels(draft)[draft.key - 1] == UNKNOWN]

    assert len(offering) >= 10
    assert len(right) / len(offering) == pytest.approx(0.2, abs=0.05)


def test_text_is_short_and_plain():
    personal = re.compile(r"\b(he|she|his|her|boys?|girls?|m[ae]n|wom[ae]n)\b", re.I)
    for draft in ITEMS + MORE:
        told = passage(draft)
        said = [*re.split(r"(?<=[.?]) ", told), draft.text["en"], *labels(draft)]
        assert len(told.split()) <= 60, told
        for each in said:
            assert len(each.split()) <= 16, each
            assert each[0].isupper(), each
        assert not any(sign in " ".join(said) for sign in "{}_;"), said
        assert not personal.search(" ".join(said)), said
        assert told.endswith(".") and draft.text["en"].endswith("?")


def test_the_example_is_right_and_not_one_of_the_items():
    shown = logic.EXAMPLE
    options = [option["label"]["en"] for option in shown["options"]]
    told, question = " ".join(shown["passage"]["en"]), shown["text"]["en"]

    assert [options[n - 1] for n in answers(told, question, options)] == [shown["answer"]["en"]]
    assert told not in {passage(draft) for draft in ITEMS}
