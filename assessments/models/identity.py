"""Read, check and normalise the names, e-mail addresses and mobile numbers of students.

Pure functions with the same answers on every version of Python. No rule is in SQL: databases fold
case differently. partners/plain_text.py has the characters that a name may contain.
"""

import hashlib
import re
import secrets
import unicodedata
from functools import lru_cache
from itertools import pairwise

import idna
import phonenumbers

from partners.plain_text import fault_of, is_letter

NAME_MAX = 200
EMAIL_MAX = 254
MOBILE_MIN, MOBILE_MAX = 6, 20
REFERENCE_MAX = 64
DEFAULT_REGION = "IN"

# What copying a text brings along: zero-width space, word joiner, byte order mark, soft hyphen.
INVISIBLE = "\u200b\u2060\ufeff\xad"
# Contact lists put marks of direction around numbers.
MARKS = INVISIBLE + "\u061c\u200e\u200f\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069"
SPACES = (
    "\xa0\u1680\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200a\u202f\u205f\u3000"
)
AT_ENDS = MARKS + SPACES + "\t\n\v\f\r\x1c\x1d\x1e\x1f \x85\u2028\u2029"
LOCAL_MAX = 64  # RFC 5321, 4.5.3.1.1
LOCAL_PART = re.compile(r"[A-Za-z0-9!#$%&'*+/=?^_`{|}~-]+(\.[A-Za-z0-9!#$%&'*+/=?^_`{|}~-]+)*")
DOMAIN_LABEL = re.compile(r"[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?")
TOP_DOMAIN = re.compile(r"[a-z]{2,}|xn--.+")
# RFC 6761 and 7686. `.test` and `.example` stay: partners try with them.
NOWHERE = {"localhost", "invalid", "onion"}
# The zeros of full-width, Arabic and Indian digits; nine more follow each.
ZEROS = "\uff10\u0660\u06f0\u0966\u09e6\u0a66\u0ae6\u0b66\u0be6\u0c66\u0ce6\u0d66\u1c50\uabf0"
IN_ASCII = str.maketrans(
    {chr(ord(zero) + digit): str(digit) for zero in ZEROS for digit in range(10)}
    | dict.fromkeys(SPACES, " ")
    | dict.fromkeys("\u2010\u2011\u2012\u2013\u2014\u2015\u2212\ufe58\ufe63\uff0d", "-")
    | {"\uff0b": "+", "\uff08": "(", "\uff09": ")", "\uff0e": "."}
)
# What Excel and pandas make of a number: 9876512347.0. Short zeros only after the first dot: those
# of 01.23.45.67.00 belong to the number.
_DECIMALS = re.compile(r"([^.]*)\.0{1,2}|(\+?[0-9]{7,})\.0+")
# Digits are lost in 9.87651E+09, and in the difference that a formula +91-98765-12347 gives.
_COMPUTED = re.compile(
    r"[0-9]+([.,][0-9]+)?e[+-]?[0-9]+|-[0-9.,]+|\+?[0-9]{7,}\.[0-9]*[1-9][0-9]*", re.IGNORECASE
)
# A fast path for nearly all numbers, with the same result as phonenumbers.
_INDIAN_MOBILE = re.compile(r"(?:\+91[ -]?)?([6-9][0-9]{4})[ -]?([0-9]{5})")
MOBILE = re.compile(rf"[0-9+ ()-]{{{MOBILE_MIN},{MOBILE_MAX}}}")
# Null is a surname, so only these spellings, and only if the whole text is made of them.
_EMPTY = r"(?:undefined|null|None|NaN|\[object Object\])"
_NO_VALUE = re.compile(rf"{_EMPTY}(?: +{_EMPTY})*")
# {{name}}, ${name}, {#var#}, {% name %}, <%= name %>, *|NAME|*, [[name]], %NAME%, ##NAME##.
# In single brackets, or after a dollar, only the word for a field: {Asha} is taken.
_PLACEHOLDER = re.compile(
    r"\{\{|\}\}|[$#]\{|\{[#%]|<%|\*\||\[\[|(%|##|@@)[^\W\d][\w .-]*\1"
    r"|[<{[$][a-z]*[ ._-]?(name|e-?mail|mobile|phone|reference)([]>}@]|$)",
    re.IGNORECASE,
)
REFERENCE = re.compile(rf"(?!{_EMPTY}\Z)[A-Za-z0-9._:-]{{1,{REFERENCE_MAX}}}")
# Texts of the ValueErrors that callers tell apart.
TEMPLATE, COMPUTED = "a template was not filled in", "computed by a spreadsheet"


def trimmed(text: str) -> str:
    return text.strip(AT_ENDS)


def read_name(text: str) -> str:
    """Return a name without the marks that copying adds.

    Raise ValueError if none is left, with the text TEMPLATE if it is a template's placeholder.
    """
    name = trimmed(text).translate(dict.fromkeys(map(ord, INVISIBLE)))
    if _PLACEHOLDER.search(name) or _NO_VALUE.fullmatch(name):
        raise ValueError(TEMPLATE)
    if not name or fault_of(name):
        raise ValueError("not a name")
    return name


def read_email(text: str) -> str:
    """Return an address, trimmed. Raise ValueError if it has no `email_key`, or as `read_name`."""
    if _PLACEHOLDER.search(text):
        raise ValueError(TEMPLATE)
    email_key(text)
    return trimmed(text)


