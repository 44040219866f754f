"""Secrets and signatures of webhooks, as Standard Webhooks has them. Pure functions."""

from __future__ import annotations

import base64
import hashlib
import hmac
from collections.abc import Sequence
from datetime import UTC, datetime

from standardwebhooks import Webhook


def secret_of(key: str, endpoint_id: str, version: int) -> str:
    """Return a version of an endpoint's secret, derived so that no table holds anything usable."""
    derived = hmac.new(key.encode(), f"{endpoint_id}.{version}".encode(), hashlib.sha256).digest()
    return f"whsec_{base64.b64encode(derived).decode()}"


def headers_of(event_id: str, body: str, secrets: Sequence[str], at: datetime) -> dict[str, str]:
    """Return the headers of one try, signed with each of these secrets."""
    # The library signs whole seconds, and takes any time for UTC.
    at = at.astimezone(UTC).replace(microsecond=0)
    signatures = [Webhook(secret).sign(event_id, at, body) for secret in secrets]
    return {
        "webhook-id": event_id,
        "webhook-timestamp": str(int(at.timestamp())),
        "webhook-signature": " ".join(signatures),
    }
