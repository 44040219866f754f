"""The translations of the students' pages: complete, compiled, and in plain Hindi."""

from __future__ import annotations

import gettext
import re
from pathlib import Path

import polib
import pytest
from django.conf import settings

from tests.assessments.hindi import NAMES, NO_WORD, WORD

CATALOGUES = [
    Path(settings.LOCALE_PATHS[0]) / code / "LC_MESSAGES" / "django.po"
    for code, _name in settings.LANGUAGES
    if code != settings.LANGUAGE_CODE
]
PLACE = re.compile(r"%\((\w+)\)[sd]|\{(\w+)\}")
MARKUP = re.compile(r"<[^>]*>")

every_language = pytest.mark.parametrize("file", CATALOGUES, ids=lambda file: file.parts[-3])


def translations(entry: polib.POEntry) -> list[str]:
    """Return the translation, or the translation of each plural form."""
    return list(entry.msgstr_plural.values()) or [entry.msgstr]


def forms(entry: polib.POEntry) -> list[tuple[str, str]]:
    """Return the English and the translation of each form: of one thing, of several."""
    english = (entry.msgid, entry.msgid_plural or entry.msgid)
    return list(zip(english, translations(entry), strict=False))


@every_language
def test_every_text_is_translated(file: Path) -> None:
    catalogue = polib.pofile(file)

    unfinished = [entry.msgid for entry in catalogue if not entry.translated()]

    assert len(catalogue) > 100
    assert unfinished == []


@every_language
def test_a_text_with_a_number_has_every_form_of_the_language(file: Path) -> None:
    catalogue = polib.pofile(file)
    plural = re.search(r"nplurals=(\d)", catalogue.metadata["Plural-Forms"])
    assert plural

    for entry in catalogue:
        assert len(translations(entry)) == (int(plural[1]) if entry.msgid_plural else 1)


@every_language
def test_a_translation_has_the_places_and_the_markup_of_the_english(file: Path) -> None:
    for entry in polib.pofile(file):
        for english, translated in forms(entry):
            assert sorted(PLACE.findall(translated)) == sorted(PLACE.findall(english))
            assert sorted(MARKUP.findall(translated)) == sorted(MARKUP.findall(english))


@every_language
def test_what_is_compiled_is_what_is_written(file: Path) -> None:
    with file.with_suffix(".mo").open("rb") as compiled:
        catalogue = vars(gettext.GNUTranslations(compiled))["_catalog"]

    written: dict[str | tuple[str, int], str] = {}
    for entry in polib.pofile(file):
        if entry.msgid_plural:
            written |= {(entry.msgid, n): text for n, text in entry.msgstr_plural.items()}
        else:
            written[entry.msgid] = entry.msgstr
    del catalogue[""]
    assert catalogue == written


def test_the_hindi_is_hindi() -> None:
    """A sentence ends with a danda; English words are names, and digits are 0 to 9."""
    for entry in polib.pofile(Path(settings.LOCALE_PATHS[0]) / "hi" / "LC_MESSAGES" / "django.po"):
        for english, hindi in forms(entry):
            words = WORD.findall(NO_WORD.sub("", MARKUP.sub("", PLACE.sub("", hindi))))
            assert not set(words) - NAMES, hindi
            assert english.endswith(".") == hindi.endswith("।"), hindi
            assert english.endswith("?") == hindi.endswith("?"), hindi
            assert not re.search("[०-९]", hindi)
