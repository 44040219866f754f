"""What a token can be: its states, and whether the old one of a rotation is safe to end."""

from __future__ import annotations

from datetime import datetime, timedelta
from enum import StrEnum

from django.db.models import TextChoices

# So long must nothing have called with it.
QUIET = timedelta(days=1)


class TokenState(TextChoices):
    LIVE = "live"
    ENDING = "ending"
    EXPIRED = "expired"
    REVOKED = "revoked"


class Light(StrEnum):
    SAFE = "safe"  # nothing has called with it for a day
    IN_USE = "in-use"  # something has called with it since the rotation, within a day
    TOO_EARLY = "too-early"  # not yet a day since the rotation, and no call after it
    BRIEF = "brief"  # it ends within a day of the rotation, before it could ever be SAFE


def light(
    rotated_at: datetime, ends_at: datetime, last_used_at: datetime | None, at: datetime
) -> Light:
    """Return the light of an ending token.

    The day counts from the last call or from the rotation, whichever is later: a partner that is
    about to change over may be silent for an hour.
    """
    if ends_at <= rotated_at + QUIET:
        return Light.BRIEF
    quiet_since = max(rotated_at, last_used_at or rotated_at)
    if quiet_since <= at - QUIET:
        return Light.SAFE
    return Light.TOO_EARLY if quiet_since == rotated_at else Light.IN_USE
