"""The template context of questions and worked examples, in one language."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, Literal, Protocol

from assessments.charts.puzzle_figures import Figure, shown

# The length up to which answers are laid out as signs; longer ones get their own line.
LONGEST_SIGN = 12


class Offered(Protocol):
    """An option: the stored value, and its label per language."""

    @property
    def value(self) -> int: ...

    @property
    def label(self) -> Mapping[str, str]: ...


def question(
    content: Mapping[str, Any],
    options: Iterable[Offered],
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
        "answers_as": answers_as(content, language),
        "options": [
            {
                "value": option.value,
                "label": option.label[language],
                "figure": figures.get(option.value),
                "checked": option.value == chosen,
            }
            for option in options
        ],
        "error": "",
        "locked": False,
        "is_replaceable": False,
    }


def example(content: Mapping[str, Any], language: str) -> dict[str, Any]:
    """Return the context of a worked example, which is shown before a section."""
    figures = pictures(content, language)
    return {
        **prompt(content, language),
        "title": content["title"][language],
        "answers_as": answers_as(content, language),
        "options": [
            {"label": option["label"][language], "figure": figures.get(value)}
            for value, option in enumerate(content.get("options", []), start=1)
        ],
        "answer": content["answer"][language],
        "explanation": content["explanation"][language],
    }


def prompt(content: Mapping[str, Any], language: str) -> dict[str, Any]:
    """Return the text, passage, lines and figure of an item or a worked example."""
    return {
        "text": content["text"][language],
        "passage": content.get("passage", {}).get(language, []),
        "lines": content.get("lines", []),
        "figure": shown(content["figure"], language) if content.get("figure") else None,
    }


def pictures(content: Mapping[str, Any], language: str) -> dict[int, Figure]:
    """Return the figures of options by value, which counts from 1."""
    return {
        value: shown(option["figure"], language)
        for value, option in enumerate(content.get("options", []), start=1)
        if option.get("figure")
    }


def answers_as(content: Mapping[str, Any], language: str) -> Literal["pictures", "signs", "words"]:
    """Return the layout of the options of a puzzle, which depends on the longest."""
    options = content.get("options", [])
    if any(option.get("figure") for option in options):
        return "pictures"
    longest = max((len(option["label"][language]) for option in options), default=0)
    return "signs" if longest <= LONGEST_SIGN else "words"
