"""Normalise and check the e-mail addresses, mobile numbers and names of students.

Pure functions; partners/plain_text.py defines which characters a name may contain. The rules are
in Python only, because PostgreSQL and SQLite fold case differently and could disagree about who is
the same student.
"""

from __future__ import annotations

import hashlib
import re
import secrets
import unicodedata
from functools import lru_cache

import idna
import phonenumbers

from partners.plain_text import BIDI_CONTROLS

NAME_MAX = 200
EMAIL_MAX = 254
MOBILE_MIN, MOBILE_MAX = 6, 20
REFERENCE_MAX = 64
DEFAULT_REGION = "IN"

LOCAL_PART = re.compile(r"[A-Za-z0-9!#$%&'*+/=?^_`{|}~-]+(\.[A-Za-z0-9!#$%&'*+/=?^_`{|}~-]+)*")
DOMAIN_LABEL = re.compile(r"[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?")
# A fast path for nearly all numbers, with the same result as phonenumbers.
_INDIAN_MOBILE = re.compile(r"(?:\+91[ -]?)?([6-9][0-9]{4})[ -]?([0-9]{5})")
REFERENCE = re.compile(rf"[A-Za-z0-9._:-]{{1,{REFERENCE_MAX}}}")
MOBILE = re.compile(rf"[0-9+ ()-]{{{MOBILE_MIN},{MOBILE_MAX}}}")


# A call needs the key of the same address twice: to validate the field, and in its operation.
@lru_cache(maxsize=16)
def email_key(address: str) -> str:
    """Return the canonical form of an address, which identifies a student within a project.

    Trims and lower-cases the address and converts its domain to ASCII; plus-tags and dots stay
    distinct. Raises ValueError unless it is an ASCII local part at a public domain.
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
    """Return a domain label as its A-label, if it is valid by IDNA 2008 (RFC 5891).

    That refuses letters that only resemble others (full-width, long s, Kelvin sign), which would
    merge two people, and labels that begin with a combining mark.
    """
    if label.isascii():
        ascii_label = label.lower()
    else:
        lowered = unicodedata.normalize("NFC", label).lower()
        if lowered.isascii():
            raise ValueError("not a domain label")
        # idna.IDNAError is a ValueError.
        ascii_label = idna.alabel(lowered).decode("ascii")
    if not DOMAIN_LABEL.fullmatch(ascii_label):
        raise ValueError("not a domain label")
    return ascii_label


def is_mobile(text: str) -> bool:
    """Return whether the text looks like a mobile number of any country."""
    return MOBILE.fullmatch(text) is not None and any(character.isdigit() for character in text)


def normal_mobile(text: str) -> str:
    """Return the number as E.164, or as given if it cannot be parsed.

    A number without a country code is taken as Indian.
    """
    if indian := _INDIAN_MOBILE.fullmatch(text):
        return "+91" + "".join(indian.groups())
    try:
        number = phonenumbers.parse(text, DEFAULT_REGION)
    except phonenumbers.NumberParseException:
        return text
    if not phonenumbers.is_possible_number(number):
        return text
    return phonenumbers.format_number(number, phonenumbers.PhoneNumberFormat.E164)


def valid_mobile(text: str) -> str:
    """Return the number as E.164 if it is a valid mobile number of some country, else "".

    Stricter than `normal_mobile`: 0000000000 and 1234567890, which people write to get past a form,
    are no mobile numbers in India. Some placeholders are, such as 9999999999.
    """
    try:
        number = phonenumbers.parse(text, DEFAULT_REGION)
    except phonenumbers.NumberParseException:
        return ""
    kinds = phonenumbers.PhoneNumberType
    if phonenumbers.number_type(number) not in {kinds.MOBILE, kinds.FIXED_LINE_OR_MOBILE}:
        return ""
    return phonenumbers.format_number(number, phonenumbers.PhoneNumberFormat.E164)


def contact(text: str) -> str:
    """Return the stored form of an e-mail address or mobile number used to contact a person.

    Trims an address and passes a number to `normal_mobile`. Raises ValueError for anything else.
    """
    # Numbers copied from a contact list often have an invisible bidi control at each end.
    text = "".join(character for character in text if character not in BIDI_CONTROLS).strip()
    number = _digits_in_ascii(text)
    if is_mobile(number):
        return normal_mobile(number)
    if len(text) > EMAIL_MAX:
        raise ValueError("too long")
    email_key(text)
    return text


def _digits_in_ascii(text: str) -> str:
    """Return the text with digits, spaces and dashes of any script replaced by ASCII ones."""
    others = {"Zs": " ", "Pd": "-"}
    return "".join(
        str(unicodedata.decimal(character))
        if character.isdecimal()
        else others.get(unicodedata.category(character), character)
        for character in text
    )


# Before a name. "Md" is short for Mohammed, which its bearers are seldom called by.
TITLES = {
    *("mr", "mrs", "ms", "miss", "master", "mx", "dr", "prof", "er", "adv", "rev", "fr", "late"),
    *("sri", "shri", "shree", "smt", "sushri", "kumari", "km", "md", "mohd"),
    *("capt", "col", "lt", "maj", "श्री", "श्रीमती", "सुश्री", "कुमारी"),
}


def given_name(name: str) -> str:
    """Return the word of a name to greet with, the only part that a stranger with the link may see.

    It is the first one that is no initial and no title; "" if there is none.
    """
    for word in name.split():
        word = word.strip(".,;:")
        # One letter, with its marks and joiners, is an initial; so are some between full stops.
        letters = [
            [character for character in part if character.isalpha()] for part in word.split(".")
        ]
        if all(len(each) <= 1 for each in letters) or word.casefold() in TITLES:
            continue
        return word
    return ""


# As in links to start and private links, and as in students' cookies.
URL_SECRET = re.compile(r"[A-Za-z0-9_-]{43}")
BROWSER_TOKEN = re.compile(r"[0-9a-f]{64}")


def secret_digest(secret: str) -> str:
    return hashlib.sha256(secret.encode()).hexdigest()


def digest_of_no_browser() -> str:
    """Return a random digest, for an attempt that no browser opens any more."""
    return secrets.token_hex(32)
