"""The sentences and things of the verbal logic items, whole ones for each language.

A scene says what an item is about: things that are put in order, facts that hold or do not, or
things of a kind that have one property or another. The generators know scenes, things and
sentences by name and number only; a language says them in its own way, in the same numbers.
The things of a scene are alike in grammar, so that every sentence fits each of them; where a
language changes a thing with its place in a sentence, the thing has a form for each place.
Another language is a module beside these, and an entry in each of the tables below.
"""

from __future__ import annotations

from collections.abc import Mapping

from itemgen.logic.scenes import Scene
from itemgen.logic.words import english, hindi

NUMBERS: Mapping[str, Mapping[int, str]] = {"en": english.NUMBERS, "hi": hindi.NUMBERS}
WORDS: Mapping[str, Mapping[str, Scene]] = {"en": english.SCENES, "hi": hindi.SCENES}
