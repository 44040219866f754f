"""Public identifiers: random, so that nobody can count or guess our rows."""

from __future__ import annotations

import secrets
import string

ALPHABET = string.ascii_letters + string.digits
LENGTH = 16


def new_public_id(prefix: str) -> str:
    """Return a fresh identifier, for example `prj_` and 16 letters and digits (95 random bits)."""
    # One random number, because 16 calls of secrets.choice take four times as long.
    number = secrets.randbelow(len(ALPHABET) ** LENGTH)
    characters = ""
    for _ in range(LENGTH):
        number, place = divmod(number, len(ALPHABET))
        characters += ALPHABET[place]
    return f"{prefix}_{characters}"


def new_project_id() -> str:
    return new_public_id("prj")
