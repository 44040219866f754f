"""Scales and the whole profile of an attempt's answers."""

import json
import random
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from measurement.ability import eap, facet_abilities
from measurement.bank import DONT_KNOW, Bank
from measurement.profile import OVERALL, Profile, score_attempt
from measurement.scales import (
    INTERESTS,
    PREFERENCES,
    Norm,
    ScaleScore,
    Statement,
    are_flat,
    differentiation,
    leaning,
    scale_scores,
)
from measurement.validity import CAREFUL, AnsweredItem
from tests.measurement.field_bank import field_bank
from tests.measurement.synthetic import bank_file

NORMS = {scale: Norm(3.0, 0.9) for scale in (*INTERESTS, *PREFERENCES)}
BANK = Bank.from_json(bank_file())
FIELDS = field_bank()


def scores(answers):
    """Score answers by scale; a negative one is to a statement that is keyed the other way."""
    statements, choices = [], {}
    for scale, given_on in answers.items():
        statements.append(Statement(scale, scale, 1))
        for answer in given_on:
            statement = Statement(str(len(statements)), scale, 1 if answer > 0 else -1)
            statements.append(statement)
            choices[statement.code] = abs(answer)
    return scale_scores(statements, choices, NORMS)


def interests(*values):
    return scores(dict(zip(INTERESTS, values, strict=True)))


def test_an_interest_is_the_mean_of_its_answers_against_the_norm():
    answers = (5, 4, 5, 4), (1, 1, 2, 1), (3, 3, 3, 3), (3,), (4, 2), (2, 2, 2, 3)

    assert interests(*answers) == {
        "realistic": ScaleScore(4.5, 1.6667),
        "investigative": ScaleScore(1.25, -1.9444),
        "artistic": ScaleScore(3.0, 0.0),
        "social": ScaleScore(3.0, 0.0),
        "enterprising": ScaleScore(3.0, 0.0),
        "conventional": ScaleScore(2.25, -0.8333),
    }


@pytest.mark.parametrize(
    ("first", "second", "others", "deviation"),
    [
        # z = 2.2222, -2.2222 and four times 0: the root of 2 * 4.93817 / 6.
        ((5,), (1,), (3,), 1.283),
        # One mean of 3.75 among 3s: z = .8333, SD = .8333 * root(5) / 6.
        ((4, 4, 4, 3), (3,), (3,), 0.3106),
        # One mean of 4: z = 1.1111.
        ((4, 4, 4, 4), (3,), (3,), 0.4141),
        *(((value,) * 4, (value,) * 4, (value,) * 4, 0) for value in range(1, 6)),
    ],
)
def test_a_profile_is_flat_if_the_six_deviate_by_less_than_35_hundredths(
    first, second, others, deviation
):
    profile = interests(first, second, *[others] * 4)

    assert differentiation(profile) == pytest.approx(deviation, abs=5e-5)
    assert are_flat(profile) is (deviation < 0.35)


def test_a_negatively_keyed_statement_counts_from_the_other_end():
    assert scores({"alone_group": (5, -1)}) == {"alone_group": ScaleScore(5.0, 2.2222)}


def test_a_scale_without_answers_and_an_answer_off_the_scale_are_refused():
    with pytest.raises(ValueError, match="artistic"):
        interests((3,), (3,), (), (3,), (3,), (3,))
    for answer in (6, -6):
        with pytest.raises(ValueError, match="is 6"):
            interests((answer,), (3,), (3,), (3,), (3,), (3,))


@pytest.mark.parametrize(
    ("mean", "z", "side"),
    [
        *((3.0 + z, z, side) for z, side in [(-0.51, "alone"), (-0.5, ""), (0.51, "group")]),
        # Who agrees with studying in a group, if less than others, does not lean towards alone.
        (3.2, -1.0, ""),
        (2.8, 1.0, ""),
    ],
)
def test_a_side_is_named_beyond_half_a_deviation_and_with_the_student_s_own_answers(mean, z, side):
    assert leaning("alone_group", ScaleScore(mean, z)) == side


@pytest.mark.parametrize(("mean", "percent"), [(1, 0), (3, 50), (5, 100), (2.25, 31)])
def test_a_mean_is_placed_on_a_line_from_0_to_100(mean, percent):
    assert ScaleScore(mean, 0).percent == percent


def all_answers(statement, aptitude=None, bank=BANK):
    """The same answer to all statements; aptitude as given, or by the key."""
    return {
        code: (bank.keys[code] if aptitude is None else aptitude)
        if section == "aptitude"
        else bank.instructed.get(code, statement)
        for code, section in bank.sections.items()
    }


def scored(choices, bank=BANK):
    """Score the choices with ample time for each, in their order."""
    return score_attempt(
        bank, [AnsweredItem(code, choice, 40.0) for code, choice in choices.items()]
    )


def test_interests_and_preferences_are_scored():
    choices = all_answers(3)
    choices |= {code: 5 for code, s in BANK.interests.items() if s.scale == "artistic"}
    choices |= {
        code: 5 if s.keyed == 1 else 1
        for code, s in BANK.preferences.items()
        if s.scale == "planned_flexible"
    }

    profile = scored(choices)

    assert profile.interests["artistic"].mean == 5
    assert [each.z for each in profile.interests.values()] == [0, 0, 2.2222, 0, 0, 0]
    assert [each.z for each in profile.preferences.values()] == [0, 0, 2.2222, 0]
    assert profile.aptitude[OVERALL].theta > 1
    # Statements that are not scored change no score.
    others = scored({**choices, "int-check-1": 5})
    assert others.interests == profile.interests


