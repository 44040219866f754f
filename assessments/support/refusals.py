"""Explain a refused call to support: what was wrong, and what the partner can do."""

from __future__ import annotations

from typing import NamedTuple

from assessments.api.codes import CODES, FIELD_CODES, REASONS
from assessments.models.refused_calls import RefusedCall

_CODES = {each.code: each for each in CODES}
_REASONS = {each.code: each for each in REASONS}
_FIELD_CODES = {each.code: each.meaning for each in FIELD_CODES}


class Explanation(NamedTuple):
    """Sentences of the partners' documentation, with `code` in backticks."""

    what: str
    do: str


def explain(call: RefusedCall) -> Explanation:
    """Return what was wrong with a call, and what to do about it."""
    if call.reason in _REASONS:
        reason = _REASONS[call.reason]
        return Explanation(reason.meaning, reason.action)
    if call.code not in _CODES:
        return Explanation(f"The answer was `{call.code}`.", "")
    code = _CODES[call.code]
    wrong = [
        f"`{each['field']}`: {_FIELD_CODES.get(each['code'], each['code'])}"
        for each in call.fields
        if each["field"]
    ]
    return Explanation(" ".join(wrong) or code.meaning, code.action)
