"""What the audit trail says of a change: each value before and after."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

# Personal or secret: the trail says that they changed, not from what to what. By kind of object.
HIDDEN: dict[str, frozenset[str]] = {
    "partner": frozenset({"contact_email"}),
    "student": frozenset({"email"}),
    "user": frozenset({"username", "first_name", "last_name", "email", "password"}),
    # An address may contain a password.
    "webhookendpoint": frozenset({"url"}),
}


def told(kind: str, changes: Mapping[str, tuple[Any, Any]]) -> dict[str, Any]:
    """Return `[before, after]` by column; None for one of which only the change may be told."""
    hidden = HIDDEN.get(kind, frozenset())
    return {name: None if name in hidden else list(values) for name, values in changes.items()}
