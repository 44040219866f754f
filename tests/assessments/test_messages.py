"""The translations of the students' pages: complete and compiled."""

import re
from pathlib import Path

import polib
import pytest
from django.conf import settings

CATALOGUES = [
    Path(settings.LOCALE_PATHS[0]) / code / "LC_MESSAGES" / "django.po"
    for code, _name in settings.LANGUAGES
    if code != settings.LANGUAGE_CODE
]
PLACE = re.compile(r"%\((\w+)\)[sd]|\{(\w+)\}")


@pytest.fixture(params=CATALOGUES, ids=lambda file: file.parts[-3])
def file(request):
    return request.param


def forms(entry):
    """Return the English and the translation of each form: of one thing, of several."""
    english = (entry.msgid, entry.msgid_plural or entry.msgid)
    return list(zip(english, entry.msgstr_plural.values() or [entry.msgstr], strict=False))


def test_every_text_is_translated_in_every_form_of_the_language(file):
    catalogue = polib.pofile(file)
    plural = re.search(r"nplurals=(\d)", catalogue.metadata["Plural-Forms"])
    assert plural

    assert len(catalogue) > 100
    assert [entry.msgid for entry in catalogue if not entry.translated()] == []
    assert {len(e.msgstr_plural) for e in catalogue if e.msgid_plural} == {int(plural[1])}


def test_a_translation_has_the_places_and_the_markup_of_the_english(file):
    for entry in polib.pofile(file):
        for english, translated in forms(entry):
            for pattern in (PLACE, re.compile(r"<[^>]*>")):
                assert sorted(pattern.findall(translated)) == sorted(pattern.findall(english))
