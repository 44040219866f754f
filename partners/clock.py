"""Whether this machine's clock is right enough to delete data by it.

A clock three years ahead makes every retention look over.
"""

from __future__ import annotations

from datetime import datetime, timedelta

from django.db import connection
from django.utils import timezone

from partners.models import AuditEvent

MOST_APART = timedelta(minutes=5)
LONGEST_SILENCE = timedelta(days=30)


class WrongClock(Exception):
    """The clock of this machine can't be trusted; the text says why and what to do."""


def checked_now(*, is_right: bool = False) -> datetime:
    """Return the time. Raises WrongClock if it is improbable.

    It must be within MOST_APART of the database's clock, and within LONGEST_SILENCE of the newest
    audit event unless `is_right`: an operator has checked it, and nothing happened for so long.
    """
    now = timezone.now()
    theirs = database_time()
    if abs(now - theirs) > MOST_APART:
        raise WrongClock(
            f"This machine's clock says {now:%Y-%m-%d %H:%M} UTC, the database's "
            f"{theirs:%Y-%m-%d %H:%M}. Set both by NTP, then run this again."
        )
    newest = AuditEvent.objects.newest_first().values_list("at", flat=True).first()
    if newest and not is_right and now - newest > LONGEST_SILENCE:
        raise WrongClock(
            f"It is {now:%Y-%m-%d %H:%M} UTC, and the newest event of the audit trail is from "
            f"{newest:%Y-%m-%d}, more than {LONGEST_SILENCE.days} days ago. If the clock is right, "
            "run this again with --clock-is-right."
        )
    return now


def database_time() -> datetime:
    """Return the time by the database's clock; that of SQLite is this machine's."""
    if connection.vendor != "postgresql":
        return timezone.now()
    with connection.cursor() as cursor:
        cursor.execute("SELECT clock_timestamp()")
        found: datetime = cursor.fetchone()[0]
    return found
