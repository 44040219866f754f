"""Propose fields for a course from its name, so that a catalogue works until editors choose."""

import re
import tomllib
import unicodedata
from itertools import accumulate
from pathlib import Path
from typing import NamedTuple

FIELDS_MAX = 3
# The tables of the file, in the order in which their phrases decide.
RANKS = ("professions", "subjects", "hints", "degrees", "generics", "empty")
HINT, GENERIC = RANKS.index("hints"), RANKS.index("generics")
TABLES = tomllib.loads(Path(__file__).with_name("course_words.toml").read_text(encoding="utf-8"))
# Hindi abbreviations are also written with a zero, as in बी०ए० or बी0ए0.
_ZERO_AS_STOP = re.compile("(?<=[\u0900-\u0963])[0\u0966]")


class Phrase(NamedTuple):
    """The fields that a phrase proposes, the main one first, and how early they count."""

    rank: int
    fields: tuple[str, ...]
    has_any_ending: bool


def split_words(text: str) -> list[str]:
    """Return the words of a text in small letters, with the marks of Devanagari but its nukta."""
    lower = _ZERO_AS_STOP.sub(" ", text.lower().replace("&", " and "))
    lower = unicodedata.normalize("NFD", lower).replace("\u093c", "")
    kept = (
        letter if letter.isalnum() or unicodedata.category(letter).startswith("M") else " "
        for letter in lower
    )
    return "".join(kept).split()


# By the letters of the phrase, without spaces.
_PHRASES = {
    "".join(split_words(text)): Phrase(rank, tuple(fields.split()), text.endswith("*"))
    for rank, table in enumerate(RANKS)
    for fields, texts in TABLES[table].items()
    for text in texts
}
_LONGEST = max(map(len, _PHRASES))


def propose_fields(name: str) -> tuple[str, ...]:
    """Return one to three fields for a course, the main one first, or none if nothing is known.

    The phrases in its name decide: professions, then subjects. Where there are neither, hints do,
    then degrees and generic words; these last count only if all other words are known. The first
    phrase gives all its fields, each further one its main field. A letter counts once, in the
    longest phrase. A phrase begins and ends where a word does, whatever separates the words.
    """
    words = split_words(name)
    if not words:
        return ()
    text = "".join(words)
    ends = [*accumulate(map(len, words))]
    starts = [0, *ends[:-1]]
    matches = []
    for start in starts:
        for end in range(start + 1, min(start + _LONGEST, len(text)) + 1):
            phrase = _PHRASES.get(text[start:end])
            if phrase and (phrase.has_any_ending or end in ends):
                word_end = next(each for each in ends if each >= end)
                matches.append((start, word_end, phrase))
    taken: list[tuple[int, int, tuple[str, ...]]] = []
    used: set[int] = set()
    for start, end, phrase in sorted(matches, key=lambda match: (match[0] - match[1], match[0])):
        if used.isdisjoint(range(start, end)):
            used.update(range(start, end))
            taken.append((phrase.rank, start, phrase.fields))
    is_known = all(
        start in used or word.isnumeric() for word, start in zip(words, starts, strict=True)
    )
    taken = [each for each in taken if each[2] and (each[0] < GENERIC or is_known)]
    if not taken:
        return ()
    (rank, _, first), *further = sorted(taken)
    more = [fields[0] for other, _, fields in further if other < HINT or rank >= HINT]
    return tuple(dict.fromkeys([*first, *more]))[:FIELDS_MAX]
