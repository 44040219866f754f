"""Every student page in every state: sound, small, labelled as far as markup tells, and escaped."""

import dataclasses
import re
from html.parser import HTMLParser
from itertools import product

import pytest
from django.conf import settings
from django.template.loader import render_to_string
from django.test import RequestFactory
from django.utils import translation
from django.utils.html import escape

from assessments.student.result_context import describe_profile
from measurement.drawings import describe_figure
from tests.assessments.hindi import as_hindi, english_on
from tests.assessments.page_figures import FIGURES
from tests.assessments.page_states import HISTORY, PHYSICS, RESULT, STATES
from tests.assessments.test_result_context import BANK, EVEN, profile

# Words that steer a template, and addresses: not text that somebody wrote.
STRUCTURE = {"page", "language", "code", "control", "field", "reason", "action", "back"}
STRUCTURE |= {"next_url", "leave_url", "home_url", "finished_on", "visible_until"}
STRUCTURE |= {"link_url", "whatsapp_url", "mail_url", "address", "answers_as"}
PAYLOAD = "\"'><script>alert(1)</script>{{ 7 }}"


class Page(HTMLParser):
    """What a test asks of a page: its elements, in order."""

    def __init__(self, template, context):
        super().__init__()
        self.html = render_to_string(template, context, request=RequestFactory().get("/"))
        self.elements = []
        self.feed(self.html)

    def handle_starttag(self, tag, attrs):
        assert len(dict(attrs)) == len(attrs), f"an attribute of {tag} is given twice"
        self.elements.append((tag, dict(attrs)))

    def all(self, *tags):
        return [attributes for tag, attributes in self.elements if tag in tags]

    def values(self, *names):
        """Return the attributes' values wherever they are given."""
        found = product(names, (attributes for _, attributes in self.elements))
        return [attributes[name] or "" for name, attributes in found if name in attributes]


def poisoned(value, name=""):
    """Return the context with the payload for each text in it."""
    if name in STRUCTURE and (name != "reason" or value in STATES):
        return value
    if isinstance(value, str):
        return PAYLOAD
    if isinstance(value, dict):
        return {key: poisoned(item, key) for key, item in value.items()}
    return [poisoned(item) for item in value] if isinstance(value, list | tuple) else value


def in_hindi(value, name=""):
    """Return the context with Hindi for each text in it: English words then are the page's."""
    if name in STRUCTURE:
        return value
    if isinstance(value, str):
        return as_hindi(value)
    if dataclasses.is_dataclass(value) and not isinstance(value, type):
        value = {field.name: getattr(value, field.name) for field in dataclasses.fields(value)}
    if isinstance(value, dict):
        return {key: in_hindi(item, key) for key, item in value.items()}
    return [in_hindi(item) for item in value] if isinstance(value, list | tuple) else value


@pytest.fixture(params=STATES, scope="module")
def state(request):
    template, context = STATES[request.param]
    return template, context | {"language": "hi"}


@pytest.fixture(scope="module")
def page(state):
    return Page(*state)


def test_a_page_has_its_frame(page, state):
    _, context = state
    title = " ".join(page.html.split("<title>")[1].split("</title>")[0].split())

    assert page.all("html") == [{"lang": "hi", "data-accent": "teal"}]
    assert len(page.all("h1")) == len(page.all("main")) == 1
    assert page.all("body")[0]["data-page"] == context["page"]
    assert title.startswith("Error: ") == bool(context.get("errors") or context.get("missing"))
    assert title.removeprefix("Error: ").removesuffix("– Northfield College").strip()
    assert "mailto:help@assess.example" in page.values("href")


def test_a_page_keeps_to_the_strict_policy(page, state):
    _, context = state
    courses = [course for group in context.get("groups", []) for course in group["courses"]]
    outside = {course.get(name) for course in courses for name in ("url", "apply_url")}
    outside |= {context.get(name) for name in ("return_url", "whatsapp_url", "address")}

    assert not page.all("style", "iframe", "object", "base")
    assert {s["src"] for s in page.all("script")} <= {"/static/student.js", "/static/result.js"}
    for tag, attributes in page.elements:
        assert not [name for name in attributes if name == "style" or name.startswith("on")], tag
    for address in {*page.values("href", "src", "action")} - outside:
        assert address.startswith(("/", "#", "?language=", "mailto:", "data:image/svg+xml,")), (
            address
        )
        assert not address.startswith("//")


