"""A second tap of an impatient finger on the page that has just appeared."""

import pytest

from tests.e2e.conftest import PHONE

pytestmark = [pytest.mark.slow, pytest.mark.usefixtures("shipped_bank")]

SETTLED = 701  # ms


@pytest.fixture
def student(new_student):
    return new_student(viewport=PHONE, has_touch=True)


def tap(student, what):
    target = student.page.locator(what).first
    target.scroll_into_view_if_needed()
    box = target.bounding_box()
    student.page.touchscreen.tap(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)


@pytest.mark.parametrize("part", [1, 3], ids=["statements", "puzzle"])
def test_taps_on_a_page_that_has_just_appeared_do_nothing(student, link, part):
    page = student.page
    page.clock.install(time=0)
    page.clock.pause_at(1000)
    student.start(link)
    student.answer_until(page.get_by_role("button", name=f"Begin part {part}").count)
    page.clock.run_for(SETTLED)
    with page.expect_navigation(wait_until="domcontentloaded"):
        tap(student, "main form button")
    address = page.url

    for wait in (120, 180):
        page.clock.run_for(wait)
        for what in ("label.answer", "main form button[type=submit]", "p.away a"):
            tap(student, what)
    page.wait_for_timeout(200)
    assert (page.url, student.ticked, page.locator(".summary").count()) == (address, [], 0)

    page.clock.run_for(SETTLED)
    tap(student, "label.answer")
    assert len(student.ticked) == 1


@pytest.mark.parametrize(
    ("came_from", "counts"), [("", True), ("https://lms.example/", True), ("ours", False)]
)
def test_a_tap_on_the_first_page_of_a_visit_counts_at_once(
    student, link, service, came_from, counts
):
    page = student.page
    page.clock.install(time=0)
    page.clock.pause_at(1000)
    page.goto(link, referer=f"{service.url}/" if came_from == "ours" else came_from)

    tap(student, "[name=consent]")

    assert page.locator("[name=consent]").is_checked() is counts
