"""Every student page in every state: sound, small, labelled as far as markup tells, and escaped."""

import gzip
import re
from html.parser import HTMLParser
from itertools import product

import pytest
from django.conf import settings
from django.template.loader import render_to_string
from django.test import RequestFactory
from django.utils.html import escape

from assessments.charts.puzzle_figures import shown
from assessments.student.report import report
from partners.student_pages import Accent
from tests.assessments.page_states import FIGURES, LINK_STATES, RESULT, STATES
from tests.assessments.test_report import BANK, EVEN, profile, stored

Attributes = dict[str, str | None]

# Words that steer a template, and addresses: not text that somebody wrote.
STRUCTURE = {"page", "language", "code", "control", "field", "reason", "action", "back"}
STRUCTURE |= {"next_url", "leave_url", "home_url", "finished_on", "visible_until"}
STRUCTURE |= {"link_url", "whatsapp_url", "mail_url", "address"}
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


@pytest.fixture(params=STATES)
def state(request):
    template, context = STATES[request.param]
    return template, context | {"language": "hi"}


@pytest.fixture
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
        assert address.startswith(("/", "#", "mailto:", "data:image/svg+xml,")), address
        assert not address.startswith("//")


def test_every_reference_inside_a_page_hits_something(page):
    ids = page.values("id")
    links = [address[1:] for address in page.values("href") if address.startswith("#")]

    assert len(ids) == len(set(ids))
    assert {*links, *page.values("aria-describedby", "aria-labelledby", "for")} <= set(ids)


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


def test_a_page_is_small(page):
    size = len(gzip.compress(page.html.encode(), 6))

    assert size < 4_500  # of 6 kB, which also hold the answer's headers
    assert size + len(gzip.compress(STYLE.encode(), 6)) < 12_000  # of 14 kB


def test_text_from_outside_is_escaped(state):
    template, context = state

    page = Page(template, poisoned(context))

    assert all("src" in script for script in page.all("script"))
    assert PAYLOAD not in page.html
    assert escape(PAYLOAD) in page.html


def test_the_words_of_a_drawing_are_escaped():
    chart = {**FIGURES["bars"], "alt": {"en": PAYLOAD}, "caption": {"en": PAYLOAD}}
    chart["bars"] = [{"label": {"en": PAYLOAD}, "value": 60}] * 2

    page = Page("student/_figure.html", {"figure": shown(chart, "en")})

    assert not page.all("script")
    assert page.html.count(escape(PAYLOAD)) == 4


@pytest.mark.parametrize("name", ["puzzle about a chart", "puzzle of pictures"])
def test_a_drawing_is_a_picture_with_words_for_it(name):
    page = Page(*STATES[name])

    first, *_ = [svg for svg in page.all("svg") if "drawing" in (svg.get("class") or "")]
    assert (first["role"], bool(first["aria-label"])) == ("img", True)
    assert all(svg.get("role") == "img" or svg["aria-hidden"] == "true" for svg in page.all("svg"))
    assert all(path["class"] and path["d"] for path in page.all("path") if "class" in path)


@pytest.mark.parametrize("name", ["left", "result", *LINK_STATES])
def test_the_way_back_is_a_plain_link_that_carries_nothing(name):
    template, context = STATES[name]
    address = "https://college.example/portal?step=2"

    page = Page(template, context | {"return_url": address})

    [link] = [link for link in page.all("a") if link["href"] == address]
    assert link["rel"] == "noreferrer"
    assert link.keys() == {"href", "class", "rel"}


def test_a_result_reveals_no_marks_questions_or_answers():
    page = Page("student/result.html", RESULT | report(profile(EVEN), [stored()], "en", BANK))

    reasoning = page.html.partition('id="aptitude"')[2].partition('id="preferences"')[0]
    assert not re.search(r"\d", re.sub(r"<svg.*?</svg>|<[^>]*>?", "", reasoning, flags=re.DOTALL))
    names = {"csrfmiddlewaretoken", "assessment", "language", "course"}
    assert {field["name"] for field in page.all("input")} == names
    assert not re.search(r"\b(correct answer|answer key|theta|percentile)\b", page.html)


def test_a_result_warns_that_the_college_has_the_names_of_the_courses():
    warning = "Northfield College has the names of your courses too."

    pages = [Page(*STATES[name]) for name in ("result", "result without courses")]

    assert [warning in page.html for page in pages] == [True, False]


STYLE = (settings.BASE_DIR / "static" / "student.css").read_text()
NIGHT = STYLE.partition("@media screen and (prefers-color-scheme: dark)")[2]
TEXT, CONTROL = 4.5, 3.0
# WCAG 2.2, 1.4.3 and 1.4.11: colours of words and of what has to be seen, on what they stand on.
GROUNDS = ("ground", "card", "tint")
PAIRS = [
    *product(("ink", "quiet", "accent"), GROUNDS, (TEXT,)),
    *product(("ink", "bad"), ("ground", "card", "bad-tint"), (TEXT,)),
    ("on-accent", "accent", TEXT),
    *product(("edge", "focus"), GROUNDS, (CONTROL,)),
    ("focus", "bad-tint", CONTROL),
    ("accent", "line", CONTROL),  # how far a bar of the result or of the progress is filled
]


def properties(selector, text=STYLE):
    """Return the custom properties of the first rule of this selector."""
    found = re.search(rf"^\s*{re.escape(selector)} \{{(.*?\}})", text, re.M | re.S)
    assert found, selector
    return dict(re.findall(r"--([\w-]+):\s*([^;}]+?)\s*[;}]", found[1]))


def luminance(colour):
    """Return the relative luminance of "#abc" or "#aabbcc", as WCAG defines it."""
    digits = colour.removeprefix("#")
    if len(digits) == 3:
        digits = "".join(2 * digit for digit in digits)
    parts = [int(digits[place : place + 2], 16) / 255 for place in (0, 2, 4)]
    linear = [
        part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts
    ]
    return sum(w * part for w, part in zip((0.2126, 0.7152, 0.0722), linear, strict=True))


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("accent", Accent.values)
def test_colours_are_distinguishable(accent, scheme):
    found = properties(":root")
    found |= properties(f'[data-accent="{accent}"]') if accent != "teal" else {}
    found |= properties(":root", NIGHT) if scheme == "dark" else {}
    lights = {
        name: luminance(found[value[6:-1]] if value.startswith("var(--") else value)
        for name, value in found.items()
        if value.startswith(("#", "var("))
    }

    for one, other, least in PAIRS:
        dark, light = sorted((lights[one], lights[other]))
        assert (light + 0.05) / (dark + 0.05) >= least, f"{one} on {other}"


def test_every_accent_that_staff_can_choose_has_colours_and_no_other():
    styled = re.findall(r'\[data-accent="(\w+)"\]', STYLE)

    assert sorted([*styled, "teal"]) == sorted(Accent.values)
