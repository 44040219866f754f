"""Photograph every puzzle as a student sees it, 360 x 640, and lay the pictures out on sheets.

    python bench/item_pages.py FOLDER [--dark] [--family NAME] [--draw N --seed S]

A service with the shipped bank is started, and the preview that staff have in the admin is opened
for each puzzle. FOLDER gets a picture a puzzle and sheets of twelve. With --draw, N random puzzles
are photographed under numbers only, for somebody to solve who has not seen the keys; `keys.json`
stands apart, in the folder beside.
"""

from __future__ import annotations

import argparse
import base64
import json
import os
import random
import sys
import tempfile
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))  # for a start by the file's name

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

    from tests.support.server import Service

PHONE = {"width": 360, "height": 640}
CHROMIUM = "/usr/bin/chromium"
A_SHEET = 12
# Staff see the key and the parameters on the preview, students do not.
AS_A_STUDENT = """() => {
    document.querySelectorAll("input").forEach(input => { input.checked = false; });
    document.querySelectorAll("main > :not(fieldset)").forEach(staff => staff.remove());
}"""


def puzzles(service: Service, family: str | None) -> list[dict[str, Any]]:
    """Return key, code and primary key of the puzzles, in the order of their codes."""
    rows = service.rows(
        "SELECT i.id, i.code, i.key FROM assessments_item i"
        " JOIN assessments_itembank b ON b.id = i.bank_id"
        " WHERE i.section = 'aptitude' AND (%s = '' OR i.scale = %s)"
        " AND b.made_current_at IS NOT NULL ORDER BY b.made_current_at DESC, i.code",
        (family or "", family or ""),
    )
    newest = len({row["code"] for row in rows})
    return rows[:newest]


def sign_in(service: Service, browser: Browser, *, dark: bool) -> Page:
    from tests.e2e.staff import Staff  # which needs Django's settings, set by main

    context = browser.new_context(
        viewport=PHONE,
        color_scheme="dark" if dark else "light",
        reduced_motion="reduce",  # else the fading tick would still show the key
    )
    page = context.new_page()
    Staff(service, is_superuser=True).sign_in(page)
    return page


def photograph(
    service: Service, page: Page, chosen: Sequence[dict[str, Any]], names: Sequence[str], to: Path
) -> Iterator[Path]:
    """Write a picture of each puzzle, the whole page, and say which one is longer than a phone."""
    for row, name in zip(chosen, names, strict=True):
        response = page.goto(f"{service.url}/admin/assessments/item/{row['id']}/preview/")
        assert response is not None and response.ok, response
        page.evaluate(AS_A_STUDENT)
        height = page.evaluate("document.documentElement.scrollHeight")
        width = page.evaluate("document.documentElement.scrollWidth")
        if width > PHONE["width"]:
            print(f"{name}: {width} px wide")
        if height > 1.5 * PHONE["height"]:
            print(f"{name}: {height} px high")
        path = to / f"{name}.png"
        page.screenshot(path=str(path), full_page=True)
        yield path


def sheets(browser: Browser, pictures: Sequence[Path], to: Path, title: str) -> None:
    """Lay pictures out, twelve a sheet, each under its name."""
    for number, first in enumerate(range(0, len(pictures), A_SHEET), start=1):
        cells = "".join(
            f"<figure><figcaption>{picture.stem}</figcaption><img src='data:image/png;base64,"
            f"{base64.b64encode(picture.read_bytes()).decode()}'></figure>"
            for picture in pictures[first : first + A_SHEET]
        )
        page = browser.new_page(viewport={"width": 1500, "height": 800})
        page.set_content(
            "<style>body{display:grid;grid-template-columns:repeat(4,360px);gap:8px;margin:8px;"
            "background:#888;align-items:start}figure{margin:0}img{display:block;width:360px}"
            f"figcaption{{font:14px sans-serif}}</style>{cells}"
        )
        page.screenshot(path=str(to / f"sheet-{title}-{number:02}.png"), full_page=True)
        page.close()


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("folder", type=Path)
    parser.add_argument("--dark", action="store_true")
    parser.add_argument("--family")
    parser.add_argument("--draw", type=int, help="only so many, at random, under numbers")
    parser.add_argument("--seed", default="1")
    arguments = parser.parse_args()
    arguments.folder.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as name:
        scratch = Path(name)
        os.environ |= {
            "MODE": "test",
            "DJANGO_SETTINGS_MODULE": "config.settings",
            "DATABASE_URL": f"sqlite:///{scratch}/unused.sqlite3",
            "TESTS_STATIC_ROOT": str(scratch / "static"),
        }
        from playwright.sync_api import sync_playwright

        from tests.support.server import Service

        service = Service("sqlite", scratch)
        try:
            service.prepare()
            service.manage("load_items", "--make-current")
            service.start()
            with sync_playwright() as playwright:
                browser = playwright.chromium.launch(
                    executable_path=CHROMIUM, args=["--no-sandbox", "--disable-gpu"]
                )
                take(service, browser, arguments)
                browser.close()
        finally:
            service.close()
    return 0


def take(service: Service, browser: Browser, arguments: argparse.Namespace) -> None:
    """Take the pictures that the command line asks for."""
    chosen = puzzles(service, arguments.family)
    names = [row["code"] for row in chosen]
    if arguments.draw:
        chosen = random.Random(arguments.seed).sample(chosen, arguments.draw)
        names = [f"{number:02}" for number in range(1, len(chosen) + 1)]
        told = {name: (row["code"], row["key"]) for name, row in zip(names, chosen, strict=True)}
        beside = arguments.folder.with_name(f"{arguments.folder.name}-keys")
        beside.mkdir(exist_ok=True)
        (beside / "keys.json").write_text(json.dumps(told, indent=1))
    page = sign_in(service, browser, dark=arguments.dark)
    pictures = list(photograph(service, page, chosen, names, arguments.folder))
    if not arguments.draw:
        families = sorted({picture.stem.rsplit("-", 1)[0] for picture in pictures})
        for family in families:
            of_family = [each for each in pictures if each.stem.startswith(f"{family}-")]
            sheets(browser, of_family, arguments.folder, family)
    print(f"{len(pictures)} pictures in {arguments.folder}")


if __name__ == "__main__":
    sys.exit(main())
