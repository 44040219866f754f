"""Signs of careless answers: each limit, and who is flagged by them."""

import itertools
import random
from dataclasses import replace
from statistics import fmean, pstdev

import pytest

from measurement.bank import Bank
from measurement.scales import INTERESTS
from measurement.validity import (
    AnsweredItem,
    Validity,
    check_validity,
    consistency,
)
from tests.measurement.field_bank import field_bank
from tests.measurement.synthetic import bank_file

BANK = Bank.from_json(bank_file())
FIELDS = field_bank()
AMPLE = {"interests": 4.0, "aptitude": 40.0, "preferences": 6.0}
# How much better a liked type fares, so that careful answers have ups and downs.
LIKED = ("artistic", "social")


def careful(**choices):
    """An attempt without any flag, but for these choices by code."""
    given = []
    for place, (code, section) in enumerate(BANK.sections.items()):
        if code in BANK.interests:
            usual = (4 if BANK.interests[code].scale in LIKED else 2) + place % 2
        else:
            usual = BANK.instructed.get(code, BANK.keys.get(code, 2 + place % 3))
        given.append(AnsweredItem(code, choices.get(code, usual), AMPLE[section]))
    return given


def timed(section, seconds, first=99, others=0.0):
    """Careful answers, with these seconds for the first ones of a section, and for its others."""
    places = itertools.count()
    return [
        replace(each, seconds=seconds if next(places) < first else others)
        if BANK.sections[each.code] == section
        else each
        for each in careful()
    ]


def on_interests(answers):
    """Answers to the statements of each scale, in their order."""
    rows = {scale: iter(values) for scale, values in answers.items()}
    return [
        AnsweredItem(code, choice, 4.0)
        for code, statement in BANK.interests.items()
        if (choice := next(rows[statement.scale], None)) is not None
    ]


def test_a_careful_attempt_has_no_flag():
    validity = check_validity(BANK, careful())

    assert validity.consistency and validity.consistency > 5
    assert replace(validity, consistency=None) == Validity(
        effort=1, right_share=1, longest_run=1, instructed_missed=0, interest_seconds=4
    )


@pytest.mark.parametrize(("right", "is_flagged"), [(7, True), (8, False)])
def test_little_agreement_is_a_sign_if_puzzles_were_guessed(right, is_flagged):
    wrong = {code: BANK.keys[code] % 3 + 1 for code in list(BANK.aptitude)[right:]}
    limits = {"least_consistency": -3, "doubtful_consistency": 12, "guessed_share": 0.3}
    bank = replace(BANK, careless=replace(BANK.careless, **limits))

    validity = check_validity(bank, careful(**wrong))

    assert validity.right_share == pytest.approx(right / 24, abs=1e-4)
    assert ("inconsistent" in validity.flags) is is_flagged
    without_puzzles = [each for each in careful(**wrong) if each.code not in BANK.aptitude]
    assert check_validity(bank, without_puzzles).flags == []


def test_answers_that_contradict_each_other_are_inconsistent_unless_the_profile_is_flat():
    answers = {
        "contrary": {s: (1, 5) * 4 if n else (5,) * 8 for n, s in enumerate(INTERESTS)},
        "flat": dict.fromkeys(INTERESTS, (2, 4) * 4),
        "agreeing": {s: (1 + 4 * (n % 2),) * 7 + (3,) for n, s in enumerate(INTERESTS)},
    }
    bank = replace(BANK, careless=replace(BANK.careless, least_consistency=3))

    found = {name: check_validity(bank, on_interests(each)) for name, each in answers.items()}

    assert {name: "inconsistent" in each.flags for name, each in found.items()} == {
        "contrary": True,
        "flat": False,
        "agreeing": False,
    }
    assert found["flat"].consistency < 0


INTERESTS_THIRD, APTITUDE_THIRD = (
    BANK.section_seconds[section] / 3 / count
    for section, count in (("interests", 50), ("aptitude", 24))
)


