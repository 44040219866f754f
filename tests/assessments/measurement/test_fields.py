from __future__ import annotations

from dataclasses import replace

import pytest

from assessments.measurement.fields import (
    FIELDS,
    field_scores,
    leading_fields,
    statement_scores,
)
from assessments.measurement.scales import INTERESTS, Norm
from tests.assessments.measurement.field_bank import field_bank, types_of

BANK = field_bank()
MIDDLE = dict.fromkeys(BANK.interests, 3)
NO_TYPES = dict.fromkeys(INTERESTS, 0.0)


def test_an_answer_counts_in_sds_from_the_norm_of_its_statement() -> None:
    norms = {**BANK.statement_norms, "int-mixer": Norm(2.5, 1.25)}

    scores = statement_scores(replace(BANK, statement_norms=norms), {"int-mixer": 5, "int-pond": 3})

    assert scores == {"int-mixer": 2.0, "int-pond": 0.0}


def test_a_field_leans_on_its_types_the_more_the_fewer_statements_it_has() -> None:
    types = {**NO_TYPES, "realistic": 1.0}
    one = {"int-mixer": 5}
    three = {"int-mixer": 5, "int-phone": 5, "int-crane": 5}
    z = (5 - 3) / 1.2

    # n statements weigh n / (n + 2), the type 2 / (n + 2)
    assert field_scores(BANK, {}, types)["machines"] == 1.0
    assert field_scores(BANK, one, types)["machines"] == pytest.approx(z / 3 + 2 / 3, abs=1e-4)
    assert field_scores(BANK, three, types)["machines"] == pytest.approx(
        z * 3 / 5 + 2 / 5, abs=1e-4
    )


def test_a_field_of_two_types_leans_on_their_mean() -> None:
    scores = field_scores(BANK, {}, {**NO_TYPES, "realistic": 1.0, "investigative": 0.5})

    assert FIELDS["nature"] == ("realistic", "investigative")
    assert scores["nature"] == 0.75


def test_a_statement_of_three_fields_counts_for_each() -> None:
    scores = field_scores(BANK, {"int-advert": 5}, NO_TYPES)

    assert {name for name, score in scores.items() if score > 0} == {"business", "media", "writing"}


def test_a_statement_of_stage_2_counts_for_its_field_and_for_no_type() -> None:
    plain = field_scores(BANK, MIDDLE, types_of(BANK, MIDDLE))
    more = field_scores(BANK, {**MIDDLE, "int-cows": 5}, types_of(BANK, MIDDLE))

    assert {name for name in FIELDS if more[name] != plain[name]} == {"nature"}
    assert more["nature"] > plain["nature"]


def test_the_six_highest_fields_lead_and_ties_go_by_the_table() -> None:
    flat = dict.fromkeys(FIELDS, 0.0)

    assert leading_fields(BANK, flat) == list(FIELDS)[:6]
    assert leading_fields(BANK, {**flat, "office": 0.1, "law": 0.2}) == [
        "law",
        "office",
        *list(FIELDS)[:4],
    ]


def test_the_order_of_answers_changes_nothing() -> None:
    answers = {code: 1 + number % 5 for number, code in enumerate(BANK.interests)}
    backwards = dict(reversed(list(answers.items())))

    assert field_scores(BANK, answers, types_of(BANK, answers)) == field_scores(
        BANK, backwards, types_of(BANK, backwards)
    )
