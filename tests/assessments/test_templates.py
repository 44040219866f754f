"""Every student page in every state: sound, accessible as far as markup tells, and escaped."""

from __future__ import annotations

import gzip
import re
from html.parser import HTMLParser
from typing import Any

import pytest
from django.conf import settings
from django.template.loader import render_to_string
from django.test import RequestFactory
from django.utils.html import escape

from assessments.charts.puzzle_figures import shown
from assessments.student.report import report
from tests.assessments.page_states import FIGURES, RESULT, STATES, Context
from tests.assessments.test_report import BANK, EVEN, profile, stored

Element = tuple[str, dict[str, str | None]]

# Words that steer a template, and addresses: not text that somebody wrote.
STRUCTURE = {"page", "language", "code", "control", "field", "reason", "action", "back"}
STRUCTURE |= {"next_url", "leave_url", "home_url", "finished_on", "visible_until"}
STRUCTURE |= {"link_url", "whatsapp_url", "mail_url", "address"}
PAYLOAD = "\"'><script>alert(1)</script>{{ 7 }}"

every_state = pytest.mark.parametrize("state", STATES)


class Page(HTMLParser):
    """What a test asks of a page: its elements, in order."""

    def __init__(self, html: str) -> None:
        super().__init__()
        self.html = html
        self.elements: list[Element] = []
        self.feed(html)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        assert len(dict(attrs)) == len(attrs), f"an attribute of {tag} is given twice"
        self.elements.append((tag, dict(attrs)))

    def all(self, *tags: str) -> list[dict[str, str | None]]:
        return [attributes for tag, attributes in self.elements if tag in tags]

    def values(self, attribute: str) -> list[str]:
        """Return the attribute's value wherever it is given."""
        return [found[attribute] or "" for _, found in self.elements if attribute in found]

    @property
    def title(self) -> str:
        return " ".join(self.html.split("<title>")[1].split("</title>")[0].split())


def rendered(template: str, context: Context) -> Page:
    return Page(render_to_string(template, context, request=RequestFactory().get("/")))


