"""The browser and the phone in which the programs of this folder look at pages."""

from contextlib import contextmanager

from playwright.sync_api import sync_playwright

PHONE = {"width": 360, "height": 640}


@contextmanager
def chromium():
    with sync_playwright() as playwright:
        options = ["--no-sandbox", "--disable-gpu"]
        browser = playwright.chromium.launch(executable_path="/usr/bin/chromium", args=options)
        yield browser
        browser.close()
