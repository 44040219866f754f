"""A bank says its languages, and every text of it is there in each of them, in its own script."""

from __future__ import annotations

from typing import Any

import pytest

from assessments.measurement.bank_checks import text_faults
from assessments.measurement.bank_validation import validate
from lab.generators.build import LANGUAGES
from tests.assessments.measurement.test_bank_validation import BANK


def without_hindi(content: Any) -> Any:
    """Return the content less all its texts in Hindi."""
    if isinstance(content, dict):
        return {name: without_hindi(each) for name, each in content.items() if name != "hi"}
    return [without_hindi(each) for each in content] if isinstance(content, list) else content


def texts(content: Any) -> int:
    """Count the texts (or lists of paragraphs) that a content has in English."""
    members = content.values() if isinstance(content, dict) else content
    if not isinstance(content, dict | list):
        return 0
    return (isinstance(content, dict) and "en" in content) + sum(map(texts, members))


def test_each_text_that_lacks_a_language_is_named() -> None:
    faults = validate(without_hindi(BANK) | {"languages": ["en", "hi"]})

    lacking = [fault for fault in faults if fault.endswith((" in hi.", "paragraphs in hi."))]
    named = [fault for fault in lacking if "missing" in fault or "no paragraphs" in fault]
    assert len(named) == texts(BANK)
    assert len(set(named)) == len(named)
    for example in (
        f"item 1 ({BANK['items'][0]['code']}): the text is missing in hi.",
        "dont_know: is missing in hi.",
        "section interests: the title is missing in hi.",
        "section aptitude: the intro has no paragraphs in hi.",
        "section aptitude: example 6: the figure: the caption is missing in hi.",
        "answers, preferences: label 5 is missing in hi.",
    ):
        assert example in named


def test_a_bank_in_one_language_asks_for_no_other() -> None:
    assert validate(without_hindi(BANK) | {"languages": ["en"]}) == []


@pytest.mark.parametrize(
    ("english", "hindi"),
    [
        ("Like", "Like"),
        ("forty-two", "42"),
        ("12 km", "12 km"),
        ("A", "Ravi"),
    ],
)
def test_a_hindi_text_without_devanagari_is_refused(english: str, hindi: str) -> None:
    said = {"en": english, "hi": hindi}

    assert list(text_faults(said, LANGUAGES)) == ["is not written in the script of hi."]


@pytest.mark.parametrize(
    ("english", "hindi"),
    [
        ("A", "A"),
        ("₹1,25,000", "₹1,25,000"),
        ("Rs 1,25,000", "₹1,25,000"),
        ("12 km", "12 किमी"),
        ("Only B", "केवल B"),
        ("Like", "पसंद"),
    ],
)
def test_a_sign_is_the_same_in_hindi(english: str, hindi: str) -> None:
    assert list(text_faults({"en": english, "hi": hindi}, LANGUAGES)) == []
