"""Fields of work as editors read them; fields and a level proposed from a course's name."""

import re
import tomllib
import unicodedata
from collections.abc import Iterator, Sequence
from itertools import accumulate
from pathlib import Path
from typing import NamedTuple

FIELDS_MAX = 3
# The tables of the file, in the order in which their phrases decide.
RANKS = ("professions", "subjects", "hints", "degrees", "generics", "empty")
HINT, GENERIC = RANKS.index("hints"), RANKS.index("generics")
TABLES, LEVELS = (
    tomllib.loads(Path(__file__).with_name(name).read_text(encoding="utf-8"))
    for name in ("course_words.toml", "course_levels.toml")
)
DEGREE_PREFIXES = ("pgd", "pgp", "pgc")  # PGDM, PGDCA, PGP, PGCE
MAX_DEGREE_WORDS = 6
# Hindi abbreviations are also written with a zero, as in बी०ए० or बी0ए0.
_ZERO_AS_STOP = re.compile("(?<=[\u0900-\u0963])[0\u0966]")


class FieldChoice(NamedTuple):
    name: str
    about: str
    examples: str  # two courses

    def __str__(self) -> str:
        return f"{self.name}: {self.about} ({self.examples})"


FIELD_CHOICES = {code: FieldChoice(*texts) for code, texts in TABLES["fields"].items()}


def field_names(codes: Sequence[str]) -> str:
    return "; ".join(FIELD_CHOICES[code].name for code in codes if code in FIELD_CHOICES)


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
# The phrases of each list about degrees, without spaces.
_LEVELS = {kind: {"".join(split_words(text)) for text in texts} for kind, texts in LEVELS.items()}


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


def asks_for_degree(name: str) -> bool:
    """Return whether a course of this name is for graduates, as far as the name says.

    A master's degree, PG diploma or doctorate asks for a degree, and so do B.Ed., LL.B. and B.Lib.
    They do not where a first degree precedes them (B.A. LL.B., B.Tech-M.Tech), or where the name
    says that the course is integrated or takes five years, except for doctorates and the like.
    """
    # An empty word keeps M.A./M.B.A. from being read as one abbreviation.
    words = [word for part in re.split(r"[/,()+|]", name) for word in (*split_words(part), "")]
    always = [start for start, word in enumerate(words) if word.startswith(DEGREE_PREFIXES)]
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
        for end in range(start + 1, min(start + MAX_DEGREE_WORDS, len(words)) + 1):
            if words[start] and words[end - 1] and "".join(words[start:end]) in _LEVELS[kind]:
                yield start, end


def _degrees(words: list[str], kind: str) -> list[int]:
    """Return where degrees of a kind begin."""
    return [start for start, end in _spans(words, kind) if _is_degree(words, start, end)]


def _is_degree(words: list[str], start: int, end: int) -> bool:
    """Return whether these words are no part of D.M.L.T. and no initials, as of M.A. Ansari."""
    before, letters, after = words[start - 1], "".join(words[start:end]), words[end]
    if len(letters) == end - start and 1 in (len(before), len(after)):
        return False
    if letters not in _LEVELS["short"]:
        return True
    if after in _LEVELS["no_degree_before"]:
        return False
    if any(_spans(words, "first")) or any(_spans(words, "lower_awards")):
        return False
    # M.S. is a degree of engineers and surgeons, but M.S. Ramaiah a person.
    return letters != "ms" or after in {"", "in", "by", "general"} or bool(propose_fields(after))
