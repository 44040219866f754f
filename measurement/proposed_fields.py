"""Propose fields for a course from its name, so that a catalogue works until editors choose."""

from __future__ import annotations

import tomllib
import unicodedata
from itertools import accumulate
from pathlib import Path
from typing import NamedTuple

FIELDS_MAX = 3
# The tables of the file, in the order in which their phrases decide.
RANKS = ("professions", "subjects", "degrees", "generics")
DEGREE, GENERIC = RANKS.index("degrees"), RANKS.index("generics")
TABLES = tomllib.loads(Path(__file__).with_name("course_words.toml").read_text(encoding="utf-8"))


class Phrase(NamedTuple):
    """A phrase without its spaces, and the fields that it proposes, the main one first."""

    letters: str
    has_any_ending: bool
    rank: int
    fields: tuple[str, ...]


def _split(text: str) -> list[str]:
    """Return the words of a text in small letters, with the marks of Devanagari but its nukta."""
    lower = unicodedata.normalize("NFD", text.lower().replace("&", " and ")).replace("\u093c", "")
    kept = (
        letter if letter.isalnum() or unicodedata.category(letter).startswith("M") else " "
        for letter in lower
    )
    return "".join(kept).split()


def _read_phrases() -> dict[str, list[Phrase]]:
    """Return the phrases of the file by their first letter."""
    phrases: dict[str, list[Phrase]] = {}
    for rank, table in enumerate(RANKS):
        for fields, texts in TABLES[table].items():
            for text in texts:
                letters = "".join(_split(text))
                phrase = Phrase(letters, text.endswith("*"), rank, tuple(fields.split()))
                phrases.setdefault(letters[0], []).append(phrase)
    return phrases


_PHRASES = _read_phrases()


def propose_fields(name: str) -> tuple[str, ...]:
    """Return one to three fields for a course, the main one first, or none if nothing is known.

    The phrases in its name decide: professions, then subjects. Where there are neither, degrees do,
    then generic words; these count only if all other words are known. The first phrase gives all
    its fields, each further one its main field. A letter counts once, in the longest phrase. A
    phrase begins and ends where a word does, whatever separates the words.
    """
    words = _split(name)
    if not words:
        return ()
    text = "".join(words)
    ends = [*accumulate(map(len, words))]
    starts = [0, *ends[:-1]]
    matches = []
    for start in starts:
        for phrase in _PHRASES.get(text[start], ()):
            end = start + len(phrase.letters)
            if text.startswith(phrase.letters, start) and (phrase.has_any_ending or end in ends):
                word_end = next(each for each in ends if each >= end)
                matches.append((start, word_end, phrase))
    taken: list[tuple[int, int, tuple[str, ...]]] = []
    used: set[int] = set()
    for start, end, phrase in sorted(matches, key=lambda match: (match[0] - match[1], match[0])):
        if used.isdisjoint(range(start, end)):
            used.update(range(start, end))
            taken.append((phrase.rank, start, phrase.fields))
    is_known = all(
        start in used or word in TABLES["empty"] or word.isdigit()
        for word, start in zip(words, starts, strict=True)
    )
    taken = [each for each in taken if each[0] < GENERIC or is_known]
    if not taken:
        return ()
    (rank, _, first), *further = sorted(taken)
    more = [fields[0] for other, _, fields in further if other < DEGREE or rank >= DEGREE]
    return tuple(dict.fromkeys([*first, *more]))[:FIELDS_MAX]
