"""A phone whose owner has doubled the letters in the browser's settings (WCAG 1.4.4).

No server: the pages come as in test_layout.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from tests.assessments.page_states import STATES
from tests.conftest import CHROMIUM
from tests.e2e.test_layout import CUT, OUTSIDE, PHONE, answered

if TYPE_CHECKING:
    from playwright.sync_api import Browser

pytestmark = pytest.mark.slow

TWICE = "--blink-settings=defaultFontSize=32"


def test_letters_twice_as_large_fit_a_phone(browser: Browser) -> None:
    large = browser.browser_type.launch(
        executable_path=CHROMIUM, args=["--no-sandbox", "--disable-gpu", TWICE]
    )
    page = large.new_page(viewport=PHONE)
    page.route("http://student.test/**", answered)

    wrong = {}
    for state in STATES:
        page.goto(f"http://student.test/{state}")
        if lost := page.evaluate(OUTSIDE) + page.evaluate(CUT):
            wrong[state] = lost
    size = page.evaluate("getComputedStyle(document.documentElement).fontSize")
    large.close()

    assert size == "32px"
    assert wrong == {}
