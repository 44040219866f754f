"""What a language has to say for verbal logic: scenes, and the forms of a property."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True, slots=True)
class Scene:
    """What a passage begins with, its things, and sentences and questions with places for them.

    The facts of a scene stand in pairs: a fact, then its opposite.
    """

    intro: str
    things: tuple[Any, ...]
    sentences: Mapping[str, str]
    questions: Mapping[str, str]


@dataclass(frozen=True, slots=True)
class Property:
    """A property: of many things or one, standing with their name or said of them."""

    many: str
    one: str
    are: str
    has: str
    has_not: str


def sentence(template: str, *things: object) -> str:
    """Return a template filled in, beginning with a capital letter if the script has any."""
    text = template.format(*things)
    return text[:1].upper() + text[1:]