def test_every_reference_inside_a_page_hits_something(page):
    ids = page.values("id")
    links = [address[1:] for address in page.values("href") if address.startswith("#")]

    assert len(ids) == len(set(ids))
    assert {*links, *page.values("aria-describedby", "aria-labelledby", "for", "form")} <= set(ids)


def test_every_control_has_its_label(page):
    controls = [control for control in page.all("input") if control["type"] != "hidden"]
    named = [control["id"] for control in controls if "id" in control]
    assert sorted(map(str, named)) == sorted(page.values("for"))
    # one may stand inside its label instead
    assert len(controls) - len(named) == len(page.all("label")) - len(page.values("for"))
    groups = page.all("fieldset")
    referring = [group for group in groups if "aria-labelledby" in group]
    assert len(groups) == len(page.all("legend")) + len(referring)


def test_every_form_is_a_guarded_post_but_the_comparison(page):
    posts = [form for form in page.all("form") if form["method"] == "post"]

    assert {form.get("id") for form in page.all("form") if form not in posts} <= {"compare"}
    assert page.values("name").count("csrfmiddlewaretoken") == len(posts)


def test_text_from_outside_is_escaped(state):
    template, context = state

    page = Page(template, poisoned(context))

    assert all("src" in script for script in page.all("script"))
    assert PAYLOAD not in page.html
    assert escape(PAYLOAD) in page.html


def test_the_words_and_paths_of_a_drawing_are_escaped():
    chart = {**FIGURES["bars"], "alt": {"en": PAYLOAD}, "caption": {"en": PAYLOAD}}
    chart["paths"] = {"axis": PAYLOAD}
    chart["words"] = [{**word, "text": {"en": PAYLOAD}} for word in chart["words"]]

    page = Page("student/_figure.html", {"figure": describe_figure(chart, "en")})

    assert not page.all("script")
    assert page.html.count(escape(PAYLOAD)) == 3 + len(chart["words"])


@pytest.mark.parametrize(
    ("kind", "styles"),
    [
        ("matrix", ["frame", "hatch", "ink", "solid", "gap"]),
        ("bars", ["grid", "column", "axis"]),
    ],
)
def test_a_drawing_is_painted_in_the_order_of_its_styles(kind, styles):
    page = Page("student/_figure.html", {"figure": describe_figure(FIGURES[kind], "en")})

    assert [path["class"] for path in page.all("path")] == styles


def test_a_result_reveals_no_marks_questions_or_answers():
    page = Page("student/result.html", RESULT | describe_profile(BANK, profile(EVEN).to_json()))

    reasoning = page.html.partition('id="aptitude"')[2].partition('id="preferences"')[0]
    assert not re.search(r"\d", re.sub(r"<svg.*?</svg>|<[^>]*>?", "", reasoning, flags=re.DOTALL))
    names = {"csrfmiddlewaretoken", "language", "course"}
    assert {field["name"] for field in page.all("input")} == names
    assert not re.search(r"\b(correct answer|answer key|theta|percentile)\b", page.html)


def test_no_reason_of_a_course_stands_twice_on_a_result():
    """Those of the first course are at the top, those of a named one beside its name."""
    point = {"code": "enjoyed_field", "about": "art"}
    named = {"code": HISTORY["code"], "name": "B.A. History", "fit": "well", "streams": []}
    stored = profile().to_json() | {"considered": [named | {"points": [point]}]}

    page = Page("student/result.html", RESULT | describe_profile(BANK, stored))

    reasons = [page.html.count(each) for each in PHYSICS["reasons"] + HISTORY["reasons"]]
    assert reasons == [1, 1, 0]
    assert "which you enjoy." in page.html


def test_a_hindi_page_has_no_english(state):
    template, context = state

    with translation.override("hi"):
        page = Page(template, in_hindi(context))

    assert english_on(page.html) == []


STYLE = (settings.BASE_DIR / "static" / "student.css").read_text(encoding="utf-8")


def tokens(start):
    """Return the custom properties of the rule that follows this text, by name."""
    body = STYLE.partition(start)[2].partition("}")[0]
    set_here = (each.strip().partition(": ") for each in body.split(";"))
    return {name: value for name, _, value in set_here if name.startswith("--")}


def test_a_darkened_drawing_has_the_colours_of_the_page_in_both_schemes():
    light = tokens(":root {")
    dark = tokens("@media screen and (prefers-color-scheme: dark) {\n  :root {")
    names = ("--card", "--ink", "--edge", "--line", "--accent")

    assert tokens("(forced-colors: none) {\n    svg {") == {
        name: f"light-dark({light[name]}, {dark[name]})" for name in names
    }
