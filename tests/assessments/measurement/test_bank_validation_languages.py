"""A bank says its languages, and every text of it is there in each of them, in its own script."""

from __future__ import annotations

from copy import deepcopy
from io import StringIO
from pathlib import Path
from typing import Any

import pytest
from django.core.management import CommandError, call_command

from assessments.measurement.bank_checks import paragraph_faults, text_faults
from assessments.measurement.bank_validation import validate
from itemgen.build import LANGUAGES, to_text
from tests.assessments.measurement.test_bank_validation import BANK, Bank


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


def test_the_shipped_bank_says_its_languages() -> None:
    assert BANK["languages"] == list(LANGUAGES) == ["en", "hi"]


def test_each_text_that_lacks_a_language_is_named() -> None:
    faults = validate(without_hindi(BANK) | {"languages": ["en", "hi"]})

    lacking = [fault for fault in faults if fault.endswith((" in hi.", "paragraphs in hi."))]
    named = [fault for fault in lacking if "missing" in fault or "no paragraphs" in fault]
    assert len(named) == texts(BANK)
    assert len(set(named)) == len(named)
    for example in (
        "item 1 (int-R-01): the text is missing in hi.",
        "dont_know: is missing in hi.",
        "section interests: the title is missing in hi.",
        "section aptitude: the intro has no paragraphs in hi.",
        "section aptitude: example 6: the figure: the caption is missing in hi.",
        "answers, preferences: label 5 is missing in hi.",
    ):
        assert example in named


def test_load_items_names_them_too(tmp_path: Path) -> None:
    bank = deepcopy(BANK)
    del bank["items"][0]["text"]["hi"]
    bank["dont_know"]["hi"] = "I don't know"
    file = tmp_path / "bank.json"
    file.write_text(to_text(bank), encoding="utf-8")

    with pytest.raises(CommandError) as refused:
        call_command("load_items", file, check=True, stderr=StringIO())

    assert str(refused.value).splitlines()[1:] == [
        "dont_know: is not written in the script of hi.",
        "item 1 (int-R-01): the text is missing in hi.",
    ]


def test_a_bank_in_one_language_asks_for_no_other() -> None:
    assert validate(without_hindi(BANK) | {"languages": ["en"]}) == []


@pytest.mark.parametrize(
    ("english", "hindi"),
    [
        ("Like", "Like"),
        ("Like", "LIKE"),
        ("A red ball", "A"),
        ("forty-two", "42"),
        ("7", "seven"),
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
        ("12", "12"),
        ("BA 12", "BA 12"),
        ("x", "x"),
        ("₹1,25,000", "₹1,25,000"),
        ("Rs 1,25,000", "₹1,25,000"),
        ("2, 4, 8, ?", "2, 4, 8, ?"),
        ("12 km", "12 किमी"),
        ("Only B", "केवल B"),
        ("Like", "पसंद"),
    ],
)
def test_a_sign_is_the_same_in_hindi(english: str, hindi: str) -> None:
    assert list(text_faults({"en": english, "hi": hindi}, LANGUAGES)) == []


def test_a_hindi_digit_or_danda_alone_is_no_hindi() -> None:
    assert list(text_faults({"en": "Like 5.", "hi": "Like ५।"}, LANGUAGES))


def test_a_paragraph_in_the_wrong_script_is_named_by_its_number() -> None:
    said = {"en": ["Ravi has 5.", "12, 14", "How many?"], "hi": ["5 हैं।", "12, 14", "How many?"]}

    assert list(paragraph_faults(said, LANGUAGES)) == [
        "is not written in the script of hi in paragraph 3."
    ]


def test_a_language_that_nothing_is_known_of_is_not_judged() -> None:
    assert list(text_faults({"en": "Like", "ta": "Like"}, ("en", "ta"))) == []


def bank_with(figure: Bank) -> Bank:
    bank = deepcopy(BANK)
    item = next(item for item in bank["items"] if item.get("family") == "logic")
    item["figure"] = figure
    return bank


def test_each_bar_without_a_label_is_named() -> None:
    chart = {
        "kind": "bars",
        "caption": {"en": "Cups sold", "hi": "बिके कप"},
        "bars": [
            {"label": {"en": "Tea", "hi": "चाय"}, "value": 20},
            {"label": {"en": "Milk"}, "value": 10},
        ],
        "step": 0,
        "alt": {"en": "A chart of two bars.", "hi": "दो स्तंभों का चार्ट।"},
    }

    [fault] = validate(bank_with(chart))

    assert fault.endswith("the figure: the label of bar 2 is missing in hi.")
