"""How far a course's delivery agrees with study preferences."""

from __future__ import annotations

import pytest

from assessments.measurement.field_fit import preference_fit


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
