"""What the result page is made of, and the way back that ends it and the pages beside it."""

from __future__ import annotations

import re
from html.parser import HTMLParser

import pytest
from django.template.loader import render_to_string
from django.test import RequestFactory

from assessments.student.report import report
from tests.assessments.page_states import RESULT, STATES, Context
from tests.assessments.test_report import BANK, EVEN, profile, stored

RETURN_URL = "https://college.example/portal?step=2"
WITH_A_WAY_BACK = [
    *("left", "result", "in-use", "finished", "ended", "cancelled", "expired", "closed")
]


class Outline(HTMLParser):
    """The elements of a page in order, with what each one says."""

    def __init__(self, html: str) -> None:
        super().__init__()
        self.html = html
        self.elements: list[tuple[str, dict[str, str | None], list[str]]] = []
        self._open: list[list[str]] = []
        self.feed(html)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        words: list[str] = []
        self.elements.append((tag, dict(attrs), words))
        if tag not in {"meta", "link", "input", "br"}:
            self._open.append(words)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.elements.append((tag, dict(attrs), []))

    def handle_endtag(self, tag: str) -> None:
        self._open.pop()

    def handle_data(self, data: str) -> None:
        for words in self._open:
            words.extend(data.split())

    def all(self, tag: str, name: str = "") -> list[tuple[dict[str, str | None], str]]:
        """Return the attributes and words of the elements of a tag, and of a class if given."""
        return [
            (attributes, " ".join(words))
            for found, attributes, words in self.elements
            if found == tag and name in (attributes.get("class") or "").split() + [""]
        ]


def page(state: str, **more: object) -> Outline:
    template, context = STATES[state]
    return outline(template, context | more)


def outline(template: str, context: Context) -> Outline:
    return Outline(render_to_string(template, context, request=RequestFactory().get("/")))


def test_nothing_on_it_reads_as_marks() -> None:
    found = page("result")

    reasoning = found.html.partition('id="aptitude"')[2].partition('id="preferences"')[0]
    words = re.sub(r"<svg.*?</svg>|<[^>]*>?", "", reasoning, flags=re.DOTALL)
    assert not re.search(r"\d", words)


def test_it_reveals_no_questions_or_answers() -> None:
    found = outline("student/result.html", RESULT | report(profile(EVEN), [stored()], "en", BANK))

    assert {field["name"] for field, _ in found.all("input")} == {
        "csrfmiddlewaretoken",
        "assessment",
        "language",
        "course",
    }
    assert not re.search(r"\b(correct answer|answer key|theta|percentile)\b", found.html)


@pytest.mark.parametrize("state", WITH_A_WAY_BACK)
def test_the_way_back_is_a_plain_link_that_carries_nothing(state: str) -> None:
    found = page(state, return_url=RETURN_URL)

    [(link, words)] = [each for each in found.all("a") if each[0]["href"] == RETURN_URL]
    assert words == "Back to Northfield College"
    assert link["rel"] == "noreferrer"
    assert link.keys() == {"href", "class", "rel"}
