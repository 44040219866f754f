"""Pages in the few colours of a reader's own: what is drawn can still be told apart.

No server: the pages come as in test_layout.
"""

from __future__ import annotations

import base64
import re
from collections.abc import Iterator
from typing import TYPE_CHECKING

import pytest

from tests.assessments.test_student_style import contrast
from tests.e2e.test_layout import PHONE, answered

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Locator, Page

pytestmark = pytest.mark.slow

ENOUGH = 3  # WCAG 1.4.11
# The colour of a picture at places that are given as shares of its width and height.
COLOURS_AT = """async ([png, places]) => {
    const bitmap = await createImageBitmap(await (await fetch(png)).blob());
    const { width, height } = bitmap;
    const canvas = new OffscreenCanvas(width, height).getContext("2d");
    canvas.drawImage(bitmap, 0, 0);
    return places.map(([x, y]) => "#" + [...canvas.getImageData(
        Math.floor(x * (width - 1)), Math.floor(y * (height - 1)), 1, 1).data
    ].slice(0, 3).map(part => part.toString(16).padStart(2, "0")).join(""));
}"""
RING_AND_GROUND = """ring => [
    getComputedStyle(ring).outlineColor, getComputedStyle(document.body).backgroundColor
]"""
# What each part of each drawing is painted with. A tick is a gap in what it stands on.
PAINTS = """() => [...document.querySelectorAll("main svg :is(path, polygon, circle, rect, text)")]
    .filter(part => !part.matches(".tick")).map(part => {
        const { fill, stroke } = getComputedStyle(part);
        return [part.outerHTML.slice(0, 60), fill, stroke];
    })"""


@pytest.fixture(scope="module", params=["light", "dark"])
def page(request: pytest.FixtureRequest, browser: Browser) -> Iterator[Page]:
    """Give a browser whose reader has set the colours."""
    context = browser.new_context(
        viewport=PHONE, forced_colors="active", color_scheme=request.param
    )
    page = context.new_page()
    page.route("http://student.test/**", answered)
    yield page
    context.close()


Place = tuple[float, float]


def colours(element: Locator, places: list[Place]) -> list[str]:
    """Return the colours that can be seen of an element at some places."""
    png = "data:image/png;base64," + base64.b64encode(element.screenshot()).decode()
    found: list[str] = element.page.evaluate(COLOURS_AT, [png, places])
    return found


def as_hex(colour: str) -> str:
    """Return "rgb(1, 2, 3)" as "#010203"."""
    return "#" + "".join(f"{int(part):02x}" for part in re.findall(r"\d+", colour)[:3])


def test_a_bar_shows_how_far_it_reaches(page: Page) -> None:
    page.goto("http://student.test/statements")  # 6 of 24
    progress = colours(page.locator("progress[aria-label]"), [(0.1, 0.5), (0.8, 0.5)])
    page.goto("http://student.test/result")
    page.locator("summary").filter(has_text="All six").click()
    level = colours(page.locator(".bar").last, [(0.2, 0.5), (0.8, 0.5)])  # a half

    assert contrast(*progress) >= ENOUGH
    assert contrast(*level) >= ENOUGH


@pytest.mark.parametrize("state", ["puzzle of pictures", "puzzle about a chart", "result"])
def test_every_part_of_a_drawing_is_visible(page: Page, state: str) -> None:
    page.goto(f"http://student.test/{state}")
    ground = as_hex(page.evaluate("getComputedStyle(document.body).backgroundColor"))
    parts = page.evaluate(PAINTS)

    assert len(parts) > 5
    for part, *paints in parts:
        painted = [as_hex(paint) for paint in paints if paint != "none"]
        assert any(contrast(ground, paint) >= ENOUGH for paint in painted), part


def test_a_chosen_answer_and_the_focus_stand_out(page: Page) -> None:
    page.goto("http://student.test/statements")
    question = page.locator("fieldset").first
    [chosen] = colours(question.locator("input:checked"), [(0.5, 0.5)])
    [other] = colours(question.locator("input:not(:checked)").first, [(0.5, 0.5)])
    for _ in range(3):
        page.keyboard.press("Tab")
    ring = page.locator("label:has(:focus-visible)")
    edge = ring.evaluate("each => parseFloat(getComputedStyle(each).outlineWidth)")
    rim, ground = [as_hex(colour) for colour in ring.evaluate(RING_AND_GROUND)]

    assert contrast(chosen, other) >= ENOUGH
    assert edge >= 2
    assert contrast(rim, ground) >= ENOUGH