def poisoned(value: Any, name: str = "") -> Any:
    """Return the context with the payload for each text in it."""
    if name in STRUCTURE and (name != "reason" or value in STATES):
        return value
    if isinstance(value, str):
        return PAYLOAD
    if isinstance(value, dict):
        return {key: poisoned(item, key) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return [poisoned(item) for item in value]
    return value


@every_state
def test_a_page_has_its_frame(state: str) -> None:
    template, context = STATES[state]

    page = rendered(template, context | {"language": "hi"})

    assert page.all("html") == [{"lang": "hi", "data-accent": "teal"}]
    assert len(page.all("h1")) == 1
    assert len(page.all("main")) == 1
    assert page.all("body")[0]["data-page"] == context["page"]
    assert page.title.startswith("Error: ") == bool(context.get("errors") or context.get("missing"))
    assert page.title.removeprefix("Error: ").removesuffix("– Northfield College").strip()
    assert "mailto:help@assess.example" in page.values("href")


@every_state
def test_a_page_keeps_to_the_strict_policy(state: str) -> None:
    template, context = STATES[state]

    page = rendered(template, context)

    assert not page.all("style", "iframe", "object", "base")
    scripts = {"/static/student.js", "/static/result.js"}
    assert all(script["src"] in scripts for script in page.all("script"))
    for tag, attributes in page.elements:
        assert "style" not in attributes, tag
        assert not [name for name in attributes if name.startswith("on")], tag
    for address in [*page.values("href"), *page.values("src"), *page.values("action")]:
        if address not in outside(context):
            assert address.startswith(("/", "#", "mailto:", "data:image/svg+xml,")), address
            assert not address.startswith("//")


def outside(context: Context) -> set[str]:
    """Return the addresses of other sites that a page is asked to show."""
    courses = [course for group in context.get("groups", []) for course in group["courses"]]
    of_courses = {course[name] for course in courses for name in ("url", "apply_url")}
    of_page = {context.get(name, "") for name in ("return_url", "whatsapp_url", "address")}
    return {*of_page, *of_courses}


@every_state
def test_every_reference_inside_a_page_hits_something(state: str) -> None:
    page = rendered(*STATES[state])

    ids = page.values("id")
    assert len(ids) == len(set(ids))
    links = [address[1:] for address in page.values("href") if address.startswith("#")]
    named = [*page.values("aria-describedby"), *page.values("aria-labelledby")]
    assert {*links, *named, *page.values("for")} <= set(ids)


@every_state
def test_every_control_has_its_label(state: str) -> None:
    page = rendered(*STATES[state])

    shown = [control for control in page.all("input") if control["type"] != "hidden"]
    named = [control["id"] for control in shown if "id" in control]
    assert sorted(named) == sorted(page.values("for"))
    # one may stand inside its label instead
    assert len(shown) - len(named) == len(page.all("label")) - len(page.values("for"))
    groups = page.all("fieldset")
    referring = [group for group in groups if "aria-labelledby" in group]
    assert len(groups) == len(page.all("legend")) + len(referring)


@every_state
def test_every_form_is_a_guarded_post_but_the_comparison(state: str) -> None:
    page = rendered(*STATES[state])

    forms = page.all("form")
    posts = [form for form in forms if form["method"] == "post"]
    assert all(form.get("id") == "compare" for form in forms if form not in posts)
    assert page.values("name").count("csrfmiddlewaretoken") == len(posts)


@every_state
def test_text_from_outside_is_escaped(state: str) -> None:
    template, context = STATES[state]

    page = rendered(template, poisoned(context))

    assert all("src" in script for script in page.all("script"))
    assert PAYLOAD not in page.html
    assert escape(PAYLOAD) in page.html


@every_state
def test_a_page_is_small(state: str) -> None:
    page = rendered(*STATES[state])

    size = len(gzip.compress(page.html.encode(), 6))
    style = (settings.BASE_DIR / "static" / "student.css").read_bytes()
    assert size < 4_500  # of 6 kB, which also hold the answer's headers
    assert size + len(gzip.compress(style, 6)) < 12_000  # of 14 kB


@pytest.mark.parametrize("state", ["puzzle about a chart", "puzzle of pictures"])
def test_a_drawing_is_a_picture_with_words_for_it(state: str) -> None:
    page = rendered(*STATES[state])

    drawings = [svg for svg in page.all("svg") if "drawing" in (svg.get("class") or "")]
    assert drawings[0]["role"] == "img"
    assert drawings[0]["aria-label"]
    assert all(svg.get("role") == "img" or svg["aria-hidden"] == "true" for svg in drawings)
    assert all(path["class"] and path["d"] for path in page.all("path") if "class" in path)


def test_the_words_of_a_drawing_are_escaped() -> None:
    chart = {**FIGURES["bars"], "alt": {"en": PAYLOAD}, "caption": {"en": PAYLOAD}}
    chart["bars"] = [{"label": {"en": PAYLOAD}, "value": 60}] * 2

    page = rendered("student/_figure.html", {"figure": shown(chart, "en")})

    assert not page.all("script")
    assert page.html.count(escape(PAYLOAD)) == 4


def test_a_result_says_who_has_the_names_of_the_courses() -> None:
    told = "Northfield College has the names of your courses too."

    assert told in rendered(*STATES["result"]).html
    assert told not in rendered(*STATES["result without courses"]).html


@pytest.mark.parametrize(
    "state", ["left", "result", "in-use", "finished", "ended", "cancelled", "expired", "closed"]
)
def test_the_way_back_is_a_plain_link_that_carries_nothing(state: str) -> None:
    template, context = STATES[state]
    address = "https://college.example/portal?step=2"

    page = rendered(template, context | {"return_url": address})

    [link] = [link for link in page.all("a") if link["href"] == address]
    assert link["rel"] == "noreferrer"
    assert link.keys() == {"href", "class", "rel"}


def test_nothing_on_a_result_reads_as_marks() -> None:
    html = rendered(*STATES["result"]).html

    reasoning = html.partition('id="aptitude"')[2].partition('id="preferences"')[0]
    words = re.sub(r"<svg.*?</svg>|<[^>]*>?", "", reasoning, flags=re.DOTALL)
    assert not re.search(r"\d", words)


def test_a_result_reveals_no_questions_or_answers() -> None:
    shown = RESULT | report(profile(EVEN), [stored()], "en", BANK)

    page = rendered("student/result.html", shown)

    names = {"csrfmiddlewaretoken", "assessment", "language", "course"}
    assert {field["name"] for field in page.all("input")} == names
    assert not re.search(r"\b(correct answer|answer key|theta|percentile)\b", page.html)
