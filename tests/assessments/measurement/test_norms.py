from __future__ import annotations

import pytest

from assessments.measurement.norms import (
    FEWEST_ATTEMPTS,
    scale_norms,
    usual_seconds,
)
from assessments.measurement.scales import Norm
from tests.assessments.measurement.field_bank import field_bank


def test_mean_and_sd_of_each_scale() -> None:
    attempts = [{"social": 2.0, "artistic": 3.0}, {"social": 4.0, "artistic": 3.5}] * 50

    norms = scale_norms(field_bank(), attempts)

    assert norms == {"social": Norm(3.0, 1.005), "artistic": Norm(3.25, 0.5)}


def test_a_bank_that_ranks_by_fields_has_larger_spreads_from_fewer_attempts() -> None:
    norms = scale_norms(field_bank(), [{"social": 4.0}, {"social": 4.2}] * 15)

    assert norms == {"social": Norm(4.1, 0.5)}


def test_the_largest_spread_is_what_a_bank_allows() -> None:
    norms = scale_norms(field_bank(), [{"social": 1.0}, {"social": 5.0}] * 15)

    assert norms == {"social": Norm(3.0, 2.0)}


def test_too_few_attempts_are_refused() -> None:
    with pytest.raises(ValueError, match="need 30 attempts, and there are 29"):
        scale_norms(field_bank(), [{"social": 4.0}] * (FEWEST_ATTEMPTS - 1))


def test_thirty_times_are_needed() -> None:
    times = [("one", 9.0)] * 29 + [("two", 0.2)] * 30

    assert usual_seconds(times) == {"two": 1}


def test_a_scale_that_too_few_answered_has_no_norm() -> None:
    attempts = [{"social": 4.0, "artistic": 3.0}] * (FEWEST_ATTEMPTS - 1) + [{"social": 2.0}]

    assert scale_norms(field_bank(), attempts).keys() == {"social"}
