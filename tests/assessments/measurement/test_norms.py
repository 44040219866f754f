from __future__ import annotations

import pytest

from assessments.measurement.norms import FEWEST_ATTEMPTS, scale_norms, usual_seconds
from assessments.measurement.scales import Norm


def test_mean_and_sd_of_each_scale() -> None:
    attempts = [{"social": 2.0, "artistic": 3.0}, {"social": 4.0, "artistic": 3.5}] * 50

    norms = scale_norms(attempts)

    assert norms == {"social": Norm(3.0, 1.005), "artistic": Norm(3.25, 0.2513)}


def test_the_same_answer_of_all_leaves_a_spread() -> None:
    norms = scale_norms([{"social": 4.0}] * FEWEST_ATTEMPTS)

    assert norms == {"social": Norm(4.0, 0.1)}


def test_too_few_attempts_are_refused() -> None:
    with pytest.raises(ValueError, match="need 100 attempts, and there are 99"):
        scale_norms([{"social": 4.0}] * (FEWEST_ATTEMPTS - 1))


def test_thirty_times_are_needed() -> None:
    times = [("one", 9.0)] * 29 + [("two", 0.2)] * 30

    assert usual_seconds(times) == {"two": 1}
