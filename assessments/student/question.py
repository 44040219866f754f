"""What a page shows of a question, in one language. Pure."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, Literal, Protocol

from assessments.charts.puzzle_figures import Figure, shown

# A longer answer gets a line of its own.
LONGEST_SIGN = 12


class Offered(Protocol):
    """An answer that can be chosen: what is stored, and its words per language."""

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
    """Return what the page's template needs of an item; `control` names its radio buttons."""
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
    }


def example(content: Mapping[str, Any], language: str) -> dict[str, Any]:
    """Return what the page before a section shows of a worked example."""
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
    """Return the words, lines and figure of an item or a worked example.

    `passage` are the paragraphs that the question is about, `lines` rows of signs.
    """
    return {
        "text": content["text"][language],
        "passage": content.get("passage", {}).get(language, []),
        "lines": content.get("lines", []),
        "figure": shown(content["figure"], language) if content.get("figure") else None,
    }


def pictures(content: Mapping[str, Any], language: str) -> dict[int, Figure]:
    """Return the pictures that stand for answers, by the answer's value, which counts from 1."""
    return {
        value: shown(option["figure"], language)
        for value, option in enumerate(content.get("options", []), start=1)
        if option.get("figure")
    }


def answers_as(content: Mapping[str, Any], language: str) -> Literal["pictures", "signs", "words"]:
    """Tell how the answers of a puzzle are laid out: by what the longest of them takes."""
    options = content.get("options", [])
    if any(option.get("figure") for option in options):
        return "pictures"
    longest = max((len(option["label"][language]) for option in options), default=0)
    return "signs" if longest <= LONGEST_SIGN else "words"
