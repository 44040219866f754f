"""Ability by the three-parameter logistic model: estimates, errors, bands and facets."""

import math
from dataclasses import astuple
from statistics import NormalDist, fmean

import pytest

from measurement.ability import (
    RANGE_ERRORS,
    Ability,
    AptitudeItem,
    Response,
    eap,
    facet_abilities,
    information,
    interval,
    mean_discrimination,
    percentile,
    probability,
    reported_bands,
)


# Worked out on paper from P = c + (1 - c) / (1 + exp(-a (theta - b))).
@pytest.mark.parametrize(
    ("theta", "a", "b", "c", "expected"),
    [
        (1.0, 1.0, 0.0, 0.0, 0.7310585786),
        (0.7, 1.1, 0.7, 0.18, 0.59),
        (1.0, 2.0, 0.0, 0.2, 0.9046376623),
        (-1e6, 2.0, 0.0, 0.2, 0.2),
        (1e6, 2.0, 0.0, 0.2, 1.0),
    ],
)
def test_probability(theta, a, b, c, expected):
    assert probability(theta, a, b, c) == pytest.approx(expected, abs=1e-9)
    assert math.isfinite(information(theta, a, b, c))


@pytest.mark.parametrize("theta", [-4.0, -1.3, 0.0, 0.4, 2.0, 4.0])
@pytest.mark.parametrize(("a", "b", "c"), [(1.1, 0.0, 0.18), (0.5, -2.0, 0.0), (2.2, 1.5, 0.25)])
def test_information_is_the_squared_slope_over_the_variance(theta, a, b, c):
    step = 1e-5
    slope = (probability(theta + step, a, b, c) - probability(theta - step, a, b, c)) / (2 * step)
    p = probability(theta, a, b, c)

    assert information(theta, a, b, c) == pytest.approx(slope**2 / (p * (1 - p)), rel=1e-6)


def responses(*marks):
    return [
        Response(AptitudeItem(f"item-{number}", "series", a, b, c), correct)
        for number, (a, b, c, correct) in enumerate(marks)
    ]


def integrated(answers, mean, sd):
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
    "none": [],
    "easy right, hard wrong": responses((1.1, -1.5, 0.18, True), (1.1, 1.5, 0.18, False)),
    "all wrong": responses(*((1.1, -1.8 + 0.3 * n, 0.18, False) for n in range(12))),
    "by turns": responses(*((0.8 + 0.1 * n, 2 - 0.4 * n, 0.2, n % 2 == 0) for n in range(12))),
}


@pytest.mark.parametrize("name", PATTERNS)
@pytest.mark.parametrize("prior", [(), (0.6, 0.7)])
def test_estimate_and_error_agree_with_an_integration(name, prior):
    theta, se = integrated(PATTERNS[name], *(prior or (0, 1)))

    ability = eap(PATTERNS[name], *prior)

    assert ability.theta == pytest.approx(theta, abs=1e-6)
    assert ability.se == pytest.approx(se, abs=1e-6)


def test_thousands_of_answers_do_not_underflow():
    ability = eap(responses(*((1.1, 0.0, 0.0, n % 2 == 0) for n in range(4000))))

    assert ability.theta == pytest.approx(0, abs=1e-9)
    assert 0 < ability.se < 0.1


@pytest.mark.parametrize(("a", "b_sd"), [(1.1, 0.0), (1.1, 0.9), (2.0, 1.5)])
def test_a_curve_over_uncertain_difficulties_is_the_mean_of_their_curves(a, b_sd):
    draws = [NormalDist(0, b_sd or 1e-9).inv_cdf((n + 0.5) / 400) for n in range(400)]
    flat = mean_discrimination(a, b_sd)
    for theta in (-2, -0.5, 1):
        mean = fmean(probability(theta, a, b, 0.2) for b in draws)
        assert probability(theta, flat, 0, 0.2) == pytest.approx(mean, abs=0.01)


def test_percentiles_intervals_and_bands():
    for theta, expected in ((0, 50), (1, 84.1344746), (-1, 15.8655254), (-6, 1e-7)):
        assert percentile(theta) == pytest.approx(expected, abs=1e-6)
    assert interval(Ability(0, 1 / RANGE_ERRORS)) == (15, 85)
    assert interval(Ability(0.5, 0.5 / RANGE_ERRORS)) == (50, 85)
    for theta, reach, codes in (
        *((-2, 0.6, ["lower"]), (-0.9, 0.6, ["lower", "middle"]), (0, 0.4, ["middle"])),
        *((0, 0.6, ["lower", "middle", "higher"]), (1.9, 0.6, ["higher"])),
    ):
        found = reported_bands(Ability(theta, reach / RANGE_ERRORS))
        assert [each.code for each in found] == codes


def marked(family, *marks):
    return [
        Response(AptitudeItem(f"{family}-{n}", family, 1.1, n / 3 - 1, 0.18), mark)
        for n, mark in enumerate(marks)
    ]


def test_each_facet_starts_from_what_the_others_show():
    facets = {"numerical": ("problems", "data"), "abstract": ("series",), "verbal": ("logic",)}
    series, logic = marked("series", False, False), marked("logic", True, True, True)
    problems, data = marked("problems", True, False), marked("data", True)

    estimates = facet_abilities([*problems, *series, *logic, *data], facets)

    assert list(estimates) == list(facets)
    for facet, own, others in (
        ("numerical", [*problems, *data], eap([*series, *logic])),
        ("abstract", series, eap([*problems, *data, *logic])),
        ("verbal", logic, eap([*problems, *series, *data])),
    ):
        expected = eap(own, 0.8 * others.theta, math.sqrt(0.36 + 0.64 * others.se**2))
        assert astuple(estimates[facet]) == pytest.approx(astuple(expected))
