"""What every puzzle and example says, it says in every language, in its own script."""

import re
from collections.abc import Mapping
from dataclasses import asdict
from unicodedata import is_normalized

import pytest

from lab.generators import data, logic
from lab.generators.build import FAMILIES
from lab.generators.items import LANGUAGES
from lab.tests.generators.sixty import sixty

DEVANAGARI = re.compile(r"[\u0904-\u0939]")
# Places that were not filled, and signs without a space or with one too many.
UNWANTED = re.compile(r"[{}]|\bNone\b|  | [.,।?]|।\w")
# Western digits are used throughout.
UNWANTED_HI = re.compile(r"[\u0966-\u096f]|[a-z]")
# Beside a digit or a capital a danda looks like one more. Only a chart is told with a value last.
LIKE_A_DIGIT = re.compile("[0-9A-Z]।")

of_every_family = pytest.mark.parametrize("family", FAMILIES, ids=lambda family: family.FAMILY)


def said(family):
    """Yield all that the items and the worked example of a family say, by language."""
    for content in (family.EXAMPLE, *map(asdict, sixty(family))):
        found = list(texts(content))
        assert len(found) > len(content["options"])
        yield from found


def texts(content):
    """Yield all that a content says, paragraph by paragraph."""
    if isinstance(content, Mapping) and set(content) & set(LANGUAGES):
        assert set(content) == set(LANGUAGES), content
        several = [[each] if isinstance(each, str) else each for each in content.values()]
        for paragraphs in zip(*several, strict=True):
            yield dict(zip(content, paragraphs, strict=True))
    elif isinstance(content, Mapping | list | tuple):
        for part in content.values() if isinstance(content, Mapping) else content:
            yield from texts(part)


@of_every_family
def test_everything_is_said_in_every_language_and_filled_in(family):
    for each in said(family):
        for text in each.values():
            assert text.strip(), each
            assert not UNWANTED.search(text), each


@of_every_family
def test_words_are_in_devanagari_spelt_in_one_way_and_signs_are_alike(family):
    for each in said(family):
        english, hindi = each["en"], each["hi"]
        is_sign = not re.search("[a-z]", english)

        assert (hindi == english) is is_sign, each
        assert bool(DEVANAGARI.search(hindi)) is not is_sign, each
        assert not UNWANTED_HI.search(hindi), each
        assert family is data or not LIKE_A_DIGIT.search(hindi), each
        assert is_normalized("NFC", hindi), each
        # A letter or a unit that English has as well.
        assert set(re.findall("[A-Z]+", hindi)) <= set(re.findall("[A-Z]+", english)), each
        assert hindi.endswith("।") is english.endswith("."), each


@pytest.mark.parametrize(
    "family",
    # "Box 7" is "the seventh box" in Hindi.
    [family for family in FAMILIES if family is not logic],
    ids=lambda family: family.FAMILY,
)
def test_numbers_in_a_text_are_the_same_in_every_language(family):
    for each in said(family):
        numbers = [sorted(re.findall(r"\d+", text)) for text in each.values()]

        assert all(found == numbers[0] for found in numbers), each
