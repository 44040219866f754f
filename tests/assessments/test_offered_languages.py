"""Which languages there are to choose from, and how a date is written in each."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest
from django.template import Context, Template
from django.utils import translation

from assessments import languages


@pytest.mark.parametrize(
    ("bank_languages", "wanted", "best"),
    [
        (["en", "hi"], ["hi"], "hi"),
        (["en", "hi"], ["", None, "hi", "en"], "hi"),
        (["en", "hi"], ["ta", "hi"], "hi"),
        (["en"], ["hi"], "en"),
        (["en", "ta"], ["ta"], "en"),
        (["en", "hi"], [], "en"),
    ],
)
def test_the_best_language_is_the_first_wanted_that_pages_and_bank_have(
    bank_languages: list[str], wanted: list[str | None], best: str
) -> None:
    assert languages.best(bank_languages, *wanted) == best


def test_a_language_is_offered_by_its_own_name() -> None:
    assert languages.offered(["hi", "en", "ta"]) == [("en", "English"), ("hi", "हिन्दी")]
    assert languages.offered(["en"]) == [("en", "English")]


@pytest.mark.parametrize(
    ("language", "month", "shown"),
    [
        ("en", 11, "21 November 2026"),
        ("hi", 11, "21 नवंबर 2026"),
        ("hi", 9, "21 सितंबर 2026"),
        ("hi", 12, "21 दिसंबर 2026"),
    ],
)
def test_a_date_has_the_month_in_its_usual_spelling(language: str, month: int, shown: str) -> None:
    template = Template('{{ day|date:"j E Y" }}')

    with translation.override(language):
        day = template.render(Context({"day": datetime(2026, month, 21, tzinfo=UTC)}))

    assert day == shown
