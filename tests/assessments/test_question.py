"""What a page shows of an item and of a worked example."""

from __future__ import annotations

from typing import Any

from assessments.student.question import example, question
from tests.assessments.page_states import Offered

ITEM: dict[str, Any] = {
    "text": {"en": "How much?"},
    "passage": {"en": ["One.", "Two."]},
    "lines": ["1, 2, ?"],
    "options": [{"value": 1, "label": {"en": "Rs 5"}}, {"value": 2, "label": {"en": "Rs 6"}}],
    "template": "total",
    "radicals": {"steps": 2},
    "key": 2,
    "a": 1.1,
    "b": 0.3,
    "c": 0.18,
}
OFFERED = [Offered(1, {"en": "Rs 5"}), Offered(2, {"en": "Rs 6"}), Offered(0, {"en": "No idea"})]


def test_all_that_is_asked_is_shown() -> None:
    page = question(ITEM, OFFERED, "en", position=57, control="answer", chosen=2)

    assert (page["text"], page["passage"], page["lines"]) == (
        "How much?",
        ["One.", "Two."],
        ["1, 2, ?"],
    )
    assert [(option["value"], option["checked"]) for option in page["options"]] == [
        (1, False),
        (2, True),
        (0, False),
    ]
    assert (page["position"], page["control"]) == (57, "answer")


def test_nothing_that_reveals_the_key_is_shown() -> None:
    page = question(ITEM, OFFERED, "en", position=57, control="answer")

    assert not page.keys() & {"template", "radicals", "key", "a", "b", "c"}


def test_an_example_shows_its_answer() -> None:
    told = {name: {"en": name} for name in ("title", "answer", "explanation")}

    page = example(ITEM | told, "en")

    assert [page[name] for name in told] == list(told)
    assert [option["label"] for option in page["options"]] == ["Rs 5", "Rs 6"]
