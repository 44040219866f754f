"""A whole attempt on the bank that ships: what a student is sent, page by page."""

from __future__ import annotations

import gzip
import json
import re
from typing import Any

import pytest

from assessments.banks import SHIPPED
from assessments.measurement.layout import Layout
from assessments.models import Assessment, ItemBank
from partners.models import Project
from tests.assessments.attempts import issue
from tests.support.browser import Browser, Page

HEADERS = 900  # bytes of an answer's headers, generously
FIRST_PAGE = 14_000  # its budget


@pytest.fixture
def shipped(db: None) -> dict[str, Any]:
    """Give the shipped bank's content, published and current."""
    data: dict[str, Any] = json.loads(SHIPPED.read_bytes())
    bank, _ = ItemBank.objects.publish(data, shipped=True, actor="command:tests")
    bank.make_current(actor="command:tests")
    return data


@pytest.fixture
def pages(shipped: dict[str, Any], project: Project, browser: Browser) -> list[Page]:
    """Give every page of an attempt, from the landing page to the result."""
    seen = [browser.open(issue(project)[1])]
    page = browser.press(seen[0], {"consent": "yes"})
    while page.name != "result":
        seen.append(page)
        page = browser.go_on(page, choice=len(seen) % 5 if page.name == "question" else 0)
    return [*seen, page]


def test_the_whole_of_it_can_be_taken(pages: list[Page], shipped: dict[str, Any]) -> None:
    attempt = Assessment.objects.get()

    assert [page.status for page in pages] == [200] * len(pages)
    assert [page.name for page in pages].count("section") == 4
    assert attempt.read_answers().answered_count == 37 + 13 + 12 + 8
    assert attempt.completed_at
    families = list(
        attempt.answers.filter(item__section="aptitude").values_list("item__scale", flat=True)
    )
    assert {family: families.count(family) for family in families} == dict.fromkeys(
        ("series", "matrices", "patterns", "logic", "problems", "data"), 2
    )


def test_every_page_and_the_whole_of_it_is_light_and_short(
    pages: list[Page], shipped: dict[str, Any]
) -> None:
    """On the wire, with the style of the first page; `bench.pages` measures it in a browser."""
    answers_to_forms = HEADERS * (len(pages) - 1)
    layout = Layout.of(shipped["sections"])

    assert pages[-1].name == "result"
    assert weight(pages[-1]) < 9_000
    assert max(map(weight, pages[:-1])) < 6_000
    assert len(pages) <= 36
    assert 60_000 < FIRST_PAGE + sum(map(weight, pages[1:])) + answers_to_forms <= 200_000
    assert layout.total <= 70
    assert sum(section.seconds for section in layout.sections) <= 13.5 * 60


def weight(page: Page) -> int:
    """Return the bytes of a page with its headers."""
    return len(gzip.compress(page.text.encode(), 6)) + HEADERS


def test_no_page_reveals_how_a_puzzle_was_made(pages: list[Page], shipped: dict[str, Any]) -> None:
    items = [item for item in shipped["items"] if item["section"] == "aptitude"]
    names = {item["template"] for item in items} | {name for i in items for name in i["radicals"]}
    markup = [
        " ".join(re.findall(r"<[^>]*>", page.text)) for page in pages if page.name == "question"
    ]
    # What is said of a drawing is said in words, and a rule may be called by such a word; the
    # values are numbers, random or addresses.
    markup = [
        re.sub(r'(aria-label|class|value|data-(sending|waiting))="[^"]*"', "", each)
        for each in markup
    ]

    found = [
        name
        for name in names
        if any(re.search(rf"(?<![a-z]){name}(?![a-z])", each) for each in markup)
    ]

    assert found == []


def test_right_and_wrong_pictures_are_marked_up_alike(pages: list[Page]) -> None:
    drawn = [page.text for page in pages if 'class="answers pictures"' in page.text]

    assert len(drawn) == 2
    for text in drawn:
        options = text.split('class="answers pictures"')[1].split("</fieldset>")[0]
        tags = re.findall(r'<svg class="([^"]*)"\s+viewBox="([^"]*)"', options)
        assert tags == [("drawing cell", tags[0][1])] * 6
