from __future__ import annotations

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from assessments.measurement.ability import (
    Ability,
    AptitudeItem,
    Response,
    eap,
    facet_abilities,
    facet_ability,
    stronger,
    weaker,
)

FACETS = {"numerical": ("problems", "data"), "abstract": ("series",), "verbal": ("logic",)}


def responses(family: str, *marks: bool) -> list[Response]:
    return [
        Response(AptitudeItem(f"{family}-{n}", family, 1.1, n / 3 - 1, 0.18), mark)
        for n, mark in enumerate(marks)
    ]


def test_a_facet_starts_from_what_the_others_show() -> None:
    ability = facet_ability([], Ability(1.0, 0.5))

    assert ability.theta == pytest.approx(0.8, abs=1e-6)
    assert ability.se == pytest.approx(math.sqrt(1 - 0.64 + 0.64 * 0.25), abs=1e-6)


def test_a_facet_is_estimated_from_its_own_answers_with_that_prior() -> None:
    own = responses("series", True, True, False, True)

    expected = eap(own, 0.8 * -0.5, math.sqrt(0.36 + 0.64 * 0.16))

    assert facet_ability(own, Ability(-0.5, 0.4)) == expected


def test_each_facet_learns_from_the_answers_to_the_others() -> None:
    series, logic = responses("series", False, False), responses("logic", True, True, True)
    problems, data = responses("problems", True, False), responses("data", True)

    abilities = facet_abilities([*problems, *series, *logic, *data], FACETS)

    assert list(abilities) == ["numerical", "abstract", "verbal"]
    assert abilities["abstract"] == facet_ability(series, eap([*problems, *data, *logic]))
    assert abilities["numerical"] == facet_ability([*problems, *data], eap([*series, *logic]))


@pytest.mark.parametrize(
    ("thetas", "expected"),
    [
        # With errors of .3 and .4 the error of the difference is .5, so .75 must be exceeded.
        ((0.76, 0.0, 0.0), "numerical"),
        ((0.75, 0.0, 0.0), ""),
        ((0.76, 0.0, 0.02), ""),
        ((0.0, 1.0, 0.0), "abstract"),
        ((-2.0, -1.9, -0.5), "verbal"),
    ],
)
def test_a_facet_is_named_only_beyond_both_others(
    thetas: tuple[float, float, float], expected: str
) -> None:
    errors = {
        "numerical": (0.3, 0.4, 0.4),
        "abstract": (0.4, 0.3, 0.4),
        "verbal": (0.4, 0.4, 0.3),
    }.get(expected, (0.3, 0.4, 0.4))
    facets = dict(zip(FACETS, map(Ability, thetas, errors), strict=True))

    assert stronger(facets) == expected


estimates = st.builds(Ability, st.floats(-3, 3), st.floats(0.05, 1))


@given(estimates, estimates, estimates)
def test_the_named_facet_leads_or_lags_both_others_by_one_and_a_half_errors(
    numerical: Ability, abstract: Ability, verbal: Ability
) -> None:
    facets = {"numerical": numerical, "abstract": abstract, "verbal": verbal}

    def ahead(sign: int) -> list[str]:
        return [
            name
            for name, own in facets.items()
            if all(
                sign * (own.theta - other.theta) > 1.5 * math.sqrt(own.se**2 + other.se**2)
                for rival, other in facets.items()
                if rival != name
            )
        ]

    assert [stronger(facets)] == (ahead(1) or [""])
    assert [weaker(facets)] == (ahead(-1) or [""])


def test_one_facet_alone_is_neither_stronger_nor_weaker() -> None:
    assert weaker({"verbal": Ability(-3.0, 0.1)}) == ""
    assert weaker({}) == ""
