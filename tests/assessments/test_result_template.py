"""What the result page is made of, and the way back that ends it and the pages beside it."""

from __future__ import annotations

import re
from html.parser import HTMLParser

import pytest
from django.template.loader import render_to_string
from django.test import RequestFactory
from django.utils import translation

from assessments.measurement.advice_wording import LEANING_ADVICE, STUDY_ADVICE
from assessments.measurement.scales import PREFERENCES
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


def test_its_parts_stand_in_the_order_in_which_a_family_reads_them() -> None:
    headings = [words for tag, _, words in page("result").elements if tag in {"h1", "h2"}]

    assert [" ".join(words) for words in headings] == [
        "Asha, you enjoy machines and computers",
        "Best matches",
        "Also worth a look",
        "What you like",
        "How you reason",
        "How you like to study",
        "What this result can't tell",
        "Keep this page",
    ]


def test_every_course_shows_all_of_it_without_a_tap() -> None:
    found = page("result")

    for course in (course for group in RESULT["groups"] for course in group["courses"]):
        [card] = [words for _, words in found.all("li") if words.startswith(course["name"])]
        said = (course["about"], *course["reasons"], course["leads_to"], course["counterpoint"])
        assert all(words in card for words in (*said, course["note"], *course["facts"]))
    assert not [words for _, words in found.all("details") if "Physics" in words]


def test_addresses_are_shown_where_the_catalogue_has_them() -> None:
    found = page("result", return_url="")

    links = {link["href"]: words for link, words in found.all("a") if link.get("rel")}
    assert links == {
        "https://college.example/apply": "Apply",
        "https://college.example/physics": "More at the college",
    }


def test_nothing_on_it_reads_as_marks() -> None:
    found = page("result")

    reasoning = found.html.partition('id="aptitude"')[2].partition('id="preferences"')[0]
    words = re.sub(r"<svg.*?</svg>|<[^>]*>?", "", reasoning, flags=re.DOTALL)
    assert not re.search(r"\d", words)


def test_the_drawing_has_its_figures_in_a_table_beside_it() -> None:
    found = page("result")

    [(drawing, _)] = found.all("svg", "radar")
    assert drawing["role"] == "img"
    assert "table" in str(drawing["aria-label"])
    [(_, table)] = found.all("table")
    for number in range(6):
        assert f"Kind {number} {1 + number / 2:.1f}" in table
    assert [head["scope"] for head, _ in found.all("th")] == ["col"] * 2 + ["row"] * 6


@pytest.mark.parametrize("language", STUDY_ADVICE)
@pytest.mark.parametrize("mean", [1.5, 3.0, 4.5])
def test_how_to_study_is_the_same_advice_for_everybody(mean: float, language: str) -> None:
    with translation.override(language):
        said = report(profile(preference=mean), [], language, BANK)
        found = outline("student/result.html", RESULT | said | {"language": language})

    for line in STUDY_ADVICE[language]:
        assert found.html.count(line) == 1
    leanings = [line for line in LEANING_ADVICE[language].values() if line in found.html]
    assert len(leanings) == (0 if mean == 3.0 else len(PREFERENCES))


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
