"""What may stand in a reason, which the audit trail keeps for years. Pure functions."""

from __future__ import annotations

import re
import unicodedata

# Fewer digits are a ticket, a floor, an hour.
DIGITS_MAX = 6
NUMBER = re.compile(r"\d(?:[\s().+/-]*\d)*")
# As the admin writes them.
DAY = re.compile(r"(?<!\d)\d{4}-\d{2}-\d{2}(?!\d)")
NO_CONTACT = "Write no e-mail address or number here: the reason is kept for years."


def plain(text: str) -> str:
    """Return the text as it is compared: without case and signs nobody sees, digits in ASCII."""
    folded = unicodedata.normalize("NFKC", text).casefold()
    seen = (each for each in folded if unicodedata.category(each) != "Cf")
    return "".join(str(unicodedata.decimal(each)) if each.isdecimal() else each for each in seen)


def words(text: str) -> list[str]:
    """Return the words of a text as they are compared; what is no letter or digit parts them."""
    # A vowel sign of Hindi is a mark, and belongs to its word.
    kept = (each if unicodedata.category(each)[0] in "LMN" else " " for each in plain(text))
    return "".join(kept).split()


def digits(text: str) -> str:
    """Return the digits of a text, without what stands between them."""
    return "".join(each for each in plain(text) if each.isdecimal())


def holds_contact(text: str) -> bool:
    """Tell whether an e-mail address or a number may stand in it: an @, or seven digits and more.

    Blanks and signs between its digits do not part a number; a day (2026-11-21) is none.
    """
    found = NUMBER.findall(DAY.sub("day", plain(text)))
    return "@" in plain(text) or any(len(digits(number)) > DIGITS_MAX for number in found)
