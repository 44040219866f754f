"""The browser and the onboarded project for the programs that check pages."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from playwright.sync_api import Browser, ViewportSize

    from tests.support.server import Service

COURSES = Path(__file__).resolve().parents[2] / "assessments" / "demo" / "courses.csv"
PHONE: ViewportSize = {"width": 360, "height": 640}


@contextmanager
def chromium() -> Iterator[Browser]:
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(
            executable_path="/usr/bin/chromium", args=["--no-sandbox", "--disable-gpu"]
        )
        yield browser
        browser.close()


def onboard(service: Service, project: str) -> str:
    """Onboard a project with the demo's catalogue; return the command's output."""
    return service.manage(
        "onboard_partner", "Bench", "--project", project, "--courses", str(COURSES), "--json"
    )
