from __future__ import annotations

import math
from collections.abc import Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st

from assessments.measurement.ability import (
    Ability,
    AptitudeItem,
    Posterior,
    Response,
    band,
    eap,
    interval,
    percentile,
)


def responses(*marks: tuple[float, float, float, bool]) -> list[Response]:
    return [
        Response(AptitudeItem(f"item-{number}", "series", a, b, c), correct)
        for number, (a, b, c, correct) in enumerate(marks)
    ]


def integrated(answers: Sequence[Response], mean: float, sd: float) -> tuple[float, float]:
    """The posterior's mean and SD by a fine Riemann sum far beyond the grid, in logarithms."""
    points = [-10 + 20 * step / 20_000 for step in range(20_001)]
    densities = []
    for theta in points:
        log = -((theta - mean) ** 2) / (2 * sd**2)
        for answer in answers:
            item = answer.item
            p = item.c + (1 - item.c) / (1 + math.e ** (-item.a * (theta - item.b)))
            log += math.log(p if answer.correct else 1 - p)
        densities.append(math.e**log)
    total = sum(densities)
    expected = sum(d * t for d, t in zip(densities, points, strict=True)) / total
    second = sum(d * t * t for d, t in zip(densities, points, strict=True)) / total
    return expected, math.sqrt(second - expected**2)


PATTERNS = {
    "one right": responses((1.1, 0.0, 0.18, True)),
    "one wrong": responses((1.1, 0.0, 0.18, False)),
    "easy right, hard wrong": responses((1.1, -1.5, 0.18, True), (1.1, 1.5, 0.18, False)),
    "all right": responses(*((1.1, -1.8 + 0.3 * n, 0.18, True) for n in range(12))),
    "all wrong": responses(*((1.1, -1.8 + 0.3 * n, 0.18, False) for n in range(12))),
    "by turns": responses(*((0.8 + 0.1 * n, 2 - 0.4 * n, 0.2, n % 2 == 0) for n in range(12))),
}


@pytest.mark.parametrize("name", PATTERNS)
@pytest.mark.parametrize(("mean", "sd"), [(0.0, 1.0), (0.6, 0.7)])
def test_estimate_and_error_agree_with_an_integration(name: str, mean: float, sd: float) -> None:
    theta, se = integrated(PATTERNS[name], mean, sd)

    ability = eap(PATTERNS[name], mean, sd)

    assert ability.theta == pytest.approx(theta, abs=1e-6)
    assert ability.se == pytest.approx(se, abs=1e-6)


def test_without_an_answer_the_estimate_is_the_prior() -> None:
    ability = eap([])

    assert ability.theta == pytest.approx(0, abs=1e-12)
    assert ability.se == pytest.approx(1, abs=1e-6)


def test_a_posterior_that_grows_answer_by_answer_is_the_estimate_from_all() -> None:
    answers = PATTERNS["by turns"]
    posterior = Posterior(0.6, 0.7)

    for count, answer in enumerate(answers, start=1):
        posterior.add(answer)

        assert posterior.ability == eap(answers[:count], 0.6, 0.7)


def test_thousands_of_answers_do_not_underflow() -> None:
    ability = eap(responses(*((1.1, 0.0, 0.0, n % 2 == 0) for n in range(4000))))

    assert ability.theta == pytest.approx(0, abs=1e-9)
    assert 0 < ability.se < 0.1


@given(st.lists(st.booleans(), min_size=1, max_size=12), st.integers(0, 11))
def test_one_more_right_answer_never_lowers_the_estimate(marks: list[bool], place: int) -> None:
    place %= len(marks)
    worse, better = list(marks), list(marks)
    worse[place], better[place] = False, True

    def estimate(given_marks: list[bool]) -> float:
        rows = ((1.1, n / 3 - 2, 0.18, mark) for n, mark in enumerate(given_marks))
        return eap(responses(*rows)).theta

    assert estimate(better) > estimate(worse)


@pytest.mark.parametrize(
    ("theta", "expected"),
    [(0, 50), (1, 84.1344746), (-1, 15.8655254), (1.2815515655, 90), (-6, 1e-7)],
)
def test_percentiles_are_of_the_standard_normal(theta: float, expected: float) -> None:
    assert percentile(theta) == pytest.approx(expected, abs=1e-6)


@pytest.mark.parametrize(
    ("theta", "code"),
    [
        (-1.29, "lowest"),
        (-1.28, "lower"),
        (-0.53, "lower"),
        (-0.52, "middle"),
        (0.52, "middle"),
        (0.53, "higher"),
        (1.28, "higher"),
        (1.29, "highest"),
    ],
)
def test_five_bands_part_the_reference_population(theta: float, code: str) -> None:
    assert band(Ability(theta, 0.5)).code == code


def test_the_interval_is_one_error_to_each_side_in_percentiles() -> None:
    assert interval(Ability(0, 1)) == (15, 85)
    assert interval(Ability(0.5, 0.5)) == (50, 85)
