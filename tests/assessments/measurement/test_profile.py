from __future__ import annotations

import json
import random
from collections.abc import Mapping
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from assessments.measurement import ability
from assessments.measurement.ability import eap, facet_abilities
from assessments.measurement.bank import DONT_KNOW, Bank
from assessments.measurement.courses import CourseData
from assessments.measurement.profile import OVERALL, Profile, score
from assessments.measurement.recommendation import COUNT, suggest
from assessments.measurement.scales import INTERESTS
from assessments.measurement.validity import STRAIGHT_LINE, Given
from tests.assessments.measurement.field_bank import field_bank
from tests.assessments.measurement.synthetic import bank_file

BANK = Bank.from_json(bank_file())
FIELDS = field_bank()


def answers(rng: random.Random) -> dict[str, int]:
    return {
        code: rng.randint(0, 5) if section == "aptitude" else rng.randint(1, 5)
        for code, section in BANK.sections.items()
        if code not in BANK.spares
    }


def all_answers(statement: int, aptitude: int | None = None, bank: Bank = BANK) -> dict[str, int]:
    """The same answer to all statements; aptitude as given, or by the key."""
    return {
        code: (bank.keys[code] if aptitude is None else aptitude)
        if section == "aptitude"
        else bank.instructed.get(code, statement)
        for code, section in bank.sections.items()
        if code not in bank.spares
    }


def answers_of(choices: Mapping[str, int]) -> list[Given]:
    """The choices with ample time for each, in their order."""
    return [Given(code, choice, 40.0) for code, choice in choices.items()]


def test_each_part_is_scored() -> None:
    given_answers = all_answers(3)
    given_answers |= {code: 5 for code, s in BANK.interests.items() if s.scale == "artistic"}
    given_answers |= {
        code: 5 if s.keyed == 1 else 1
        for code, s in BANK.preferences.items()
        if s.scale == "planned_flexible"
    }

    profile = score(BANK, answers_of(given_answers))

    assert profile.interests.scales["artistic"].mean == 5
    assert profile.interests.z == (0, 0, 2.2222, 0, 0, 0)
    assert profile.preferences["planned_flexible"].z == 2.2222
    assert profile.preferences["alone_group"].z == 0
    assert profile.aptitude[OVERALL].theta > 1


def test_aptitude_is_the_estimate_from_the_marks() -> None:
    profile = score(BANK, answers_of(all_answers(3, aptitude=DONT_KNOW)))

    expected = eap(BANK.responses(all_answers(3, aptitude=DONT_KNOW)))
    assert profile.aptitude[OVERALL].theta == pytest.approx(expected.theta, abs=5e-5)
    assert profile.aptitude[OVERALL].theta < -1


@given(st.integers(0, 2**32))
def test_a_stored_profile_equals_a_rescored_one(seed: int) -> None:
    rng = random.Random(seed)
    given_answers = answers(rng)
    profile = score(BANK, answers_of(given_answers))

    # As a JSON column may hand it back: keys in another order, 3.0 as 3.
    stored = json.loads(json.dumps(profile.to_json(), sort_keys=True).replace(".0,", ","))

    assert Profile.from_json(stored) == profile
    assert Profile.from_json(stored).to_json() == profile.to_json()
    assert score(BANK, answers_of(given_answers)) == profile


def test_each_facet_of_the_bank_is_estimated() -> None:
    choices = all_answers(3, aptitude=DONT_KNOW)
    numerical = [c for c, item in BANK.aptitude.items() if item.family in ("problems", "data")]
    choices |= {code: BANK.keys[code] for code in numerical}

    profile = score(BANK, answers_of(choices))

    expected = facet_abilities(BANK.responses(choices), BANK.facets)
    assert list(profile.facets) == ["numerical", "abstract", "verbal"]
    for facet, ability_in_facet in profile.facets.items():
        assert ability_in_facet.theta == pytest.approx(expected[facet].theta, abs=5e-5)
        assert ability_in_facet.se == pytest.approx(expected[facet].se, abs=5e-5)
    assert ability.stronger(profile.facets) == ability.stronger(expected) == "numerical"


