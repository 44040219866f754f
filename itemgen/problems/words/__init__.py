"""The sentences of the word problems, whole ones for each language.

Another language is a module beside these, and an entry below. English tells what each scene
means; the others have the same scenes, with the same values in them.
"""

from __future__ import annotations

from collections.abc import Mapping

from itemgen.problems.kinds import Words
from itemgen.problems.words import english, hindi

WORDS: Mapping[str, Mapping[str, Words]] = {"en": english.WORDS, "hi": hindi.WORDS}
