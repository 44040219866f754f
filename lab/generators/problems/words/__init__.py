"""The sentences of the word problems, complete in each language.

To add a language, add a module here and an entry below. The English scenes define the meaning;
other languages have the same scenes with the same values.
"""

from __future__ import annotations

from collections.abc import Mapping

from lab.generators.problems.kinds import Words
from lab.generators.problems.words import english, hindi

WORDS: Mapping[str, Mapping[str, Words]] = {"en": english.WORDS, "hi": hindi.WORDS}
