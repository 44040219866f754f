from __future__ import annotations

from datetime import timedelta

import pytest

from partners.times import in_units, parse_duration


@pytest.mark.parametrize(
    ("text", "duration"),
    [
        ("90d", timedelta(days=90)),
        ("12h", timedelta(hours=12)),
        ("30m", timedelta(minutes=30)),
        ("0", timedelta(0)),
        ("0d", timedelta(0)),
        ("99999d", timedelta(days=99999)),
    ],
)
def test_a_number_and_a_unit(text: str, duration: timedelta) -> None:
    assert parse_duration(text) == duration


@pytest.mark.parametrize(
    "text", ["", "90", "d", "-1d", "1.5d", "1 d", "1w", "1D", "100000d", "1d\n", "١d", "1d12h"]
)
def test_anything_else_is_refused(text: str) -> None:
    with pytest.raises(ValueError, match="90d, 12h or 30m"):
        parse_duration(text)


@pytest.mark.parametrize(
    ("minutes", "written"),
    [(15, "15m"), (60, "1h"), (90, "90m"), (1440, "24h"), (4320, "72h"), (4380, "73h"),
     (5760, "4d"), (43200, "30d"), (43199, "43199m"), (0, "0m")],
)  # fmt: skip
def test_a_duration_is_written_as_it_is_read(minutes: int, written: str) -> None:
    assert in_units(timedelta(minutes=minutes)) == written
    assert parse_duration(written) == timedelta(minutes=minutes)
