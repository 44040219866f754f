"""Who a student is: the rules for names, e-mail addresses and mobile numbers.

Pure functions; what characters a name may hold is in partners/plain_text.py. The rules live in
Python alone, so that PostgreSQL and SQLite, which fold case differently, can never disagree about
who is who.
"""

from __future__ import annotations

import re
import unicodedata
from functools import lru_cache

import phonenumbers

from partners.plain_text import BIDI_CONTROLS

NAME_MAX = 200
EMAIL_MAX = 254
MOBILE_MIN, MOBILE_MAX = 6, 20
DEFAULT_REGION = "IN"

LOCAL_PART = re.compile(r"[A-Za-z0-9!#$%&'*+/=?^_`{|}~-]+(\.[A-Za-z0-9!#$%&'*+/=?^_`{|}~-]+)*")
DOMAIN_LABEL = re.compile(r"[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?")
# What nearly all numbers look like: read at once as phonenumbers reads them.
_INDIAN_MOBILE = re.compile(r"(?:\+91[ -]?)?([6-9][0-9]{4})[ -]?([0-9]{5})")
MOBILE = re.compile(rf"[0-9+ ()-]{{{MOBILE_MIN},{MOBILE_MAX}}}")


# The rule of a call's field asks, and then its operation, for the same one.
@lru_cache(maxsize=16)
def email_key(address: str) -> str:
    """Return the one form under which a student of this address is known.

    The address is trimmed and lower-cased and its domain becomes ASCII; plus-tags and dots stay
    distinct. Raise ValueError for anything that is not an ASCII local part at a public domain.
    """
    local, at_sign, domain = address.strip(" ").rpartition("@")
    if not at_sign or not LOCAL_PART.fullmatch(local):
        raise ValueError("not local@domain")
    labels = [_ascii_label(label) for label in domain.split(".")]
    if len(labels) < 2 or labels[-1].isdigit():
        raise ValueError("not a public domain")
    key = f"{local.lower()}@{'.'.join(labels)}"
    if len(key) > EMAIL_MAX:
        raise ValueError("too long in ASCII")
    return key


def _ascii_label(label: str) -> str:
    """Return a domain label as its A-label.

    A label whose letters only resemble others (full-width, long s, Kelvin sign) would be mapped
    onto them and two people would become one; it fails the way back and is refused.
    """
    if label.isascii():
        ascii_label = label.lower()
    else:
        lowered = unicodedata.normalize("NFC", label).lower()
        ascii_label = lowered.encode("idna").decode("ascii")
        if lowered.isascii() or ascii_label.encode("ascii").decode("idna") != lowered:
            raise ValueError("not a domain label")
    if not DOMAIN_LABEL.fullmatch(ascii_label):
        raise ValueError("not a domain label")
    return ascii_label


def is_mobile(text: str) -> bool:
    """Return whether the text has the shape of a mobile number, whatever its country."""
    return MOBILE.fullmatch(text) is not None and any(character.isdigit() for character in text)


def normal_mobile(text: str) -> str:
    """Return the number as E.164, read as Indian without a country code, else as given."""
    if indian := _INDIAN_MOBILE.fullmatch(text):
        return "+91" + "".join(indian.groups())
    try:
        number = phonenumbers.parse(text, DEFAULT_REGION)
    except phonenumbers.NumberParseException:
        return text
    if not phonenumbers.is_possible_number(number):
        return text
    return phonenumbers.format_number(number, phonenumbers.PhoneNumberFormat.E164)


def contact(text: str) -> str:
    """Return the form in which an e-mail address or mobile number is kept to reach somebody.

    The address stays as given, trimmed; the number becomes what `normal_mobile` makes of it. Raise
    ValueError for anything that is neither.
    """
    # A number copied from a list of contacts often stands between two of them, unseen.
    text = "".join(character for character in text if character not in BIDI_CONTROLS).strip()
    number = _digits_in_ascii(text)
    if is_mobile(number):
        return normal_mobile(number)
    if len(text) > EMAIL_MAX:
        raise ValueError("too long")
    email_key(text)
    return text


def _digits_in_ascii(text: str) -> str:
    """Return the text with the digits, spaces and dashes of any script as those of ASCII."""
    others = {"Zs": " ", "Pd": "-"}
    return "".join(
        str(unicodedata.decimal(character))
        if character.isdecimal()
        else others.get(unicodedata.category(character), character)
        for character in text
    )


def given_name(name: str) -> str:
    """Return the first word of a name: all that a stranger with the link may see of it."""
    return name.split(maxsplit=1)[0] if name.strip() else ""
