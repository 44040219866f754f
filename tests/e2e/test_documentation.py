"""The partner documentation in a browser: its tabs and samples, with and without scripts."""

from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    pass

pytestmark = pytest.mark.slow

PHP = "#get-redirect-url-php"
SAMPLE = "section[aria-labelledby='get-redirect-url'] .tabs .sample:visible code"
OTHER = "section[aria-labelledby='cancel-links'] .tabs .sample:visible code"


@pytest.mark.parametrize("scripts", [False, True])
def test_a_tab_shows_its_sample_and_with_scripts_all_tabs_follow_and_samples_are_copied(
    chromium, service, scripts
):
    context = chromium.new_context(
        java_script_enabled=scripts, permissions=["clipboard-read", "clipboard-write"]
    )
    page = context.new_page()
    faults = []
    page.on("console", lambda message: faults.append(message.text))
    page.goto(f"{service.url}/docs/")
    assert page.locator(SAMPLE).inner_text().startswith("curl ")
    page.locator(PHP).focus()
    for key in ("ArrowLeft", "ArrowRight", "Space"):
        page.keyboard.press(key)
    page.locator(f"label[for='{PHP[1:]}']").click()

    assert page.locator(SAMPLE).inner_text().startswith("<?php")
    other = page.locator(OTHER).inner_text()
    assert other.startswith("<?php" if scripts else "curl ")
    if scripts:
        page.locator(OTHER.replace(" code", " button")).click()
        page.get_by_role("button", name="Copied").wait_for()
        assert page.evaluate("navigator.clipboard.readText()").strip() == other.strip()
    else:
        assert page.locator(".sample button").count() == 0
    assert faults == []
    context.close()
