"""Word problems, tables and charts say the same in every language, in its own grammar."""

import re
from collections import Counter
from dataclasses import astuple

import pytest

from lab.generators import data
from lab.generators.data import words as figure_words
from lab.generators.data.questions import QUESTIONS
from lab.generators.items import LANGUAGES
from lab.generators.problems import vocabulary
from lab.generators.problems.words import WORDS
from lab.tests.generators.sixty import sixty

OTHERS = tuple(language for language in LANGUAGES if language != "en")
# Not \b, which Python sees between a letter and the vowel sign on it.
POSTPOSITION = r"(?:का|की|के|को|ने|में|पर|से|तक)(?=[ ,।?])"

TABLES = {
    "names": vocabulary.NAMES,
    "nouns": vocabulary.NOUNS,
    "parts": vocabulary.PARTS,
    "units": vocabulary.UNITS,
    "scenes": WORDS,
    "rows": figure_words.ROWS,
    "themes": figure_words.THEMES,
    "questions": QUESTIONS,
}


def places(template):
    """Return how often each value is to be filled in, whatever form of it."""
    return Counter(place.split(".")[0] for place in re.findall(r"{(.*?)}", template))


def after(names, template):
    """Return what follows each place for one of these values."""
    return [template[found.end() :] for found in re.finditer(rf"{{(?:{names})}} ?", template)]


def sentences(language):
    """Return all templates of a language by what they are for."""
    scenes = {name: astuple(scene) for name, scene in WORDS[language].items()}
    return scenes | {key: astuple(asked) for key, asked in QUESTIONS[language].items()}


@pytest.mark.parametrize("language", LANGUAGES)
def test_no_two_rows_have_the_same_name(language):
    rows = [astuple(row) for row in figure_words.ROWS[language].values()]

    for names in zip(*rows, strict=True):
        assert len(set(names)) == len(rows)


@pytest.mark.parametrize("language", OTHERS)
@pytest.mark.parametrize("name", TABLES)
def test_a_language_has_all_that_english_has(name, language):
    assert set(TABLES[name]) == set(LANGUAGES)
    assert set(TABLES[name][language]) == set(TABLES[name]["en"])


@pytest.mark.parametrize("language", OTHERS)
def test_a_table_has_the_same_columns(language):
    for name, theme in figure_words.THEMES["en"].items():
        assert set(figure_words.THEMES[language][name].columns) == set(theme.columns)


@pytest.mark.parametrize("language", OTHERS)
def test_sentences_use_the_same_values_as_the_english_ones(language):
    translated = sentences(language)
    for key, english in sentences("en").items():
        for one, other in zip(english, translated[key], strict=True):
            assert set(places(one)) == set(places(other)), key


@pytest.mark.parametrize("words", WORDS["hi"].values(), ids=WORDS["hi"])
def test_no_hindi_sentence_reveals_the_gender_of_a_named_person(words):
    # A verb agrees with somebody who stands there without a postposition.
    for sentence in astuple(words):
        for following in after("name|one|two", sentence):
            assert re.match(rf"{POSTPOSITION}|और {{two}} {POSTPOSITION}", following), sentence


@pytest.mark.parametrize("words", WORDS["hi"].values(), ids=WORDS["hi"])
def test_a_hindi_thing_has_the_form_for_its_place(words):
    for sentence in astuple(words):
        for following in after(r"thing\.of|thing\.many", sentence):
            assert re.match(POSTPOSITION, following), sentence
        for following in after(r"thing\.one", sentence):
            assert not re.match(POSTPOSITION, following), sentence


def test_a_hindi_row_precedes_a_postposition():
    for asked in QUESTIONS["hi"].values():
        for sentence in astuple(asked):
            for following in after("row|other|first", sentence):
                assert re.match(POSTPOSITION, following), sentence


def test_rupees_have_their_sign_in_hindi_and_lakhs_are_grouped():
    assert vocabulary.measured(120000, "rupees", "hi") == "₹1,20,000"
    assert vocabulary.measured(12, "weeks", "hi") == "12 हफ़्ते"


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_figure_fits_a_phone_in_every_language(language):
    for draft in sixty(data):
        assert draft.figure
        assert all(len(head[language]) <= 12 for head in draft.figure.get("columns", ()))
        assert all(len(row["label"][language]) <= 10 for row in draft.figure.get("rows", ()))
        # Of the 44 units that each of six bars has, a sign of these takes six at most.
        assert all(len(bar["label"][language]) <= 7 for bar in draft.figure.get("bars", ()))


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_alternative_of_a_chart_has_every_value(language):
    charts = [draft.figure for draft in sixty(data) if draft.figure and "bars" in draft.figure]
    assert charts
    for chart in charts:
        for bar in chart["bars"]:
            told = rf"{bar['label'][language]}[^:;]*: {bar['value']}\b"
            assert re.search(told, chart["alt"][language])
