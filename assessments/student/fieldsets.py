"""Cached HTML of questions: an unanswered question is the same for every student."""

from __future__ import annotations

from typing import Any

from django.template.loader import render_to_string
from django.utils.safestring import SafeString

from assessments.models.answers import Answer
from assessments.student.question import question


def unanswered(answer: Answer, language: str, control: str, number: int) -> SafeString:
    """Return an unanswered question as HTML, rendered once and cached on its item.

    `number` is its number within its section. Some puzzles have drawings of a hundred lines.
    """
    item = answer.item
    # Only statements show their number.
    key = (language, control, 0 if item.is_aptitude else number)
    if key not in item.fieldsets:
        context = {
            "question": shown(answer, language, control, number),
            "section": {"code": item.section},
        }
        item.fieldsets[key] = render_to_string("student/_question.html", context)
    return item.fieldsets[key]


def shown(
    answer: Answer, language: str, control: str, number: int, error: str = ""
) -> dict[str, Any]:
    """Return the template context of a question with its current answer."""
    item = answer.item
    drawn = question(
        item.content,
        item.options,
        language,
        position=number,
        control=control,
        chosen=answer.choice,
    )
    return {
        **drawn,
        "error": error,
        "locked": answer.is_locked,
        "is_replaceable": answer.is_replaceable,
    }
