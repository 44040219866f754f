"""Months of the calendar: a table of days, and one rule asked from both ends."""

from __future__ import annotations

from datetime import UTC, date, datetime, timedelta, timezone

import pytest

from partners.times import ended_before, kept_until


@pytest.mark.parametrize(
    ("ended", "months", "last_day"),
    [
        (date(2026, 1, 15), 1, date(2026, 2, 15)),
        (date(2026, 1, 31), 1, date(2026, 2, 28)),
        (date(2026, 1, 31), 24, date(2028, 1, 31)),
        (date(2028, 1, 31), 1, date(2028, 2, 29)),
        (date(2026, 12, 31), 1, date(2027, 1, 31)),
        (date(2026, 12, 1), 12, date(2027, 12, 1)),
        (date(2026, 8, 31), 6, date(2027, 2, 28)),
        (date(2028, 2, 29), 12, date(2029, 2, 28)),
        (date(2028, 2, 29), 24, date(2030, 2, 28)),
        (date(2028, 2, 29), 48, date(2032, 2, 29)),
        (date(2026, 3, 31), 84, date(2033, 3, 31)),
    ],
)
def test_it_is_kept_until_the_same_day_of_a_later_month(
    ended: date, months: int, last_day: date
) -> None:
    assert kept_until(ended, months) == last_day


@pytest.mark.parametrize(
    ("today", "months", "first_kept"),
    [
        (date(2026, 2, 15), 1, date(2026, 1, 15)),
        (date(2026, 2, 28), 1, date(2026, 1, 28)),
        (date(2026, 3, 1), 1, date(2026, 2, 1)),
        (date(2026, 3, 31), 1, date(2026, 3, 1)),
        (date(2026, 1, 1), 1, date(2025, 12, 1)),
        (date(2028, 2, 29), 84, date(2021, 3, 1)),
        (date(2026, 11, 21), 24, date(2024, 11, 21)),
    ],
)
def test_what_ended_before_a_day_is_kept_no_longer(
    today: date, months: int, first_kept: date
) -> None:
    noon = datetime(today.year, today.month, today.day, 12, tzinfo=UTC)

    midnight = datetime(first_kept.year, first_kept.month, first_kept.day, tzinfo=UTC)
    assert ended_before(noon, months) == midnight


@pytest.mark.parametrize("months", [1, 2, 11, 12, 24, 84])
def test_both_ends_agree_on_every_day_of_five_years(months: int) -> None:
    day = timedelta(days=1)
    for number in range(5 * 366):
        today = datetime(2026, 1, 1, 23, 59, tzinfo=UTC) + number * day
        first_kept = ended_before(today, months).date()

        assert kept_until(first_kept, months) >= today.date(), today
        assert kept_until(first_kept - day, months) < today.date(), today


def test_a_day_is_one_of_utc() -> None:
    kolkata = timezone(timedelta(hours=5, minutes=30))

    early = datetime(2026, 3, 15, 2, 0, tzinfo=kolkata)

    assert ended_before(early, 1) == datetime(2026, 2, 14, tzinfo=UTC)
