"""When a failed webhook is tried again. Pure arithmetic."""

from __future__ import annotations

from datetime import timedelta

# After the first try, the second, and so on: the schedule of Standard Webhooks.
PAUSES = (
    *(timedelta(seconds=5), timedelta(minutes=5), timedelta(minutes=30)),
    *(timedelta(hours=hours) for hours in (2, 5, 10, 14, 20, 24)),
)
# An endpoint that has only failed for so long is switched off.
GIVE_UP_AFTER = timedelta(days=3)
_SHORTEST, _LONGEST = timedelta(seconds=5), timedelta(minutes=5)


def pause_after(tries: int) -> timedelta | None:
    """Return how long an event waits after this many failed tries; None if that was the last."""
    return PAUSES[tries - 1] if tries <= len(PAUSES) else None


def endpoint_pause(failing_for: timedelta) -> timedelta:
    """Return how long all events of an endpoint wait that has failed for so long.

    So a backlog costs an endpoint that is down, and us, one round of calls each five minutes.
    """
    return min(max(failing_for, _SHORTEST), _LONGEST)
