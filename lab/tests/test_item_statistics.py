"""How items do in use, from attempts of made-up students of whom everything is known."""

import random
from statistics import correlation, fmean

import pytest

from lab.answers import Attempt, Shown
from lab.item_statistics import ALL, ENOUGH, item_figures
from lab.tests.simulated_items import (
    BANK,
    EASY,
    HARD,
    LIKED,
    attempt,
    field_bank,
    simulate,
    together,
)
from measurement.ability import eap, probability


def test_shown_answered_and_right_are_counted():
    key = BANK.keys[EASY]
    found = together(
        attempt((EASY, key, 10.0), (LIKED, 4, 2.0)),
        attempt((EASY, 0, 30.0)),
        attempt((EASY, None, None)),
    )

    assert (found[EASY].shown, found[EASY].answered, found[EASY].correct) == (3, 2, 1)
    assert (found[LIKED].shown, found[LIKED].answered, found[LIKED].correct) == (1, 1, None)
    assert (found[HARD].shown, found[HARD].answered, found[HARD].correct) == (0, 0, 0)


@pytest.mark.parametrize(
    ("seconds", "middle"), [([], None), ([7.04], 7.0), ([1.0, 9.0, 2.0], 2.0), ([1.0, 2.0], 1.5)]
)
def test_half_took_longer_than_the_median(seconds, middle):
    found = together(*[attempt((LIKED, 3, each)) for each in seconds])

    assert found[LIKED].median_seconds == middle


@pytest.mark.parametrize(
    ("shown", "abandoned", "stopped"),
    [
        ([(LIKED, 3, 1.0), ("int-I-01", None, None), ("int-A-01", None, None)], True, "int-I-01"),
        ([(LIKED, None, None), ("int-I-01", 3, 1.0)], True, LIKED),
        # between two parts of the assessment there is no question to stop at
        ([(LIKED, 3, 1.0)], True, None),
        ([], True, None),
        ([(LIKED, 3, 1.0), ("int-I-01", None, None)], False, None),
    ],
)
def test_who_gave_up_stopped_at_the_first_question_left(shown, abandoned, stopped):
    found = together(attempt(*shown, abandoned=abandoned))

    assert {code: each.stopped_here for code, each in found.items() if each.stopped_here} == (
        {stopped: 1} if stopped else {}
    )


def test_a_statement_goes_with_the_rest_of_its_scale_by_hand():
    attempts = simulate(ENOUGH)
    found = together(*attempts)[LIKED].discrimination

    own, rest = [], []
    for each in attempts:
        scores = {
            shown.code: shown.choice
            for shown in each.shown
            if shown.code in BANK.interests and BANK.interests[shown.code].scale == "realistic"
        }
        own.append(float(scores.pop(LIKED) or 0))
        rest.append(fmean(float(score or 0) for score in scores.values()))
    assert found == pytest.approx(correlation(own, rest), abs=5e-4)


def in_two_stages(count):
    """Simulate students who are asked about cows only if they would like to grow vegetables."""
    draw, bank, attempts = random.Random("stages"), field_bank(), []
    for _ in range(count):
        answers = {code: draw.randint(1, 5) for code in (*bank.interests, *bank.preferences)}
        if answers["int-vegetables"] > 2:
            liked = (answers["int-vegetables"] + answers["int-plants"]) / 2
            answers["int-cows"] = max(1, min(5, round(liked + draw.gauss(0, 1))))
            answers["int-trees"] = draw.randint(1, 5)
        shown = tuple(Shown(code, choice, 4.0, "en") for code, choice in answers.items())
        attempts.append(Attempt(shown, is_completed=True, is_valid=True))
    return attempts


def test_a_statement_of_stage_2_goes_with_those_of_both_stages_about_its_field():
    attempts = in_two_stages(400)
    found = item_figures(field_bank(), attempts)["int-cows"][ALL]

    asked = [
        given
        for each in attempts
        if "int-cows" in (given := {shown.code: float(shown.choice or 0) for shown in each.shown})
    ]
    rest = [fmean(each[c] for c in ("int-vegetables", "int-plants", "int-trees")) for each in asked]
    assert found.answered == found.shown == len(asked) < 300
    assert found.discrimination == pytest.approx(
        correlation([each["int-cows"] for each in asked], rest), abs=5e-4
    )


def test_a_puzzle_goes_with_the_ability_that_the_others_show_by_hand():
    attempts = simulate(ENOUGH)
    found = together(*attempts)[EASY].discrimination

    right, others = [], []
    for each in attempts:
        given = {s.code: s.choice or 0 for s in each.shown if s.code in BANK.aptitude}
        right.append(float(given.pop(EASY) == BANK.keys[EASY]))
        others.append(eap(BANK.mark_puzzles(given)).theta)
    assert found == pytest.approx(correlation(right, others), abs=5e-4)


def test_a_puzzle_keyed_wrong_goes_against_the_rest():
    def keyed_wrong(draw, theta, language, code):
        if code != EASY:
            return None
        item = BANK.aptitude[EASY]
        is_right = draw.random() < probability(theta, item.a, item.b, item.c)
        return 0 if is_right else BANK.keys[EASY]

    assert (together(*simulate(400, odd=keyed_wrong))[EASY].discrimination or 0) < -0.15


def test_too_few_answers_give_no_correlation():
    attempts = simulate(ENOUGH)

    assert together(*attempts[1:])[LIKED].discrimination is None
    assert together(*attempts)[LIKED].discrimination is not None
