"""The sentences and things of the verbal logic items, complete in each language.

A scene is the subject of an item: things in an order, facts that hold or not, or things of a kind
with different properties. The generators refer to scenes, things and sentences by name and number;
each language words them freely, in the same numbers. The things of a scene have the same grammar,
so that every sentence fits each of them; if a language inflects a thing by its place in a sentence,
the thing has a form for each place. To add a language, add a module here and an entry in each of
the tables below.
"""

from __future__ import annotations

from collections.abc import Mapping

from lab.generators.logic.scenes import Scene
from lab.generators.logic.words import english, hindi

NUMBERS: Mapping[str, Mapping[int, str]] = {"en": english.NUMBERS, "hi": hindi.NUMBERS}
WORDS: Mapping[str, Mapping[str, Scene]] = {"en": english.SCENES, "hi": hindi.SCENES}
