"""A moment as staff read it."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest

from partners.times import moment_in_words

NOW = datetime(2026, 6, 2, 20, 0, tzinfo=UTC)  # in India the third has begun


@pytest.mark.parametrize(
    ("at", "zone", "words"),
    [
        (None, "UTC", "never"),
        (datetime(2026, 6, 2, 0, 0, tzinfo=UTC), "UTC", "today 00:00 UTC"),
        (datetime(2026, 6, 1, 23, 59, tzinfo=UTC), "UTC", "yesterday 23:59 UTC"),
        (datetime(2026, 6, 3, 0, 0, tzinfo=UTC), "UTC", "tomorrow 00:00 UTC"),
        (datetime(2026, 5, 31, 23, 59, tzinfo=UTC), "UTC", "31 May 2026, 23:59 UTC"),
        (datetime(2026, 6, 4, 9, 5, tzinfo=UTC), "UTC", "4 Jun 2026, 09:05 UTC"),
        (datetime(2026, 6, 2, 18, 30, tzinfo=UTC), "Asia/Kolkata", "today 00:00 IST"),
        (datetime(2026, 6, 2, 18, 29, tzinfo=UTC), "Asia/Kolkata", "yesterday 23:59 IST"),
        (datetime(2026, 6, 2, 12, 0, tzinfo=UTC), "Asia/Dubai", "yesterday 16:00 +04"),
    ],
)
def test_a_time_is_shown_in_its_time_zone(at: datetime | None, zone: str, words: str) -> None:
    assert moment_in_words(at, zone, NOW) == words
