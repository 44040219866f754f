"""What a language has to say for verbal logic: scenes, each a table of its own words."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any


@dataclass(frozen=True, slots=True)
class Scene:
    """What a passage begins with, its things, and sentences and questions with places for them.

    The facts of a scene stand in pairs: a fact, then its opposite. A thing is what the
    sentences of its language want to have: a name, or the forms of it that they ask for.
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
    """Return the scenes with these questions and sentences beside their own."""
    return {
        name: replace(
            scene,
            sentences={**scene.sentences, **(sentences or {})},
            questions={**scene.questions, **questions},
        )
        for name, scene in scenes.items()
    }


def sentence(template: str, *things: object) -> str:
    """Return a template filled in, beginning with a capital letter if the script has any."""
    text = template.format(*things)
    return text[:1].upper() + text[1:]
