from __future__ import annotations

import math

import pytest

from assessments.measurement.ability import information, probability

# Worked out on paper from P = c + (1 - c) / (1 + exp(-a (theta - b))).
TABLE = [
    (1.0, 1.0, 0.0, 0.0, 0.7310585786),
    (0.7, 1.1, 0.7, 0.18, 0.59),
    (1.0, 2.0, 0.0, 0.2, 0.9046376623),
    (-6.0, 1.1, 2.8, 0.18, 0.1800512644),
]


@pytest.mark.parametrize(("theta", "a", "b", "c", "expected"), TABLE)
def test_probability_follows_the_table(
    theta: float, a: float, b: float, c: float, expected: float
) -> None:
    assert probability(theta, a, b, c) == pytest.approx(expected, abs=1e-9)


@pytest.mark.parametrize("theta", [-4.0, -1.3, 0.0, 0.4, 2.0, 4.0])
@pytest.mark.parametrize(("a", "b", "c"), [(1.1, 0.0, 0.18), (0.5, -2.0, 0.0), (2.2, 1.5, 0.25)])
def test_information_is_the_squared_slope_over_the_variance(
    theta: float, a: float, b: float, c: float
) -> None:
    step = 1e-5
    slope = (probability(theta + step, a, b, c) - probability(theta - step, a, b, c)) / (2 * step)
    p = probability(theta, a, b, c)

    assert information(theta, a, b, c) == pytest.approx(slope**2 / (p * (1 - p)), rel=1e-6)


@pytest.mark.parametrize("theta", [-1e6, 1e6])
def test_extreme_abilities_do_not_overflow(theta: float) -> None:
    assert probability(theta, 2.0, 0.0, 0.2) == pytest.approx(0.2 if theta < 0 else 1.0)
    assert math.isfinite(information(theta, 2.0, 0.0, 0.2))