def test_statements_that_are_not_scored_change_no_score() -> None:
    choices = all_answers(4)

    profile = score(BANK, answers_of({**choices, "int-check-1": 5, "int-R-09": 1}))

    assert profile.interests == score(BANK, answers_of(choices)).interests


def test_confidence_is_usual_unless_something_speaks_against_it() -> None:
    choices = all_answers(3)
    choices |= {code: 5 for code, s in BANK.interests.items() if s.scale in INTERESTS[:3]}
    profile = score(BANK, answers_of(choices))
    flat = replace(
        profile.interests, scales=dict.fromkeys(INTERESTS, profile.interests.scales[INTERESTS[0]])
    )
    flagged = replace(profile.validity, flags=(STRAIGHT_LINE,))
    usual = replace(profile, validity=replace(profile.validity, flags=()))

    assert usual.confidence == "usual"
    assert replace(usual, validity=flagged).confidence == "low"
    alike = dict.fromkeys(profile.fields, 0.0)
    assert replace(usual, interests=flat, fields=alike).confidence == "low"


@pytest.mark.parametrize("seed", range(5))
def test_the_order_of_rows_changes_neither_scores_nor_courses(seed: int) -> None:
    rng = random.Random(seed)
    choices = {code: rng.randint(1, 5) for code in [*FIELDS.statements, *FIELDS.preferences]}
    choices |= {code: rng.randint(0, 5) for code in rng.sample(list(FIELDS.aptitude), 12)}
    rows = answers_of(choices)
    courses = [
        CourseData(
            code=f"{number:02}",
            name=f"Course {number}",
            order=number % 3,
            levels=(rng.randint(0, 3), 1, 2),
            importance=(1, 0, 2),
            fields=tuple(rng.sample(list(FIELDS.fields), rng.randint(1, 3))),
        )
        for number in range(12)
    ]

    shuffled = score(FIELDS, rng.sample(rows, len(rows)))
    others = dict(rng.sample(list(choices.items()), len(choices)))

    profile = score(FIELDS, rows)
    assert replace(shuffled, validity=profile.validity) == profile
    assert suggest(FIELDS, shuffled, others, rng.sample(courses, len(courses)), COUNT) == suggest(
        FIELDS, profile, choices, courses, COUNT
    )


@pytest.mark.parametrize("bank", [BANK, FIELDS])
@pytest.mark.parametrize("value", [1, 3, 5])
def test_the_same_answer_throughout_is_flat_in_every_bank(bank: Bank, value: int) -> None:
    assert score(bank, answers_of(all_answers(value, bank=bank))).is_flat


def test_who_loves_one_field_is_not_flat_though_the_types_are_alike() -> None:
    choices = all_answers(3, bank=FIELDS)
    choices |= {code: 5 for code, s in FIELDS.statements.items() if "physical_science" in s.fields}

    profile = score(FIELDS, answers_of(choices))

    assert profile.interests.is_flat
    assert not profile.is_flat
    assert replace(profile, fields=dict.fromkeys(profile.fields, 0.0)).is_flat


def test_fields_are_read_in_the_order_that_decides_between_equal_scores() -> None:
    stored = score(FIELDS, answers_of(all_answers(3, bank=FIELDS))).to_json()
    stored["fields"] = dict(sorted(stored["fields"].items(), key=lambda each: len(each[0])))

    assert list(Profile.from_json(stored).fields) == list(FIELDS.fields)


def test_an_answer_to_an_unknown_item_is_refused() -> None:
    with pytest.raises(KeyError, match="int-X-09"):
        score(BANK, answers_of({**all_answers(3), "int-X-09": 3}))


def test_an_unfinished_attempt_is_refused() -> None:
    unfinished = dict.fromkeys(BANK.interests, 3)

    with pytest.raises(ValueError, match="alone_group"):
        score(BANK, answers_of(unfinished))
