"""Values that nobody should send, hundreds for each place where a stranger can put one."""

from __future__ import annotations

import pytest
from pytest_django import Settings

from tests.slow.hostile_targets import TARGETS, Scene
from tests.support.rates import EVERY_RATE

EXAMPLES = 250  # for a whole share

# SQLite takes what PostgreSQL refuses, a NUL above all: there it cannot be seen.
pytestmark = [pytest.mark.slow, pytest.mark.usefixtures("bank")]


@pytest.mark.parametrize("name", TARGETS)
def test_every_value_gets_an_answer_that_is_allowed(
    name: str, settings: Settings, times: int
) -> None:
    """S-3: and what is stored after it is what may be stored."""
    for limit in EVERY_RATE:
        setattr(settings, limit, 1_000_000)
    share, target_in = TARGETS[name]

    statuses = target_in(Scene.make()).try_out(int(share * EXAMPLES * times))

    assert statuses.total() >= int(share * EXAMPLES * times)
