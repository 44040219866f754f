"""The bank that ranks by fields, and answers to its statements."""

from __future__ import annotations

import json
from collections.abc import Mapping
from functools import cache

from assessments.banks import SHIPPED
from assessments.measurement.bank import Bank
from assessments.measurement.fields import field_scores, leading_fields
from assessments.measurement.scales import INTERESTS, interest_profile


@cache
def field_bank() -> Bank:
    """Return the bank with its starting norms."""
    return Bank.from_json(json.loads(SHIPPED.read_bytes()))


def types_of(bank: Bank, answers: Mapping[str, int]) -> dict[str, float]:
    """Return the standardised scores of the six types."""
    given = [(each.scale, answers[code]) for code, each in bank.interests.items()]
    return dict(zip(INTERESTS, interest_profile(given, bank.norms).z, strict=True))


def sitting(likes: Mapping[str, int], usual: int = 3) -> dict[str, float]:
    """Return the field scores of a student who answers by field and is asked both stages.

    `likes` are answers (1 to 5) to all statements that speak of a field; others get `usual`.
    """
    bank = field_bank()

    def answer(code: str) -> int:
        named = [likes[field] for field in bank.statements[code].fields if field in likes]
        return named[0] if named else usual

    answers = {code: answer(code) for code in bank.interests}
    types = types_of(bank, answers)
    leading = leading_fields(bank, field_scores(bank, answers, types))
    answers |= {
        code: answer(code) for code, each in bank.follow_ups.items() if each.scale in leading
    }
    return field_scores(bank, answers, types)
