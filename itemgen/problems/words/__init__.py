"""The sentences of the word problems, complete in each language.

To add a language, add a module here and an entry below. The English scenes define the meaning;
other languages have the same scenes with the same values.
"""

from __future__ import annotations

from collections.abc import Mapping

from itemgen.problems.kinds import Words
from itemgen.problems.words import english, hindi

WORDS: Mapping[str, Mapping[str, Words]] = {"en": english.WORDS, "hi": hindi.WORDS}
