"""Public identifiers: random, so that nobody can count or guess our rows."""

import secrets
import string

ALPHABET = string.digits + string.ascii_letters


def random_characters(length: int) -> str:
    # One random number, because a call of secrets.choice for each takes four times as long.
    number = secrets.randbelow(len(ALPHABET) ** length)
    return in_base_62(number, length)


def in_base_62(number: int, length: int) -> str:
    characters = ""
    for _ in range(length):
        number, place = divmod(number, len(ALPHABET))
        characters = ALPHABET[place] + characters
    return characters


def new_public_id(prefix: str) -> str:
    """Return a fresh identifier, for example `prj_` and 16 letters and digits (95 random bits)."""
    return f"{prefix}_{random_characters(16)}"


def new_project_id() -> str:
    return new_public_id("prj")
