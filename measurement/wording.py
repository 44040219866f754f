"""The texts that students read about their result, from a file for each language."""

import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

Texts = Mapping[str, str]


@dataclass(frozen=True, slots=True)
class Words:
    """The texts of one language, mostly by code. The file says what each is for."""

    interests: Mapping[str, Sequence[str]]
    preferences: Mapping[str, Sequence[str]]
    bands: Texts
    study_advice: Sequence[str]
    leaning_advice: Texts
    reasons: Mapping[str, Sequence[str]]
    against: Texts
    fits: Texts
    doubts: Texts
    cautions: Texts
    course_notes: Texts
    entry_levels: Texts
    streams: Texts
    usual_streams: Sequence[str]
    required_streams: Sequence[str]


def _read(language: str) -> Words:
    file = Path(__file__).with_name(f"words_{language}.toml")
    return Words(**tomllib.loads(file.read_text(encoding="utf-8")))


WORDS: dict[str, Words] = {language: _read(language) for language in ("en", "hi")}
# Staff, and files of courses, have English texts.
ENGLISH = WORDS["en"]
# The names of streams in sentences and in files, in every language.
SHORT_STREAMS = {"science-maths": "PCM", "science-biology": "PCB", "science-maths-biology": "PCMB"}


def known_language(language: str) -> str:
    """Return the code of the requested language ("hi" for "hi-IN") if it has texts, or "en"."""
    base = language.lower().split("-")[0]
    return base if base in WORDS else "en"
