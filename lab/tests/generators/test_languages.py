"""Every text of these families is written in every language, and no option is told by its words."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import asdict

import pytest

from lab.generators import matrices, patterns, series
from lab.generators.items import LANGUAGES
from lab.tests.generators.sixty import sixty

DEVANAGARI = re.compile(r"[\u0900-\u097f]")
# Western digits are used throughout; beside a digit or a capital a danda looks like one more of
# them, and a brace or a percent sign is a place that was not filled.
UNWANTED = re.compile(r"[\u0966-\u096f]|[0-9A-Z]।|[{}%]")

pytestmark = pytest.mark.parametrize(
    "family", (series, matrices, patterns), ids=lambda family: family.FAMILY
)


def contents(family):
    """All items of a family, and its worked example."""
    yield family.EXAMPLE
    for draft in sixty(family):
        yield asdict(draft)


def texts(content):
    """All that a content says, in its languages, paragraph by paragraph."""
    if isinstance(content, Mapping) and "en" in content:
        several = {
            code: [said] if isinstance(said, str) else list(said) for code, said in content.items()
        }
        for paragraphs in zip(*several.values(), strict=True):
            yield dict(zip(several, paragraphs, strict=True))
    elif isinstance(content, Mapping):
        for part in content.values():
            yield from texts(part)
    elif isinstance(content, Sequence) and not isinstance(content, str):
        for part in content:
            yield from texts(part)


def test_everything_is_said_in_every_language(family):
    for content in contents(family):
        found = list(texts(content))

        assert len(found) > len(content["options"])
        for said in found:
            assert set(said) == set(LANGUAGES), said
            assert all(text.strip() for text in said.values()), said


def test_words_are_in_devanagari_and_signs_are_alike(family):
    for content in contents(family):
        for said in texts(content):
            is_sign = not re.search("[a-z]", said["en"])

            assert (said["hi"] == said["en"]) is is_sign, said
            assert bool(DEVANAGARI.search(said["hi"])) is not is_sign, said
            assert not UNWANTED.search(said["hi"]), said


def test_numbers_in_a_text_are_the_same_in_every_language(family):
    for content in contents(family):
        for said in texts(content):
            numbers = {code: sorted(re.findall(r"\d+", text)) for code, text in said.items()}

            assert len(set(map(tuple, numbers.values()))) == 1, said
