import re
from collections import Counter

import pytest

from lab.generators.interest_statements import interest_statements
from lab.generators.section_words import INTEREST_ANSWERS, PREFERENCE_ANSWERS
from lab.generators.statements import INSTRUCTED, PREFERENCE_STATEMENTS
from measurement.scales import PREFERENCES

PREFERRED = [text for each in PREFERENCE_STATEMENTS.values() for _, text in each]
STATEMENTS = [*PREFERRED, *(each.text for each in interest_statements())]

# Words that would make a statement somebody's rather than everybody's.
PERSONAL = re.compile(
    r"\b(he|she|his|her|hers|him|boys?|girls?|m[ae]n|wom[ae]n|father|mother|brother|sister|"
    r"husband|wife|sons?|daughters?|uncle|aunt|lady|ladies|gentlem[ae]n|"
    r"caste|religion|god|temple|mosque|church|prayer|hindu|muslim|christian|sikh)\b",
    re.IGNORECASE,
)
PERSONAL_HI = re.compile(
    r"(^| )(लड़क\w*|आदमी|औरत\w*|महिला\w*|पुरुष\w*|पिता|माता|माँ|भाई|बहन|चाच\w|मंदिर|मस्जिद|"
    r"धर्म|जाति|पूजा|हिंदू|मुस्लिम|सिख|ईसाई)( |$)"
)
# With मैं as its subject a verb tells whether a man or a woman speaks.
GENDERED_HI = re.compile(r"(^| )मैं( |$)|हूँ")


def test_each_preference_is_asked_from_both_ends():
    assert tuple(PREFERENCE_STATEMENTS) == PREFERENCES
    for statements in PREFERENCE_STATEMENTS.values():
        assert Counter(keyed for keyed, _ in statements) == {1: 1, -1: 1}


def test_the_ends_take_turns_within_a_preference():
    """So that agreeing with everything on a page leads to no end."""
    for statements in PREFERENCE_STATEMENTS.values():
        assert [keyed for keyed, _ in statements] in ([1, -1], [-1, 1])
    for number in range(2):
        on_a_page = [statements[number][0] for statements in PREFERENCE_STATEMENTS.values()]
        assert sum(on_a_page) == 0


@pytest.mark.parametrize("text", [text["en"] for text in STATEMENTS])
def test_a_statement_is_short_plain_and_about_anybody(text):
    assert not PERSONAL.search(text)
    assert len(text.split()) <= 14
    assert max(len(word) for word in re.findall(r"\w+", text)) <= 11


@pytest.mark.parametrize("text", [text["en"] for text in PREFERRED])
def test_a_preference_is_a_sentence_about_liking(text):
    assert text.endswith(".")
    assert re.search(r"\bI (like|prefer|would rather|enjoy)\b", text)


@pytest.mark.parametrize(("expected", "texts"), INSTRUCTED)
def test_an_instructed_statement_names_the_answer_as_the_page_shows_it(expected, texts):
    for language, text in texts.items():
        assert f"“{INTEREST_ANSWERS[expected - 1][language]}”" in text


def test_the_instructed_statements_ask_for_different_answers():
    """A student who answers all alike misses at least one of them."""
    assert len({expected for expected, _ in INSTRUCTED}) == len(INSTRUCTED) == 2


@pytest.mark.parametrize("text", [text["hi"] for text in STATEMENTS])
def test_a_hindi_statement_is_short_plain_and_about_anybody(text):
    assert re.search("[\u0904-\u0939]", text)
    assert not re.search("[A-Za-z]", text)
    assert not PERSONAL_HI.search(text)
    assert not GENDERED_HI.search(text)
    # Hindi needs more words for the same: postpositions, and verbs of two words.
    assert len(text.split()) <= 18


@pytest.mark.parametrize("text", [text["hi"] for text in PREFERRED])
def test_a_hindi_preference_is_a_sentence_about_liking(text):
    assert text.endswith("।")
    assert re.search("मुझे .*(पसंद|मज़ा)", text)


@pytest.mark.parametrize("answers", [INTEREST_ANSWERS, PREFERENCE_ANSWERS])
def test_hindi_answers_fit_into_five_columns(answers):
    """A column of a narrow phone takes a word of six letters, signs above and below apart."""
    for answer in answers:
        for word in answer["hi"].split():
            assert len(re.findall("[\u0904-\u0939]", word)) <= 5
