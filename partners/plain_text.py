"""The characters that a name may contain, and tests of texts: plain, an address, a contact."""

import re
import unicodedata
from collections.abc import Sequence
from urllib.parse import urlsplit

from django.core.exceptions import ValidationError
from django.core.validators import URLValidator

# Ranges and not categories: whether a character is assigned depends on the version of Python.
REFUSED = re.compile(
    "["
    "\x00-\x1f\x7f-\x9f"  # controls
    "\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069"  # change of direction, ends of lines
    "\xad\u180e\u200b\u2060-\u2065\u206a-\u206f\ufeff\ufff9-\ufffb"  # invisible
    "\U0001bca0-\U0001bca3\U0001d173-\U0001d17a\U000e0000-\U000e007f"  # invisible
    "\ud800-\udfff"  # surrogates
    "\ue000-\uf8ff\U000f0000-\U0010ffff"  # private use
    "\ufdd0-\ufdef\ufffe\uffff"  # no characters
    + "".join(
        f"{chr(plane + 0xFFFE)}{chr(plane + 0xFFFF)}" for plane in range(0x10000, 0xF0000, 0x10000)
    )
    + "]"
)
# Unicode calls these letters and a symbol, but they are blank.
BLANK = frozenset("\u115f\u1160\u2800\u3164\uffa0")
# The same in each version of Python. What was assigned since counts as a letter.
_category = unicodedata.ucd_3_2_0.category
_INVISIBLE = {"Mn", "Mc", "Me", "Zs", "Cf"}

_CALLED = {"\n": "a line break", "\r": "a line break", "\t": "a tab"}
_BY_HAND = "Type the text by hand instead of pasting it."


def fault_of(text: str) -> str:
    """Return a sentence about the first refused character and a remedy; "" for plain text."""
    refused = REFUSED.search(text)
    if refused is None:
        is_visible = any(each not in BLANK and _category(each) not in _INVISIBLE for each in text)
        return "" if not text or is_visible else f"no visible character. {_BY_HAND}"
    at = refused.start()
    called = _CALLED.get(text[at], f"U+{ord(text[at]):04X}")
    before = text[max(0, at - 20) : at].strip()
    where = f"after “{before}”" if before else "at the beginning"
    return f"a character that can't be shown ({called}, {where}). {_BY_HAND}"


def validate_plain_text(text: str) -> None:
    if fault := fault_of(text):
        raise ValidationError(f"The text contains {fault}")


def one_line(text: str) -> str:
    return " ".join(text.split())


def is_letter(character: str) -> bool:
    """Return whether a character is a letter, alike in every version of Python."""
    category = _category(character)
    is_emoji = "\U0001f000" <= character <= "\U0001fbff"
    return category[0] == "L" or (category == "Cn" and not is_emoji)


def fault_of_address(address: str, schemes: Sequence[str], example: str) -> str:
    """Return a sentence that says what to enter; "" for a plain address with a host."""
    starts = tuple(f"{scheme}://" for scheme in schemes)
    try:
        URLValidator(schemes=schemes)(address)
        parts = urlsplit(address)
        # A user name before the host can disguise whose site it is.
        is_plain = address.isprintable() and "@" not in parts.netloc and parts.port != 0
    except (ValidationError, ValueError):  # of a port beyond 65535
        is_plain = False
    if is_plain and address.startswith(starts):
        return ""
    return (
        f"Enter one address that starts with {' or '.join(starts)} and has no spaces and no user "
        f"name before the host, such as {example}."
    )


# Up to six digits are a ticket number or a time, not a phone number.
DIGITS_MAX = 6
NUMBER = re.compile(r"\d(?:[\s().+/-]*\d)*")
# A date as the admin writes it.
DAY = re.compile(r"(?<!\d)\d{4}-\d{2}-\d{2}(?!\d)")
NO_CONTACT = "Do not write e-mail addresses or phone numbers here: the reason is kept for years."


def plain(text: str) -> str:
    """Normalise a text for comparison: folded case, no invisible characters, ASCII digits."""
    folded = unicodedata.normalize("NFKC", text).casefold()
    seen = (each for each in folded if unicodedata.category(each) != "Cf")
    return "".join(str(unicodedata.decimal(each)) if each.isdecimal() else each for each in seen)


def words(text: str) -> list[str]:
    """Return the normalised words of a text, separated by anything but letters and digits."""
    # Hindi vowel signs are marks and belong to the word.
    kept = (each if unicodedata.category(each)[0] in "LMN" else " " for each in plain(text))
    return "".join(kept).split()


def holds_contact(text: str) -> bool:
    """Return whether a text has an @, or seven digits, in any spacing, that are not a date."""
    normal = plain(text)
    numbers = NUMBER.findall(DAY.sub("day", normal))
    return "@" in normal or any(sum(map(str.isdecimal, each)) > DIGITS_MAX for each in numbers)
