"""Explanations of recommended courses per language: whole sentences with placeholders.

Every code has `reasons.FORMS` sentences in every language. They describe likings and the results of
one day, never the person.
"""

from __future__ import annotations

from measurement import reason_words_en as en
from measurement import reason_words_hi as hi
from measurement.courses import OTHER_STREAM
from measurement.reasons import OF_ALL_PUZZLES
from measurement.wording import Skill


def _with_overall(sentences: dict[str, tuple[str, ...]]) -> dict[str, tuple[str, ...]]:
    """Return the sentences with those of points judged by all puzzles, which are the same."""
    return sentences | {code: sentences[own] for own, code in OF_ALL_PUZZLES.items()}


SKILL_WORDS: dict[str, dict[str, Skill]] = {"en": en.SKILLS, "hi": hi.SKILLS}
# All puzzles, where a sentence would name those of a facet.
ALL_PUZZLES_WORDS: dict[str, str] = {"en": en.ALL_PUZZLES, "hi": hi.ALL_PUZZLES}
# How much a course uses a facet, by its importance; named only from 1 on.
USE_WORDS: dict[str, tuple[str, str, str]] = {"en": en.USES, "hi": hi.USES}
REASON_WORDS: dict[str, dict[str, tuple[str, ...]]] = {
    "en": _with_overall(en.REASONS),
    "hi": _with_overall(hi.REASONS),
}
# Of courses that the student named: what speaks against one, and how well it fits.
AGAINST_WORDS: dict[str, dict[str, str]] = {"en": en.AGAINST, "hi": hi.AGAINST}
FIT_WORDS: dict[str, dict[str, str]] = {"en": en.FITS, "hi": hi.FITS}
# Notes about the whole list; the codes of reasons.NOTES.
PAGE_NOTE_WORDS: dict[str, dict[str, str]] = {"en": en.PAGE_NOTES, "hi": hi.PAGE_NOTES}
# Notes about one course.
COURSE_NOTE_WORDS: dict[str, dict[str, str]] = {"en": en.COURSE_NOTES, "hi": hi.COURSE_NOTES}
ENTRY_LEVEL_WORDS: dict[str, dict[str, str]] = {"en": en.ENTRY_LEVELS, "hi": hi.ENTRY_LEVELS}
STREAM_WORDS: dict[str, dict[str, str]] = {"en": en.STREAMS, "hi": hi.STREAMS}
SHORT_STREAM_WORDS: dict[str, dict[str, str]] = {"en": en.SHORT_STREAMS, "hi": hi.SHORT_STREAMS}
# The answers to the stream question.
STREAM_ANSWER_WORDS: dict[str, dict[str, str]] = {
    "en": {**en.STREAMS, OTHER_STREAM: en.OTHER_STREAM},
    "hi": {**hi.STREAMS, OTHER_STREAM: hi.OTHER_STREAM},
}
# The sentence, and the separator of two subjects.
STREAMS_SENTENCE: dict[str, tuple[str, str]] = {
    "en": en.STREAMS_SENTENCE,
    "hi": hi.STREAMS_SENTENCE,
}
REQUIRED_STREAMS_SENTENCE: dict[str, tuple[str, str]] = {
    "en": en.REQUIRED_STREAMS_SENTENCE,
    "hi": hi.REQUIRED_STREAMS_SENTENCE,
}
