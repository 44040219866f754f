"""Times as staff read them, durations as they type them, and months of the calendar."""

from datetime import UTC, date, datetime, timedelta

import pytest

from partners.times import kept_until, moment_in_words, parse_duration

NOW = datetime(2026, 6, 2, 20, 0, tzinfo=UTC)  # in India the third has begun
DAY = timedelta(days=1)


@pytest.mark.parametrize(
    ("at", "zone", "words"),
    [
        (None, "UTC", "never"),
        (datetime(2026, 6, 3, 0, 0, tzinfo=UTC), "UTC", "tomorrow 00:00 UTC"),
        (datetime(2026, 5, 31, 23, 59, tzinfo=UTC), "UTC", "31 May 2026, 23:59 UTC"),
        (datetime(2026, 6, 4, 9, 5, tzinfo=UTC), "UTC", "4 Jun 2026, 09:05 UTC"),
        (datetime(2026, 6, 2, 18, 30, tzinfo=UTC), "Asia/Kolkata", "today 00:00 IST"),
        (datetime(2026, 6, 2, 18, 29, tzinfo=UTC), "Asia/Kolkata", "yesterday 23:59 IST"),
        (datetime(2026, 6, 2, 12, 0, tzinfo=UTC), "Asia/Dubai", "yesterday 16:00 +04"),
    ],
)
def test_a_time_is_shown_in_its_time_zone(at, zone, words):
    assert moment_in_words(at, zone, NOW) == words


def test_a_duration_is_a_number_and_a_unit():
    for text, duration in (
        *(("90d", 90 * DAY), ("12h", DAY / 2), ("30m", DAY / 48), ("0", 0 * DAY), ("0d", 0 * DAY)),
        ("99999d", 99999 * DAY),
    ):
        assert parse_duration(text) == duration
    for text in ("", "90", "d", "-1d", "1.5d", "1w", "1D", "100000d", "١d", "1d12h", "1 d", "1d\n"):
        with pytest.raises(ValueError, match="90d, 12h or 30m"):
            parse_duration(text)


@pytest.mark.parametrize(
    ("ended", "months", "last_day"),
    [("2026-01-31", 1, "2026-02-28"), ("2028-01-31", 1, "2028-02-29"),
     ("2026-12-31", 1, "2027-01-31"), ("2026-12-01", 12, "2027-12-01"),
     ("2028-02-29", 24, "2030-02-28"), ("2028-02-29", 48, "2032-02-29")],
)  # fmt: skip
def test_what_ended_is_kept_until_the_same_day_of_a_later_month(ended, months, last_day):
    assert kept_until(date.fromisoformat(ended), months) == date.fromisoformat(last_day)
