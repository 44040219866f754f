"""A service with the shipped item bank, and a browser, for the programs that look at pages."""

from __future__ import annotations

import os
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
def running(folder: Path, **settings: str) -> Iterator[Service]:
    """Run the service as it is deployed, on an SQLite file in a new folder."""
    folder.mkdir(exist_ok=True)
    os.environ |= {
        "MODE": "test",
        "DJANGO_SETTINGS_MODULE": "config.settings",
        "DATABASE_URL": f"sqlite:///{folder}/unused.sqlite3",
    }
    os.environ.setdefault("TESTS_STATIC_ROOT", str(folder / "static"))
    from tests.support.server import Service  # it needs the environment

    service = Service("sqlite", folder, **settings)
    try:
        service.prepare()
        service.manage("load_items", "--make-current")
        service.start()
        yield service
    finally:
        service.close()


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
    """Onboard a project with the demo's catalogue; return what the command printed."""
    return service.manage(
        "onboard_partner", "Bench", "--project", project, "--courses", str(COURSES), "--json"
    )
