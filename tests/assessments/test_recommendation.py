"""How well courses fit a student, and their order before they are spread out."""

from __future__ import annotations

import pytest

from assessments.measurement.course_fit import preference_fit
from assessments.measurement.courses import pearson


# By hand: deviations (-1,0,1), (-1,1,0): 1 / (root 2 * root 2); and so on.
@pytest.mark.parametrize(
    ("xs", "ys", "expected"),
    [
        ((1, 2, 3), (2, 4, 3), 0.5),
        ((1, 2, 3), (10, 20, 30), 1),
        ((1, 2, 3), (6, 4, 2), -1),
        ((1, 0, 0, 0, 0, 0), (0, 1, 0, 0, 0, 0), -0.2),
        ((2, 1, 0, 0, 0, 0), (3, 0, 0, 0, 0, 0), 0.878310),
        ((1, 1, 1), (1, 2, 3), 0),
        ((1, 2, 3), (0.1 + 0.2, 0.3, 0.3), 0),
    ],
)
def test_correlation_of_two_profiles(
    xs: tuple[float, ...], ys: tuple[float, ...], expected: float
) -> None:
    assert pearson(xs, ys) == pytest.approx(expected, abs=1e-6)


@pytest.mark.parametrize(
    ("preferred", "delivery", "expected"),
    [
        ((), (), 0),
        (("group", "doing"), (), 0),
        ((), ("group", "doing"), 0),
        (("group", "doing"), ("group", "doing"), 0.5),
        (("alone", "reading"), ("group", "doing"), -0.5),
        (("group", "reading"), ("group", "doing"), 0),
        (("group",), ("group", "doing"), 0.25),
        (("group",), ("alone", "group"), 0),
        (("alone",), ("group", "doing", "planned", "online"), -0.125),
    ],
)
def test_preference_fit_is_the_share_that_agrees_centred_at_0(
    preferred: tuple[str, ...], delivery: tuple[str, ...], expected: float
) -> None:
    assert preference_fit(preferred, delivery) == expected
