"""Signs made of letters and numbers, such as K, BDF, K14 or 358."""

from __future__ import annotations

import string

LETTERS = string.ascii_uppercase
VOWELS = "AEIOU"
# Beside a number, these two letters look like 1 and 0.
LOOK_LIKE_DIGITS = "IO"
# Two consonants, or a consonant and Y, with which words of three or more letters begin.
CLUSTERS = (
    "BL BR CH CL CR CZ DR DW FL FR GH GL GN GR KH KN KR LL MN PH PL PN PR PS PT QU RH SC SH SK SL "
    "SM SN SP SQ ST SV SW TH TR TS TW VR WH WR BY CY DY FY GY HY KY LY MY NY PY RY SY TY WY"
)

# The places of letters in the alphabet (from 1), and numbers.
Sign = tuple[int, ...]
# The kind of each place of a sign: L for a letter, N for a number, D for a digit.
Form = str


def written(sign: Sign, form: Form) -> str:
    """Return a sign as shown on the page."""
    return "".join(
        LETTERS[value - 1] if what == "L" else str(value)
        for what, value in zip(form, sign, strict=True)
    )


def letters_of(sign: Sign, form: Form) -> Sign:
    """Return the letters of a sign, as places in the alphabet."""
    return tuple(value for what, value in zip(form, sign, strict=True) if what == "L")


def is_writable(sign: Sign, form: Form) -> bool:
    """Tell whether a sign can be written, is unambiguous and is not a word."""
    places = letters_of(sign, form)
    if not all(1 <= place <= len(LETTERS) for place in places):
        return False
    letters = "".join(LETTERS[place - 1] for place in places)
    return (
        all(number > 0 for what, number in zip(form, sign, strict=True) if what == "N")
        and all(0 < digit < 10 for what, digit in zip(form, sign, strict=True) if what == "D")
        and ("N" not in form or not set(LOOK_LIKE_DIGITS).intersection(letters))
        and not _may_be_word(letters)
    )


def _may_be_word(letters: str) -> bool:
    """Tell whether three or more letters could be read as a word, or as part of one."""
    if len(letters) < 3 or not set(VOWELS).intersection(letters):
        return False
    return bool(set(VOWELS).intersection(letters[:2])) or letters[:2] in CLUSTERS.split()