@pytest.mark.parametrize(
    ("given", "figure", "value", "flags"),
    [
        # 7.9 seconds of 40 are under a fifth; the others make up for them.
        (timed("aptitude", 7.9, 0, 300), "effort", 1.0, []),
        (timed("aptitude", 7.9, 2, 300), "effort", 0.9167, []),
        (timed("aptitude", 7.9, 3, 300), "effort", 0.875, ["fast_aptitude"]),
        (careful(**{"int-check-1": 3}), "instructed_missed", 1, ["instructed_missed"]),
        # The few slow ones keep the section as a whole from being hurried.
        (timed("interests", 0.99, 40, 60), "interest_seconds", 0.99, ["fast_interests"]),
        (timed("interests", 1.0, 40, 60), "interest_seconds", 1.0, []),
        (timed("interests", INTERESTS_THIRD - 0.01), "hurried_sections", ["interests"],
         ["hurried_section"]),
        (timed("interests", INTERESTS_THIRD + 0.01), "hurried_sections", [], []),
        (timed("aptitude", APTITUDE_THIRD - 0.01), "hurried_sections", ["aptitude"],
         ["hurried_section"]),
        (timed("aptitude", APTITUDE_THIRD + 0.01), "hurried_sections", [], []),
    ],
)  # fmt: skip
def test_each_sign_is_flagged_beyond_its_limit(given, figure, value, flags):
    validity = check_validity(BANK, given)

    assert (getattr(validity, figure), validity.flags) == (value, flags)


def in_a_row(*choices):
    return [AnsweredItem(*each, 4.0) for each in zip(FIELDS.interests, choices, strict=False)]


# The pattern goes through neither an attention check nor the end of stage 1.
@pytest.mark.parametrize("pattern", [(4,), (2, 4), (1, 3, 5), (1, 2, 3, 4), (1, 2, 3, 4, 5)])
def test_a_pattern_over_and_over_is_a_straight_line(pattern):
    for length, is_flagged in ((19, False), (20, True)):
        choices = [pattern[place % len(pattern)] for place in range(length)]
        other = choices[-len(pattern)] % 5 + 1
        validity = check_validity(FIELDS, in_a_row(*choices, other))
        assert (validity.longest_run, "straight_line" in validity.flags) == (length, is_flagged)

    seen_once = check_validity(FIELDS, in_a_row(1, 2, 3, 4, 5, 1, 2, 3, 4))
    assert seen_once.longest_run == 1
    single = replace(FIELDS, careless=replace(FIELDS.careless, longest_pattern=1))
    assert check_validity(single, in_a_row(*choices)).longest_run == (
        20 if len(pattern) == 1 else 1
    )


def test_consistency_of_answers_without_liking_is_0_with_an_sd_of_1():
    """Whatever the answers are, if they stand in any order; those of a liking are far above."""
    draw = random.Random("consistency")
    for values in ([1, 2, 3, 4, 5] * 8, [3, 3, 3, 4] * 10):
        chance = []
        for _ in range(500):
            draw.shuffle(values)
            given = [
                AnsweredItem(*each, 4.0) for each in zip(FIELDS.statements, values, strict=False)
            ]
            chance.append(consistency(FIELDS, given))
        assert fmean(chance) == pytest.approx(0, abs=0.15)
        assert pstdev(chance) == pytest.approx(1, abs=0.1)
    likes = [
        AnsweredItem(code, 2 + ("art" in each.fields), 4.0)
        for code, each in FIELDS.interests.items()
    ]
    assert consistency(FIELDS, likes) > 2
    assert consistency(FIELDS, likes[::-1]) == consistency(FIELDS, likes)


@pytest.mark.parametrize("codes", [(), ("int-mixer",), tuple(FIELDS.interests)])
def test_equal_answers_have_no_consistency(codes):
    assert consistency(FIELDS, [AnsweredItem(code, 3, 4.0) for code in codes]) is None


def test_a_row_of_equal_answers_goes_on_from_stage_1_to_stage_2():
    first = [AnsweredItem(code, 1 + n * n % 11 % 5, 4.0) for n, code in enumerate(FIELDS.interests)]
    same = [AnsweredItem(each.code, 5, 4.0) for each in first[-8:]]
    second = [AnsweredItem(code, 5, 4.0) for code in list(FIELDS.follow_ups)[:8]]

    assert check_validity(FIELDS, [*first[:-8], *same, *second]).longest_run == 16
    assert check_validity(FIELDS, [*first, *second]).longest_run < 10


def test_statements_of_both_stages_count_for_the_usual_time_of_one():
    first = [
        AnsweredItem(code, 1 + n % 5, 4.0) for n, code in enumerate(list(FIELDS.interests)[:5])
    ]
    second = [
        AnsweredItem(code, 1 + n % 5, 0.5) for n, code in enumerate(list(FIELDS.follow_ups)[:12])
    ]

    assert check_validity(FIELDS, first).interest_seconds == 4.0
    assert check_validity(FIELDS, [*first, *second]).interest_seconds == 0.5
