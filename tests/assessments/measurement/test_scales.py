from __future__ import annotations

import pytest

from assessments.measurement.scales import (
    INTERESTS,
    PREFERENCES,
    Norm,
    ScaleScore,
    interest_profile,
    leaning,
    preference_scales,
)

NORMS = {scale: Norm(3.0, 0.9) for scale in (*INTERESTS, *PREFERENCES)}


def interests(*values: tuple[int, ...]) -> list[tuple[str, int]]:
    pairs = zip(INTERESTS, values, strict=True)
    return [(interest, value) for interest, given in pairs for value in given]


def test_an_interest_is_the_mean_of_its_answers_against_the_norm() -> None:
    answers = interests((5, 4, 5, 4), (1, 1, 2, 1), (3, 3, 3, 3), (3,), (4, 2), (2, 2, 2, 3))

    scales = interest_profile(answers, NORMS).scales

    assert scales["realistic"] == ScaleScore(4.5, 1.6667)
    assert scales["investigative"] == ScaleScore(1.25, -1.9444)
    assert scales["artistic"] == ScaleScore(3.0, 0.0)
    assert scales["conventional"] == ScaleScore(2.25, -0.8333)


def test_differentiation_is_the_deviation_of_the_six() -> None:
    # z = 2.2222, -2.2222 and four times 0: the root of 2 * 4.93817 / 6.
    profile = interest_profile(interests((5,), (1,), (3,), (3,), (3,), (3,)), NORMS)

    assert profile.differentiation == pytest.approx(1.283, abs=5e-5)
    assert not profile.is_flat


@pytest.mark.parametrize("value", [1, 2, 3, 4, 5])
def test_the_same_answer_throughout_is_flat(value: int) -> None:
    profile = interest_profile(interests(*([(value,) * 4] * 6)), NORMS)

    assert profile.differentiation == 0
    assert profile.is_flat


@pytest.mark.parametrize(
    ("first", "expected"),
    [
        # One mean of 3.75 among 3s: z = .8333, SD = .8333 * root(5) / 6 = .3106.
        ((4, 4, 4, 3), True),
        # One mean of 4: z = 1.1111, SD = .4141.
        ((4, 4, 4, 4), False),
    ],
)
def test_a_profile_is_flat_below_the_limit(first: tuple[int, ...], expected: bool) -> None:
    profile = interest_profile(interests(first, (3,), (3,), (3,), (3,), (3,)), NORMS)

    assert profile.is_flat is expected


def test_an_interest_without_answers_is_refused() -> None:
    with pytest.raises(ValueError, match="artistic"):
        interest_profile(interests((3,), (3,), (), (3,), (3,), (3,)), NORMS)


def test_a_negatively_keyed_statement_counts_from_the_other_end() -> None:
    answers = [(scale, 3, 1) for scale in PREFERENCES[1:]]

    scores = preference_scales([("alone_group", 5, 1), ("alone_group", 1, -1), *answers], NORMS)

    assert scores["alone_group"] == ScaleScore(5.0, 2.2222)
    assert scores["doing_reading"] == ScaleScore(3.0, 0.0)


def test_a_preference_without_answers_is_refused() -> None:
    with pytest.raises(ValueError, match="online_classroom"):
        preference_scales([(scale, 3, 1) for scale in PREFERENCES[:-1]], NORMS)


@pytest.mark.parametrize(
    ("z", "expected"),
    [(-0.51, "alone"), (-0.5, ""), (0.0, ""), (0.5, ""), (0.51, "group")],
)
def test_a_side_is_named_only_beyond_half_a_deviation(z: float, expected: str) -> None:
    assert leaning("alone_group", ScaleScore(3.0 + z, z)) == expected


@pytest.mark.parametrize(("mean", "z"), [(3.2, -1.0), (2.8, 1.0), (3.0, 1.0)])
def test_a_side_is_not_named_against_the_student_s_own_answers(mean: float, z: float) -> None:
    """Who agrees with studying in a group, if less than others, does not lean towards alone."""
    assert leaning("alone_group", ScaleScore(mean, z)) == ""


@pytest.mark.parametrize(("mean", "percent"), [(1, 0), (3, 50), (5, 100), (2.25, 31)])
def test_a_mean_is_placed_on_a_line_from_0_to_100(mean: float, percent: int) -> None:
    assert ScaleScore(mean, 0).percent == percent
