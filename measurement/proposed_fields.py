"""Propose fields for a course from its name.

An editor's choice is better. A proposal lets a catalogue work until there is one.
"""

from __future__ import annotations

import tomllib
import unicodedata
from itertools import accumulate
from pathlib import Path

FIELDS_MAX = 3
# The order in which the words of a name decide.
RANKS = ("professions", "subjects", "degrees", "generics")
DEGREE, GENERIC = RANKS.index("degrees"), RANKS.index("generics")
WORDS = tomllib.loads(Path(__file__).with_name("course_words.toml").read_text(encoding="utf-8"))
_NUKTA = "\u093c"


def _spelled(text: str) -> list[str]:
    """Return the words of a text in small letters, with the marks of Devanagari but its nukta."""
    lower = unicodedata.normalize("NFD", text.lower().replace("&", " and ")).replace(_NUKTA, "")
    kept = (
        each if each.isalnum() or unicodedata.category(each).startswith("M") else " "
        for each in lower
    )
    return "".join(kept).split()


def _phrases() -> dict[str, list[tuple[str, bool, int, tuple[str, ...]]]]:
    """Return (letters, whether any ending will do, rank, fields) of each phrase.

    They are listed by their first letter.
    """
    found: dict[str, list[tuple[str, bool, int, tuple[str, ...]]]] = {}
    for rank, name in enumerate(RANKS):
        for fields, phrases in WORDS[name].items():
            for phrase in phrases:
                letters = "".join(_spelled(phrase))
                entry = (letters, phrase.endswith("*"), rank, tuple(fields.split()))
                found.setdefault(letters[0], []).append(entry)
    return found


_PHRASES = _phrases()


def propose_fields(name: str) -> tuple[str, ...]:
    """Return one to three fields for a course, the main one first, or none if nothing is known.

    They are those of the phrases in its name: professions, then subjects, else degrees, else
    generic words if no other word is left. The first phrase gives all its fields, each further one
    its main field. A letter counts once, in the longest phrase. Hyphens, full stops, spaces and
    case don't matter: a phrase begins and ends where a word does.
    """
    words = _spelled(name)
    if not words:
        return ()
    text = "".join(words)
    ends = [*accumulate(map(len, words))]
    starts = [0, *ends[:-1]]
    matches = []
    for start in starts:
        for letters, is_open, rank, fields in _PHRASES.get(text[start], ()):
            end = start + len(letters)
            if text.startswith(letters, start) and (is_open or end in ends):
                whole = next(each for each in ends if each >= end)
                matches.append((whole - start, start, whole, rank, fields))
    taken: list[tuple[int, int, int, tuple[str, ...]]] = []
    used: set[int] = set()
    for _length, start, end, rank, fields in sorted(matches, key=lambda each: (-each[0], each[1])):
        if used.isdisjoint(range(start, end)):
            used.update(range(start, end))
            taken.append((rank, start, end, fields))
    is_known = all(
        start in used or word in WORDS["empty"] or word.isdigit()
        for word, start in zip(words, starts, strict=True)
    )
    taken = [each for each in taken if each[0] < GENERIC or is_known]
    if not taken:
        return ()
    (rank, _, _, first), *further = sorted(taken)
    more = [fields[0] for other, *_, fields in further if other < DEGREE or rank >= DEGREE]
    return tuple(dict.fromkeys([*first, *more]))[:FIELDS_MAX]
