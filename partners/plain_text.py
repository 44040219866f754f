"""What a name may hold: text that reads as it stands, on whatever page it is put.

The rule is a pure function; the validator puts it on models and forms.
"""

from __future__ import annotations

import unicodedata

from django.core.exceptions import ValidationError

# Overrides and isolates turn text around them; joiners stay, as Indic names need them.
BIDI_CONTROLS = frozenset(
    "\u061c\u200e\u200f\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069"
)
# Control, surrogate, unassigned-private, line and paragraph separator.
REFUSED_CATEGORIES = frozenset({"Cc", "Cs", "Zl", "Zp"})

_CALLED = {"\n": "a line break", "\r": "a line break", "\t": "a tab"}
_SHOWN_BEFORE = 20


def is_plain_text(text: str) -> bool:
    """Return whether the text has no character that hides, breaks or reverses a line."""
    return _first_refused(text) is None


def fault_of(text: str) -> str:
    """Return which character is not plain, where, and what to do; "" if there is none."""
    at = _first_refused(text)
    if at is None:
        return ""
    called = _CALLED.get(text[at], f"U+{ord(text[at]):04X}")
    before = text[max(0, at - _SHOWN_BEFORE) : at].strip()
    where = f"after “{before}”" if before else "at the beginning"
    return (
        f"a character that can't be shown ({called}, {where}). Type the text by hand instead of "
        "pasting it."
    )


def validate_plain_text(text: str) -> None:
    """Raise ValidationError unless the text is plain."""
    if fault := fault_of(text):
        raise ValidationError(f"It holds {fault}")


def _first_refused(text: str) -> int | None:
    """Return the index of the first character that is not plain."""
    for at, character in enumerate(text):
        if character in BIDI_CONTROLS or unicodedata.category(character) in REFUSED_CATEGORIES:
            return at
    return None
