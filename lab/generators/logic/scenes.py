"""Scenes of verbal logic: the words of one language for one situation."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any


@dataclass(frozen=True, slots=True)
class Scene:
    """The introduction of a passage, its things, and templates of sentences and questions.

    The facts of a scene come in pairs: a fact, then its opposite. A thing is whatever the templates
    of its language need: a name, or an object with several forms of it.
    """

    intro: str
    things: tuple[Any, ...]
    sentences: Mapping[str, str]
    questions: Mapping[str, str]


def extended(
    scenes: Mapping[str, Scene],
    *,
    questions: Mapping[str, str],
    sentences: Mapping[str, str] | None = None,
) -> dict[str, Scene]:
    """Return the scenes with additional questions and sentences."""
    return {
        name: replace(
            scene,
            sentences={**scene.sentences, **(sentences or {})},
            questions={**scene.questions, **questions},
        )
        for name, scene in scenes.items()
    }


def sentence(template: str, *things: object) -> str:
    """Fill in a template, and capitalise its first letter if the script has capitals."""
    text = template.format(*things)
    return text[:1].upper() + text[1:]
