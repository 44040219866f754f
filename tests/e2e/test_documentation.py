"""The partner documentation in a browser: its tabs with and without scripts, its navigation."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from tests.support.server import Service

if TYPE_CHECKING:
    from playwright.sync_api import Browser

pytestmark = pytest.mark.slow

PHP = "#get-redirect-url-php"
SAMPLE = "section[aria-labelledby='get-redirect-url'] .tabs .sample:visible code"
OTHER = "section[aria-labelledby='cancel-links'] .tabs .sample:visible code"


def test_a_tab_shows_its_sample_without_scripts(chromium: Browser, service: Service) -> None:
    context = chromium.new_context(java_script_enabled=False)
    page = context.new_page()
    page.goto(f"{service.url}/docs/")

    assert page.locator(SAMPLE).inner_text().startswith("curl ")
    page.locator(f"label[for='{PHP[1:]}']").click()

    assert page.locator(SAMPLE).inner_text().startswith("<?php")
    assert page.locator(OTHER).inner_text().startswith("curl ")
    assert page.locator(".sample button").count() == 0
    context.close()


def test_with_scripts_all_tabs_follow_and_samples_can_be_copied(
    chromium: Browser, service: Service
) -> None:
    context = chromium.new_context(permissions=["clipboard-read", "clipboard-write"])
    page = context.new_page()
    faults: list[str] = []
    page.on("console", lambda message: faults.append(message.text))
    page.goto(f"{service.url}/docs/")
    page.locator(PHP).focus()
    page.keyboard.press("ArrowLeft")
    page.keyboard.press("ArrowRight")
    page.keyboard.press("Space")
    page.locator(f"label[for='{PHP[1:]}']").click()

    assert page.locator(OTHER).inner_text().startswith("<?php")
    page.locator("section[aria-labelledby='cancel-links'] .tabs .sample:visible button").click()
    page.get_by_role("button", name="Copied").wait_for()

    copied = page.evaluate("navigator.clipboard.readText()")
    assert copied.strip() == page.locator(OTHER).inner_text().strip()
    assert faults == []
    context.close()
