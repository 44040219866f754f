"""No form takes an e-mail address or a number as a reason, whoever it belongs to."""

from __future__ import annotations

import pytest

from partners.confirmation import ReasonForm
from partners.plain_text import NO_CONTACT


@pytest.mark.parametrize(
    "reason",
    [
        "a.b@example.com asked",
        "someone＠example.com",
        "@handle",
        "9876543210",
        "call 1234567",
        "+91 98765 43210",
        "(080) 2345-678",
        "98765.43210",
        "12 34 56 7",
        "१२३४५६७",
        "2026-11-21 98765 43210",
    ],
)
def test_contact_details_in_a_reason_are_refused(reason: str) -> None:
    form = ReasonForm({"reason": reason})

    assert not form.is_valid()
    assert form.errors == {"reason": [NO_CONTACT]}


@pytest.mark.parametrize(
    "reason",
    ["ticket 123456", "asked on 2026-11-21", "2026-11-21 and 2026-11-22", "4711, then 0815", "x"],
)
def test_tickets_and_days_are_taken(reason: str) -> None:
    form = ReasonForm({"reason": reason})

    assert form.is_valid()
    assert form.cleaned_data["reason"] == reason
