"""How often the database is asked for a page and for an answer: no more often than it must be."""

from __future__ import annotations

import re
from collections.abc import Callable

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from assessments.models import Assessment
from tests.assessments.attempts import answer_until, question_path
from tests.support.browser import Browser, Page

LOOK_UP, HOLD, ANSWERS, STORE, SHOW = "SELECT", "SELECT", "SELECT", "UPDATE", "INSERT"


def statements(act: Callable[[], Page]) -> list[str]:
    """Return what a request asks the database to do, its transaction aside."""
    with CaptureQueriesContext(connection) as asked:
        page = act()
    assert page.status in (200, 303), page.text
    # Of several that go together Django notes "6 times: UPDATE …".
    found = (re.match(r"(?:\d+ times: )?(SELECT|UPDATE|INSERT)", query["sql"]) for query in asked)
    return [verb[1] for verb in found if verb]


@pytest.mark.parametrize("position", [7, 27, 37], ids=["interests", "aptitude", "preferences"])
def test_a_page_takes_two_and_an_answer_five(
    attempt: Assessment, browser: Browser, position: int
) -> None:
    answer_until(attempt, position - 1)
    if position == 37:
        attempt.begin_section(position)
    path = question_path(attempt, position)
    page = browser.get(path)
    filled = dict.fromkeys(page.form.questions, "1")

    shown = statements(lambda: browser.get(path))
    sent = statements(lambda: browser.send(page, filled))

    assert shown == [LOOK_UP, ANSWERS]
    assert sent == [LOOK_UP, HOLD, ANSWERS, STORE, SHOW]