def read_mobile(text: str) -> str:
    """Return a number of any country, trimmed, in ASCII, without what a spreadsheet added.

    Raise ValueError if it looks like none, with the text COMPUTED if a spreadsheet changed it.
    """
    number = trimmed(text).translate(IN_ASCII).rstrip(" .-")
    if _COMPUTED.fullmatch(number):
        raise ValueError(COMPUTED)
    if with_decimals := _DECIMALS.fullmatch(number):
        number = (with_decimals[1] or with_decimals[2] or "").rstrip(" -")
    number = number.replace(".", "-")
    if not MOBILE.fullmatch(number) or not any(map(str.isdigit, number)):
        raise ValueError("not a mobile number")
    return number


# A call needs the key of the same address twice: to validate the field, and in its operation.
@lru_cache(maxsize=16)
def email_key(address: str) -> str:
    """Return the canonical form of an address, which identifies a student within a project.

    Trimmed, lower case, with an ASCII domain; plus-tags and dots stay. Raise ValueError if invalid.
    """
    local, at_sign, domain = trimmed(address).rpartition("@")
    if not at_sign or not LOCAL_PART.fullmatch(local) or len(local) > LOCAL_MAX:
        raise ValueError("not local@domain")
    labels = [_ascii_label(label) for label in domain.split(".")]
    if len(labels) < 2 or not TOP_DOMAIN.fullmatch(labels[-1]) or labels[-1] in NOWHERE:
        raise ValueError("not a public domain")
    key = f"{local.lower()}@{'.'.join(labels)}"
    if len(key) > EMAIL_MAX:
        raise ValueError("too long in ASCII")
    return key


def _ascii_label(label: str) -> str:
    """Return a domain label as its A-label, if it is valid by IDNA 2008 (RFC 5891).

    That refuses look-alikes (full-width, long s, Kelvin sign), which would merge two people.
    """
    if label.isascii():
        ascii_label = label.lower()
        if ascii_label.startswith("xn--"):
            idna.ulabel(ascii_label)
    else:
        lowered = unicodedata.normalize("NFC", label).lower()
        if lowered.isascii():
            raise ValueError("not a domain label")
        # idna.IDNAError is a ValueError.
        ascii_label = idna.alabel(lowered).decode("ascii")
    if not DOMAIN_LABEL.fullmatch(ascii_label):
        raise ValueError("not a domain label")
    return ascii_label


def normal_mobile(text: str) -> str:
    """Return a number as E.164, as an Indian one without a country code; else as given."""
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
    """Return the number as E.164 if it can be a person's mobile number, else "".

    Refuses digits in equal steps (9999999999, 9876543210): people type them to get past a form.
    """
    try:
        number = phonenumbers.parse(text, DEFAULT_REGION)
    except phonenumbers.NumberParseException:
        return ""
    kinds = phonenumbers.PhoneNumberType
    if phonenumbers.number_type(number) not in {kinds.MOBILE, kinds.FIXED_LINE_OR_MOBILE}:
        return ""
    digits = [int(digit) for digit in str(number.national_number)]
    if len({(after - before) % 10 for before, after in pairwise(digits)}) == 1:
        return ""
    return phonenumbers.format_number(number, phonenumbers.PhoneNumberFormat.E164)


def read_contact(text: str) -> str:
    """Return a number that can exist, or an e-mail address. Raise ValueError for anything else."""
    try:
        number = normal_mobile(read_mobile(text))
        if phonenumbers.is_valid_number(phonenumbers.parse(number, DEFAULT_REGION)):
            return number
    except (ValueError, phonenumbers.NumberParseException):
        pass
    if len(trimmed(text)) > EMAIL_MAX:
        raise ValueError("too long")
    return read_email(text)


# Before a name. "Md" is short for Mohammed, which its bearers are seldom called by.
TITLES = {
    *("mr", "mrs", "ms", "miss", "master", "mx", "dr", "prof", "er", "adv", "rev", "fr", "late"),
    *("sri", "shri", "shree", "smt", "sushri", "kumari", "km", "md", "mohd"),
    *("capt", "col", "lt", "maj", "श्री", "श्रीमती", "सुश्री", "कुमारी"),
}


def given_name(name: str) -> str:
    """Return the first word that is no initial or title, or "": all that pages may show."""
    for word in name.split():
        word = word.strip(".,;:")
        # One letter, with its marks and joiners, is an initial; so are some between full stops.
        letters = [list(filter(is_letter, part)) for part in word.split(".")]
        if all(len(each) <= 1 for each in letters) or word.casefold() in TITLES:
            continue
        return word
    return ""


# In links to start and private links. A variable of an SMS template that Indian operators accept
# has 30 characters.
URL_SECRET_LENGTH = 22
URL_SECRET = re.compile(rf"[A-Za-z0-9_-]{{{URL_SECRET_LENGTH}}}")
BROWSER_TOKEN = re.compile(r"[0-9a-f]{64}")  # in students' cookies


def new_url_secret() -> str:
    """Return 128 random bits in 22 characters of base64url, of which the last is A, Q, g or w."""
    return secrets.token_urlsafe(16)


def secret_digest(secret: str) -> str:
    return hashlib.sha256(secret.encode()).hexdigest()
