"""Propose from a course's name whether a student needs a degree to start it."""

import re
import tomllib
from collections.abc import Iterator
from pathlib import Path

from measurement.proposed_fields import propose_fields, split_words

FILE = Path(__file__).with_suffix(".toml")
# The phrases of each list, without spaces.
PHRASES = {
    kind: {"".join(split_words(text)) for text in texts}
    for kind, texts in tomllib.loads(FILE.read_text(encoding="utf-8")).items()
}
# PGDM, PGDCA, PGP, PGCE
PREFIXES = ("pgd", "pgp", "pgc")
MAX_WORDS = 6


def asks_for_degree(name: str) -> bool:
    """Return whether a course of this name is for graduates, as far as the name says.

    A master's degree, PG diploma or doctorate asks for a degree, and so do B.Ed., LL.B. and B.Lib.
    They do not where a first degree precedes them (B.A. LL.B., B.Tech-M.Tech), or where the name
    says that the course is integrated or takes five years, except for doctorates and the like.
    """
    # An empty word keeps M.A./M.B.A. from being read as one abbreviation.
    words = [word for part in re.split(r"[/,()+|]", name) for word in (*split_words(part), "")]
    always = [start for start, word in enumerate(words) if word.startswith(PREFIXES)]
    always += _degrees(words, "always_asking")
    asking = always + _degrees(words, "asking")
    if not asking or any(start < min(asking) for start, _ in _spans(words, "first")):
        return False
    # "M.Sc. in Integrated Biology" names a subject.
    integrated = [start for start, _ in _spans(words, "integrated") if words[start - 1] != "in"]
    return bool(always) or not integrated


def _spans(words: list[str], kind: str) -> Iterator[tuple[int, int]]:
    """Return where phrases are, as the index of the first word and of the one after the last."""
    for start in range(len(words)):
        for end in range(start + 1, min(start + MAX_WORDS, len(words)) + 1):
            if words[start] and words[end - 1] and "".join(words[start:end]) in PHRASES[kind]:
                yield start, end


def _degrees(words: list[str], kind: str) -> list[int]:
    """Return where degrees of a kind begin."""
    return [start for start, end in _spans(words, kind) if _is_degree(words, start, end)]


def _is_degree(words: list[str], start: int, end: int) -> bool:
    """Return whether these words are no part of D.M.L.T. and no initials, as of M.A. Ansari."""
    before, letters, after = words[start - 1], "".join(words[start:end]), words[end]
    if len(letters) == end - start and 1 in (len(before), len(after)):
        return False
    if letters not in PHRASES["short"]:
        return True
    if after in PHRASES["no_degree_before"]:
        return False
    if any(_spans(words, "first")) or any(_spans(words, "lower_awards")):
        return False
    # M.S. is a degree of engineers and surgeons, but M.S. Ramaiah a person.
    return letters != "ms" or after in {"", "in", "by", "general"} or bool(propose_fields(after))
