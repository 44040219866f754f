"""Rules for reasons, which the audit trail keeps for years. Pure functions."""

from __future__ import annotations

import re
import unicodedata

# Up to six digits are a ticket number or a time, not a phone number.
DIGITS_MAX = 6
NUMBER = re.compile(r"\d(?:[\s().+/-]*\d)*")
# A date as the admin writes it.
DAY = re.compile(r"(?<!\d)\d{4}-\d{2}-\d{2}(?!\d)")
NO_CONTACT = "Do not write e-mail addresses or phone numbers here: the reason is kept for years."


def plain(text: str) -> str:
    """Normalise a text for comparison: case-folded, no invisible characters, ASCII digits."""
    folded = unicodedata.normalize("NFKC", text).casefold()
    seen = (each for each in folded if unicodedata.category(each) != "Cf")
    return "".join(str(unicodedata.decimal(each)) if each.isdecimal() else each for each in seen)


def words(text: str) -> list[str]:
    """Return the words of a text, normalised; anything but letters and digits separates them."""
    # Hindi vowel signs are marks and belong to the word.
    kept = (each if unicodedata.category(each)[0] in "LMN" else " " for each in plain(text))
    return "".join(kept).split()


def digits(text: str) -> str:
    return "".join(each for each in plain(text) if each.isdecimal())


def holds_contact(text: str) -> bool:
    """Return whether a text may contain an e-mail address or phone number.

    That is an @, or seven digits or more, with or without spaces and punctuation between them. A
    date such as 2026-11-21 does not count.
    """
    found = NUMBER.findall(DAY.sub("day", plain(text)))
    return "@" in plain(text) or any(len(digits(number)) > DIGITS_MAX for number in found)
