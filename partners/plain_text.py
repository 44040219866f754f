"""Which characters a name may contain: visible ones that do not disturb the text around them.

The rule is a pure function; the validator applies it to models and forms.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Sequence
from urllib.parse import urlsplit

from django.core.exceptions import ValidationError
from django.core.validators import URLValidator

# Overrides and isolates change the direction of the text around them.
BIDI_CONTROLS = frozenset(
    "\u061c\u200e\u200f\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069"
)
# The two format characters that names need: Indic and Persian spelling, and emoji, use them.
JOINERS = frozenset("\u200c\u200d")
# Controls, formats, private use, surrogates, unassigned, line and paragraph separators.
REFUSED_CATEGORIES = frozenset({"Cc", "Cf", "Co", "Cs", "Cn", "Zl", "Zp"})
# Unicode calls these letters and a symbol, but they are blank.
BLANK = frozenset("\u115f\u1160\u2800\u3164\uffa0")

_CALLED = {"\n": "a line break", "\r": "a line break", "\t": "a tab"}
_SHOWN_BEFORE = 20
_BY_HAND = "Type the text by hand instead of pasting it."


def is_plain_text(text: str) -> bool:
    """Return whether a text is empty, or visible and without refused characters.

    It refuses characters that are invisible, break the line or change its direction.
    """
    return not fault_of(text)


def fault_of(text: str) -> str:
    """Name the first refused character, its place and a remedy; "" for plain text."""
    at = _first_refused(text)
    if at is None:
        return "" if not text or _is_visible(text) else f"no visible character. {_BY_HAND}"
    called = _CALLED.get(text[at], f"U+{ord(text[at]):04X}")
    before = text[max(0, at - _SHOWN_BEFORE) : at].strip()
    where = f"after “{before}”" if before else "at the beginning"
    return f"a character that can't be shown ({called}, {where}). {_BY_HAND}"


def validate_plain_text(text: str) -> None:
    if fault := fault_of(text):
        raise ValidationError(f"The text contains {fault}")


def one_line(text: str) -> str:
    """Return a text whose line breaks and runs of spaces are single spaces."""
    return " ".join(text.split())


def _first_refused(text: str) -> int | None:
    for at, character in enumerate(text):
        if character not in JOINERS and unicodedata.category(character) in REFUSED_CATEGORIES:
            return at
    return None


def _is_visible(text: str) -> bool:
    """Return whether a text has a letter, digit, punctuation mark or symbol.

    Joiners are invisible, and a combining mark needs a letter.
    """
    return any(
        character not in BLANK and unicodedata.category(character)[0] in "LNPS"
        for character in text
    )


def fault_of_address(address: str, schemes: Sequence[str], example: str) -> str:
    """Say in a sentence how to correct an address; "" if it is a plain one with a host.

    A user name before the host is refused, because it can disguise whose site it is.
    """
    starts = " or ".join(f"{scheme}://" for scheme in schemes)
    try:
        URLValidator(schemes=schemes)(address)
        if not address.isprintable():
            raise ValidationError("a control character")
    except ValidationError:
        return f"Enter one address that starts with {starts} and has no spaces, such as {example}."
    parts = urlsplit(address)
    if not address.startswith(f"{parts.scheme}://"):
        return f"Write {parts.scheme}:// in lower case."
    try:
        port = parts.port
    except ValueError:  # beyond 65535
        port = 0
    if port == 0:
        return "The port after the host is not valid."
    if "@" in parts.netloc:
        return "Remove the user name and the @ before the host."
    return ""


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
