"""A whole attempt in the browsers that students have beside today's Chromium."""

import pytest

from tests.e2e.conftest import stored
from tests.e2e.engines import ENGINES, PATIENCE, Visitor
from tests.support.programs import until

pytestmark = pytest.mark.slow

# How far the name is from the sign before it, and the highest and the lowest button of a course.
NAME_GAP = """document.querySelector("header span + span").getBoundingClientRect().left
    - document.querySelector(".monogram").getBoundingClientRect().right"""
BUTTON_TOPS = """[...document.querySelector(".acts").children]
    .map(each => Math.round(each.getBoundingClientRect().top))"""
TICKED = "document.querySelectorAll('fieldset :checked').length"
TOLD = "document.querySelector('[role=status]').textContent"


@pytest.fixture(params=ENGINES)
def visitor(request, tmp_path):
    engine = ENGINES[request.param](tmp_path)
    try:
        engine.start()
        yield Visitor(engine, tmp_path)
    finally:
        engine.close()


def test_a_whole_attempt_with_missed_answers_and_the_way_back(visitor, service, link, applicant):
    visitor.open(link)
    visitor.save_picture("landing")
    assert visitor.see(NAME_GAP) >= 4
    visitor.press("#start")  # refused: no consent
    visitor.click("#consent")
    visitor.press("#start")
    visitor.back()
    assert visitor.kind in {"landing", "question"}

    visitor.open(link)
    visitor.press()  # refused: no answer
    visitor.answer()
    visitor.back()
    assert (visitor.kind, visitor.see(TICKED)) == ("question", 1)

    pages = {"1": "statements", "25": "puzzle"}
    while visitor.kind != "result":
        place = visitor.see("location.pathname").rpartition("/")[2]
        if visitor.kind == "question" and place in pages:
            visitor.save_picture(pages[place])
        visitor.answer()
    visitor.save_picture("result")
    tops = visitor.see(BUTTON_TOPS)
    assert max(tops) - min(tops) <= 2
    visitor.do("window.print = () => {}")  # as in a chat app
    visitor.click("[data-print]")
    until(lambda: visitor.see(TOLD), PATIENCE)
    assert [each["completed_at"] is not None for each in stored(service, applicant)] == [True]
