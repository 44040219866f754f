"""Norms of scales and statements from completed attempts, and usual times."""

import random
from statistics import fmean, pstdev, stdev

import pytest

from measurement.norms import (
    blend,
    norm_of_values,
    scale_norms,
    statement_norms,
    usual_seconds,
    with_norms_from,
)
from measurement.scales import Norm
from tests.measurement.field_bank import field_bank

BANK = field_bank()
CODES = list(BANK.interests)


@pytest.mark.parametrize(
    ("values", "norm"),
    [
        # The start counts as five answers, and so do their variances.
        ([2.0, 4.0] * 50, Norm(2.9762, 1.0048)),
        ([3.0] * 10, Norm(2.8333, 0.5774)),
        ([4.0, 4.2] * 150, Norm(4.0738, 0.5)),
        ([1.0, 5.0] * 150, Norm(2.9918, 1.991)),
        ([4.0], Norm(2.5, 1.0)),
        ([], Norm(2.5, 1.0)),
    ],
    ids=["many", "ten", "the smallest spread", "nearly the largest", "one", "none"],
)
def test_the_starting_norm_counts_as_five_answers(values, norm):
    assert norm_of_values(values, Norm(2.5, 1.0)) == norm


def test_the_norm_of_a_scale_comes_from_those_who_answered_all_of_it():
    social = [code for code, each in BANK.interests.items() if each.scale == "social"]
    whole, part = dict.fromkeys(social, 4), dict.fromkeys(social[1:], 2)

    norms = scale_norms(BANK, [whole] * 30 + [part] * 30)

    start = BANK.norms["social"]
    assert norms == BANK.norms | {"social": blend(start, Norm(4.0, 0.0), 30)}


def sittings(count, seed="norms"):
    draw = random.Random(seed)
    return [{code: draw.randint(1, 5) for code in CODES} for _ in range(count)]


def test_fewer_than_ten_attempts_are_refused_and_fewer_than_thirty_times_left_out():
    with pytest.raises(ValueError, match="need 10 attempts, and there are 9"):
        with_norms_from({}, [[]] * 9)
    assert usual_seconds([("one", 9.0)] * 29 + [("two", 0.2)] * 30) == {"two": 1}


def test_the_norm_of_a_statement_is_mean_and_sd_of_its_answers():
    attempts = sittings(40)
    values = [answers["int-pond"] for answers in attempts]

    norm = statement_norms(BANK, attempts)["int-pond"]

    start = BANK.statement_norms["int-pond"]
    assert norm == blend(start, Norm(fmean(values), stdev(values)), 40)
    alike = [dict.fromkeys(CODES, 3) for _ in range(90)]
    assert {norm.sd for norm in statement_norms(BANK, alike).values()} == {0.5}


def test_before_a_hundred_answers_stage_2_has_the_norm_of_its_field_in_stage_1():
    attempts = sittings(60)
    for answers in attempts:
        answers["int-cows"] = 5

    norm = statement_norms(BANK, attempts)["int-cows"]

    values = [answers[code] for answers in attempts for code in ("int-vegetables", "int-plants")]
    start = BANK.statement_norms["int-cows"]
    assert norm == blend(start, Norm(fmean(values), stdev(values)), 60)


def test_then_it_is_predicted_for_those_who_were_not_asked():
    """Only who likes nature is asked about cows, and answers alike: the norm is everybody's."""
    draw = random.Random("cows")
    attempts, everybody = sittings(1500, "cows"), []
    for answers in attempts:
        liking = (answers["int-vegetables"] + answers["int-plants"]) / 2
        answer = max(1, min(5, round(1 + 0.6 * liking + draw.gauss(0, 0.4))))
        everybody.append(answer)
        if liking >= 3.5:
            answers["int-cows"] = answer
    asked = [answers["int-cows"] for answers in attempts if "int-cows" in answers]

    norm = statement_norms(BANK, attempts)["int-cows"]

    assert fmean(asked) > fmean(everybody) + 0.4
    assert norm.mean == pytest.approx(fmean(everybody), abs=0.1)
    assert norm.sd == pytest.approx(pstdev(everybody), abs=0.1)


def test_where_all_answered_stage_1_alike_the_mean_of_the_answers_counts():
    attempts = [{**dict.fromkeys(CODES, 3), "int-cows": 4} for _ in range(120)]

    assert statement_norms(BANK, attempts)["int-cows"].mean == 4
