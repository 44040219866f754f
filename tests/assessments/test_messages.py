"""The catalogue of the students' pages: complete, and the same wherever it is written down."""

from __future__ import annotations

import gettext
import re
from pathlib import Path

import pytest
from django.conf import settings

from assessments.measurement import advice_wording, reason_wording, wording
from bench import messages
from bench.po_file import Entry, entries
from tests.assessments.hindi import NAMES, NO_WORD, WORD

CATALOGUES = [
    Path(settings.LOCALE_PATHS[0]) / code / "LC_MESSAGES" / "django.po"
    for code, _name in settings.LANGUAGES
    if code != settings.LANGUAGE_CODE
]
PLACE = re.compile(r"%\((\w+)\)[sd]")
MARKUP = re.compile(r"<[^>]*>")

every_language = pytest.mark.parametrize("file", CATALOGUES, ids=lambda file: file.parts[-3])


def forms(entry: Entry) -> list[tuple[str, str]]:
    """Return the English and the translation of each form: of one thing, of several."""
    first, last = entry.english[0], entry.english[-1]
    return list(zip((first, last), entry.translated, strict=False))


@every_language
def test_every_text_is_translated(file: Path) -> None:
    unfinished = [
        entry.english[0]
        for entry in entries(file)
        if entry.flags & {"fuzzy", "obsolete"} or not all(entry.translated)
    ]

    assert len(entries(file)) > 100
    assert unfinished == []


@every_language
def test_a_text_with_a_number_has_every_form_of_the_language(file: Path) -> None:
    plural = re.search(r"nplurals=(\d)", file.read_text(encoding="utf-8"))
    assert plural

    for entry in entries(file):
        assert len(entry.translated) == (int(plural[1]) if len(entry.english) == 2 else 1)


@every_language
def test_a_translation_has_the_places_and_the_markup_of_the_english(file: Path) -> None:
    for entry in entries(file):
        for english, translated in forms(entry):
            assert sorted(PLACE.findall(translated)) == sorted(PLACE.findall(english))
            assert sorted(MARKUP.findall(translated)) == sorted(MARKUP.findall(english))


@every_language
def test_what_is_compiled_is_what_is_written(file: Path) -> None:
    with file.with_suffix(".mo").open("rb") as compiled:
        catalogue = vars(gettext.GNUTranslations(compiled))["_catalog"]

    written: dict[str | tuple[str, int], str] = {}
    for entry in entries(file):
        if len(entry.english) == 1:
            written[entry.english[0]] = entry.translated[0]
        else:
            written |= {(entry.english[0], n): text for n, text in enumerate(entry.translated)}
    del catalogue[""]
    assert catalogue == written


def test_the_hindi_is_hindi() -> None:
    """A sentence ends with a danda; English words are names, and digits are 0 to 9."""
    for entry in entries(messages.CATALOGUE):
        for english, hindi in forms(entry):
            words = WORD.findall(NO_WORD.sub("", MARKUP.sub("", PLACE.sub("", hindi))))
            assert not set(words) - NAMES, hindi
            assert english.endswith(".") == hindi.endswith("।"), hindi
            assert english.endswith("?") == hindi.endswith("?"), hindi
            assert not re.search("[०-९]", hindi)


def test_the_list_of_all_messages_is_up_to_date() -> None:
    """Else run: python bench/messages.py."""
    assert messages.WRITTEN.read_text(encoding="utf-8") == messages.page()


def test_the_list_has_every_table_of_words() -> None:
    tables = {
        name
        for module in (wording, advice_wording, reason_wording)
        for name, value in vars(module).items()
        if name.isupper() and isinstance(value, dict) and "en" in value
    }

    assert tables == set(messages.WORDS)


def test_a_message_stands_in_the_list_once_beside_its_translation() -> None:
    page = messages.page()

    for entry in entries(messages.CATALOGUE):
        if len(entry.english) == 1 and not MARKUP.search(entry.english[0]):
            row = f"| {entry.english[0]} | {entry.translated[0]} |"
            assert page.count(f"\n{row}\n") == 1, row
