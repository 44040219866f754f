"""Questions and worked examples in one language: their template context, and cached HTML."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from django.template.loader import render_to_string
from django.utils.safestring import SafeString

from assessments.models.answers import Answer
from assessments.models.items import Option
from measurement.drawings import shown

# The length up to which answers are laid out as signs; longer ones get their own line.
LONGEST_SIGN = 12


def question(
    content: Mapping[str, Any],
    options: Iterable[Option],
    language: str,
    *,
    position: int,
    control: str,
    chosen: int | None = None,
) -> dict[str, Any]:
    """Return the context of an item; `control` is the name of its radio buttons."""
    figures = pictures(content, language)
    return {
        **prompt(content, language),
        "position": position,
        "control": control,
        "options": [
            {
                "value": option.value,
                "label": option.label[language],
                "figure": figures.get(option.value),
                "checked": option.value == chosen,
            }
            for option in options
        ],
    }


def unanswered(answer: Answer, language: str, control: str, number: int) -> SafeString:
    """Return an unanswered question as HTML, rendered once and cached on its item.

    `number` is its number within its section. Some puzzles have drawings of a hundred lines.
    """
    item = answer.item
    # Only statements show their number.
    key = (language, control, 0 if item.is_aptitude else number)
    if key not in item.fieldsets:
        context = {
            "question": with_answer(answer, language, control, number),
            "section": {"code": item.section},
        }
        item.fieldsets[key] = render_to_string("student/_question.html", context)
    return item.fieldsets[key]


def with_answer(
    answer: Answer, language: str, control: str, number: int, error: str = ""
) -> dict[str, Any]:
    item = answer.item
    return {
        **question(
            item.content,
            item.options,
            language,
            position=number,
            control=control,
            chosen=answer.choice,
        ),
        "error": error,
        "locked": answer.is_locked,
        "is_replaceable": answer.is_replaceable,
    }


def example(content: Mapping[str, Any], language: str) -> dict[str, Any]:
    figures = pictures(content, language)
    return {
        **prompt(content, language),
        "title": content["title"][language],
        "options": [
            {"label": option["label"][language], "figure": figures.get(value)}
            for value, option in enumerate(content.get("options", []), start=1)
        ],
        "answer": content["answer"][language],
        "explanation": content["explanation"][language],
    }


def prompt(content: Mapping[str, Any], language: str) -> dict[str, Any]:
    """Return what precedes the options, and their layout, which depends on the longest."""
    options = content.get("options", [])
    longest = max((len(option["label"][language]) for option in options), default=0)
    answers_as = "signs" if longest <= LONGEST_SIGN else "words"
    if any(option.get("figure") for option in options):
        answers_as = "pictures"
    return {
        "text": content["text"][language],
        "passage": content.get("passage", {}).get(language, []),
        "lines": content.get("lines", []),
        "figure": shown(content["figure"], language) if content.get("figure") else None,
        "answers_as": answers_as,
    }


def pictures(content: Mapping[str, Any], language: str) -> dict[int, dict[str, Any]]:
    """Return the figures of options by value, which counts from 1."""
    return {
        value: shown(option["figure"], language)
        for value, option in enumerate(content.get("options", []), start=1)
        if option.get("figure")
    }