def test_aptitude_and_each_facet_are_estimated_from_the_marks():
    choices = all_answers(3, aptitude=DONT_KNOW)
    numerical = [c for c, item in BANK.aptitude.items() if item.family in ("problems", "data")]
    choices |= {code: BANK.keys[code] for code in numerical}

    profile = scored(choices)

    responses = BANK.mark_puzzles(choices)
    expected = {OVERALL: eap(responses), **facet_abilities(responses, BANK.facets)}
    assert list(profile.facets) == ["numerical", "abstract", "verbal"]
    assert profile.aptitude.keys() == expected.keys()
    for name, estimate in profile.aptitude.items():
        assert estimate.theta == pytest.approx(expected[name].theta, abs=5e-5)
        assert estimate.se == pytest.approx(expected[name].se, abs=5e-5)
    assert max(profile.facets, key=lambda name: profile.facets[name].theta) == "numerical"
    assert scored(all_answers(3, aptitude=DONT_KNOW)).aptitude[OVERALL].theta < -1


@given(st.integers(0, 2**32))
def test_a_stored_profile_equals_a_rescored_one(seed):
    rng = random.Random(seed)
    choices = {
        code: rng.randint(0, 5) if section == "aptitude" else rng.randint(1, 5)
        for code, section in BANK.sections.items()
    }
    profile = scored(choices)

    # As a JSON column may hand it back: keys in another order, 3.0 as 3.
    stored = json.loads(json.dumps(profile.to_json(), sort_keys=True).replace(".0,", ","))

    assert Profile.from_json(stored) == profile == scored(choices)
    assert Profile.from_json(stored).to_json() == profile.to_json()
    # The order decides between equal scores.
    assert list(Profile.from_json(stored).fields) == list(FIELDS.fields)


def test_who_loves_one_field_is_not_flat_though_the_types_are_alike():
    choices = all_answers(3, bank=FIELDS)
    choices |= {code: 5 for code, s in FIELDS.statements.items() if "physical_science" in s.fields}

    bank = replace(FIELDS, norms=dict.fromkeys(FIELDS.norms, Norm(3.0, 0.9)))
    profile = replace(scored(choices, bank), validity=CAREFUL)

    assert are_flat(profile.interests)
    assert not profile.is_flat
    assert replace(profile, fields=dict.fromkeys(profile.fields, 0.0)).is_flat


@pytest.mark.parametrize(("consistency", "is_flat"), [(None, True), (1.6, True), (1.7, False)])
def test_whose_answers_agree_is_not_flat_in_however_narrow_a_range(consistency, is_flat):
    profile = scored(all_answers(3, bank=FIELDS), FIELDS)

    assert profile.is_flat
    validity = replace(profile.validity, consistency=consistency)
    assert replace(profile, validity=validity).is_flat is is_flat


@pytest.mark.parametrize(
    ("signs", "doubts"),
    [
        ({}, {}),
        ({"flags": ["straight_line"]}, {"interests": "alike"}),
        ({"flags": ["inconsistent", "instructed_missed"]}, {"interests": "contradicting"}),
        ({"flags": ["fast_interests", "inconsistent"]}, {"interests": "quick"}),
        ({"flags": ["fast_aptitude"]}, {"aptitude": "quick"}),
        ({"flags": ["hurried_section"], "hurried_sections": ["fields"]}, {"interests": "quick"}),
        ({"flags": ["hurried_section"], "hurried_sections": ["preferences"]},
         {"preferences": "quick"}),
    ],
)  # fmt: skip
def test_a_sign_of_carelessness_makes_its_own_part_doubtful_and_no_other(signs, doubts):
    choices = all_answers(3, bank=FIELDS)
    choices |= {code: 5 for code, s in FIELDS.statements.items() if "machines" in s.fields}
    profile = scored(choices, FIELDS)
    clear = {scale: ScaleScore(4.5, 1.5) for scale in PREFERENCES}

    found = replace(profile, preferences=clear, validity=replace(CAREFUL, **signs))

    assert found.doubts == doubts
    assert bool(found.facets) is ("aptitude" not in doubts)
    assert bool(found.clear_preferences) is ("preferences" not in doubts)


def test_flat_interests_are_doubtful_unless_they_look_careless_too():
    flat = scored(all_answers(3, bank=FIELDS), FIELDS)

    assert replace(flat, validity=CAREFUL).doubts == {"interests": "flat"}
    careless = replace(CAREFUL, flags=["straight_line"])
    assert replace(flat, validity=careless).doubts == {"interests": "alike"}


def test_unknown_items_and_unfinished_attempts_are_refused():
    with pytest.raises(KeyError, match="Not in this bank: int-X-09"):
        scored({**all_answers(3), "int-X-09": 3})
    with pytest.raises(ValueError, match="alone_group"):
        scored(dict.fromkeys(BANK.interests, 3))
