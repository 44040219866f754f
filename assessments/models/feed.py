"""The feed of ends: which are shown, so that a reader who goes on misses none."""

from __future__ import annotations

from datetime import datetime, timedelta

from django.db import connection
from django.utils import timezone

# An end carries the time that a web server read, up to 30 s from the database's clock (ends.py).
# It is stored a moment later, and visible once its transaction has ended, which may take long.
HELD_BACK = timedelta(seconds=60)
BEFORE_WRITERS = timedelta(seconds=30)
# The oldest open transaction that has written may still show ends, none of them earlier than 30 s
# before its start. One that has not written yet will do so now, which HELD_BACK covers. We see
# when sessions of our own role began theirs; others don't end attempts.
_SHOWN_UNTIL = """
SELECT least(
  coalesce(%s, clock_timestamp()) - make_interval(secs => %s),
  min(xact_start) - make_interval(secs => %s)
)
FROM pg_stat_activity
WHERE datname = current_database() AND backend_xid IS NOT NULL AND pid <> pg_backend_pid()
  AND backend_type = 'client backend'
"""


def shown_until(at: datetime | None = None) -> datetime:
    """Return the time until which every end is visible and none will be added.

    Ask before you read the ends, in a statement of its own outside a transaction: PostgreSQL
    remembers what it showed of other sessions until the transaction ends. `at` replaces the
    database's clock.
    """
    if connection.vendor != "postgresql":
        return (at or timezone.now()) - HELD_BACK
    with connection.cursor() as cursor:
        cursor.execute(
            _SHOWN_UNTIL, [at, HELD_BACK.total_seconds(), BEFORE_WRITERS.total_seconds()]
        )
        until: datetime = cursor.fetchone()[0]
    return until
