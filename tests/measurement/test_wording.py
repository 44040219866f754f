"""The words of every language: the same codes, the same forms, the same places for figures."""

import re
import unicodedata
from collections.abc import Mapping
from dataclasses import asdict, is_dataclass

import pytest

from lab.generators.items import LANGUAGES
from measurement import reason_wording, wording
from measurement.ability import BANDS
from measurement.courses import ENTRY_LEVELS, STREAM_ANSWERS, STREAMS
from measurement.reason_wording import REASON_WORDS
from measurement.reasons import COUNTERPOINTS, FORMS, NOTES, REASONS
from measurement.scales import FACETS, INTERESTS, PREFERENCES

TABLES = {
    name: table
    for module in (wording, reason_wording)
    for name, table in vars(module).items()
    if name.endswith(("_WORDS", "_SENTENCE", "_ADVICE"))
}


def texts(words):
    """Yield all texts in a table of words but those that a language leaves empty."""
    if isinstance(words, str):
        if words:
            yield words
    elif isinstance(words, tuple):
        for each in words:
            yield from texts(each)
    elif isinstance(words, Mapping):
        for each in words.values():
            yield from texts(each)
    elif is_dataclass(words) and not isinstance(words, type):
        yield from texts(asdict(words))


def codes(words):
    """Return what a table has words for, without the words."""
    if isinstance(words, Mapping):
        return {code: codes(each) for code, each in words.items()}
    return len(words) if isinstance(words, tuple) else type(words)


def test_every_language_has_words_for_the_same_codes():
    for name, table in TABLES.items():
        assert tuple(table) == LANGUAGES, name
        assert len({str(codes(words)) for words in table.values()}) == 1, name


def test_every_code_has_its_words():
    words = {name: set(table["en"]) for name, table in TABLES.items()}

    assert words["INTEREST_WORDS"] == set(INTERESTS)
    assert words["PREFERENCE_WORDS"] == set(PREFERENCES)
    assert words["LEANING_ADVICE"] == {end for scale in PREFERENCES for end in scale.split("_")}
    assert words["BAND_WORDS"] == {band.code for band in BANDS}
    assert words["SKILL_WORDS"] == set(FACETS)
    assert words["STREAM_WORDS"] == set(STREAMS)
    assert words["STREAM_ANSWER_WORDS"] == set(STREAM_ANSWERS)
    assert words["ENTRY_LEVEL_WORDS"] == set(ENTRY_LEVELS)
    assert words["PAGE_NOTE_WORDS"] | words["COURSE_NOTE_WORDS"] == set(NOTES)
    assert words["REASON_WORDS"] == {*REASONS, *COUNTERPOINTS}
    assert {len(forms) for forms in REASON_WORDS["en"].values()} == {FORMS}


# As India writes the subjects of class 11 and 12, in every language.
LETTERS = ("PCMB", "PCM", "PCB")


@pytest.mark.parametrize("name", TABLES)
def test_hindi_is_written_in_devanagari_with_western_digits(name):
    for text in texts(TABLES[name]["hi"]):
        if text in LETTERS:
            continue
        assert re.search("[\u0904-\u0939]", text), text
        assert not re.search("[A-Za-z]", re.sub(rf"\{{\w+\}}|{'|'.join(LETTERS)}", "", text)), text
        # Beside a digit a danda looks like one more of them.
        assert not re.search("[\u0966-\u096f]|[0-9]।|\\.$", text), text
        assert unicodedata.is_normalized("NFC", text), text
