"""Public identifiers: random, so that nobody can count or guess our rows."""

from __future__ import annotations

import secrets
import string

ALPHABET = string.ascii_letters + string.digits
LENGTH = 16


def new_public_id(prefix: str) -> str:
    """Return a fresh identifier, for example `prj_` and 16 letters and digits (95 random bits)."""
    return f"{prefix}_{''.join(secrets.choice(ALPHABET) for _ in range(LENGTH))}"


def new_project_id() -> str:
    return new_public_id("prj")
