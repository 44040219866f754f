"""What a name may hold: no character that hides or breaks the line; and a reason: no contact."""

import pytest
from django.core.exceptions import ValidationError

from partners.back_office.actions import ReasonForm
from partners.plain_text import NO_CONTACT, fault_of, validate_plain_text

HOSTILE = ["\u202e", "\u202a", "\u2066", "\u2069", "\u200e", "\u061c", "\x1b", "\x7f", "\x85"]
HOSTILE += ["\u2028", "\u2029", "\t", "\n", "\0", "\ud800"]
# Invisible, tags, private use, no character.
HOSTILE += ["\u200b", "\u00ad", "\u2060", "\ufeff", "\U000e0001", "\U000e0041"]
HOSTILE += ["\ue000", "\U0010fffd", "\uffff"]
INVISIBLE = ["\u200d", "\u200c\u200d", "\u0301", "\u093f\u094d", "\ufe0f", " \u200d ", "\u3164"]
INVISIBLE += ["\u2800"]
NAMES = ["", "St. Xavier’s", "बी.ए. हिन्दी", "क्\u200dष", "தமிழ் க்\u200cஷ", "അവന്\u200d", "نور"]
NAMES += ["می\u200cخواهم", "Jose\u0301", "O\u00a0Neil", "數學 (B.A.)", "🎓", "👩\u200d🎓"]
NAMES += ["❤\ufe0f", "👍🏽", "7", "?"]


def test_a_hostile_character_is_refused_anywhere_and_named_with_its_place():
    for character in HOSTILE:
        for text in (f"{character}College", f"Col{character}lege", f"College{character}"):
            with pytest.raises(ValidationError, match="can't be shown"):
                validate_plain_text(text)
    assert "(U+202E, after “Nor”)" in fault_of("Nor\u202eth")
    assert "(a line break, at the beginning)" in fault_of(" \nNorth")
    assert f"(a tab, after “{'x' * 20}”)" in fault_of("x" * 30 + "\t")


def test_names_of_all_scripts_are_plain_if_they_have_a_visible_character():
    for text in NAMES:
        assert fault_of(text) == ""
        validate_plain_text(text)
    for text in INVISIBLE:
        with pytest.raises(ValidationError, match="The text contains no visible character"):
            validate_plain_text(text)
        assert fault_of(f"क{text}") == ""


def test_contact_details_in_a_reason_are_refused_and_tickets_and_days_taken():
    for reason in (
        *("a.b@example.com asked", "someone＠example.com", "@handle", "9876543210"),
        *("call 1234567", "+91 98765 43210", "(080) 2345-678", "98765.43210", "12 34 56 7"),
        *("१२३४५६७", "2026-11-21 98765 43210"),
    ):
        assert ReasonForm({"reason": reason}).errors == {"reason": [NO_CONTACT]}, reason
    for reason in (
        *("ticket 123456", "asked on 2026-11-21", "2026-11-21 and 2026-11-22", "4711, then 0815"),
        "x",
    ):
        form = ReasonForm({"reason": reason})
        assert (form.is_valid(), form.cleaned_data.get("reason")) == (True, reason)
