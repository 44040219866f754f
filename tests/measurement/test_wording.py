"""The words of every language: the same codes, the same forms, the same places for figures."""

import re
import unicodedata
from collections.abc import Mapping
from dataclasses import fields

import pytest

from lab.generators.items import LANGUAGES
from measurement.ability import BANDS
from measurement.courses import ENTRY_LEVELS, STREAM_ANSWERS
from measurement.reasons import COUNTERPOINTS, FORMS, REASONS
from measurement.recommendation import FITS
from measurement.scales import INTERESTS, PREFERENCES
from measurement.validity import APTITUDE, DOUBTS, FLAT, STUDY
from measurement.wording import ENGLISH, WORDS, Words

TABLES = [each.name for each in fields(Words)]


def texts(words):
    if isinstance(words, str):
        yield words
    elif isinstance(words, list):
        for each in words:
            yield from texts(each)
    elif isinstance(words, Mapping):
        for each in words.values():
            yield from texts(each)


def codes(words):
    """Return what a table has words for, without the words."""
    if isinstance(words, Mapping):
        return {code: codes(each) for code, each in words.items()}
    return len(words) if isinstance(words, list) else type(words)


def test_every_language_has_words_for_the_same_codes():
    assert tuple(WORDS) == LANGUAGES
    for name in TABLES:
        assert len({str(codes(getattr(words, name))) for words in WORDS.values()}) == 1, name


def test_every_code_has_its_words():
    words = ENGLISH
    ends = {end for scale in PREFERENCES for end in scale.split("_")}

    assert set(words.interests) == set(INTERESTS)
    assert set(words.preferences) == set(PREFERENCES)
    assert set(words.leaning_advice) == ends
    assert set(words.bands) == {band.code for band in BANDS}
    assert set(words.streams) == set(STREAM_ANSWERS)
    assert set(words.entry_levels) == set(ENTRY_LEVELS)
    assert set(words.fits) == set(FITS)
    assert set(words.course_notes) == {"modest", "little", "close"}
    assert set(words.doubts) == {FLAT, *(doubt for _, doubt in DOUBTS.values())}
    assert set(words.cautions) == {"careless", FLAT, APTITUDE, STUDY}
    assert set(words.reasons) == {*REASONS, *COUNTERPOINTS}
    assert {len(forms) for forms in words.reasons.values()} == {FORMS}


# As India writes the subjects of class 11 and 12, in every language.
LETTERS = ("PCMB", "PCM", "PCB")


@pytest.mark.parametrize("name", TABLES)
def test_hindi_is_written_in_devanagari_with_western_digits(name):
    for text in texts(getattr(WORDS["hi"], name)):
        if text in LETTERS:
            continue
        assert re.search("[\u0904-\u0939]", text), text
        assert not re.search("[A-Za-z]", re.sub(rf"\{{\w+\}}|{'|'.join(LETTERS)}", "", text)), text
        # Beside a digit a danda looks like one more of them.
        assert not re.search("[\u0966-\u096f]|[0-9]।|\\.$", text), text
        assert unicodedata.is_normalized("NFC", text), text
