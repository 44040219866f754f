"""Photograph every state of the student pages, for docs/student-pages.md.

    python -m bench.pages.screenshots [FOLDER] [--all]

Students use a running service in Chromium, on a phone of 360 x 640; failures (no network, a lost
cookie, a second tab) are real. FOLDER is docs/images/student by default. The program takes the
pictures that the page shows; with --all, every state in every look and both languages. The kinds of
puzzles depend on chance. A picture shows at most two screens of a phone, or one of a desktop. Takes
about two minutes.
"""

from __future__ import annotations

import argparse
import base64
import re
import sys
import tempfile
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

from bench.pages.looks import Scheme
from bench.pages.served import PHONE, chromium
from bench.service import running

if TYPE_CHECKING:
    from playwright.sync_api import Page, ViewportSize

ROOT = Path(__file__).resolve().parents[2]
PICTURES = ROOT / "docs" / "images" / "student"
SHOWN = re.compile(r"images/student/([\w-]+)\.webp")
MOST_BYTES = 28_000
SCALE, QUALITY = 0.75, 30
LANGUAGES = ("en", "hi")
DESKTOP: ViewportSize = {"width": 1100, "height": 800}
MOST_HEIGHT = {360: 1120, 1100: 800}
LOOKS: dict[str, tuple[ViewportSize, Scheme]] = {
    "": (PHONE, "light"),
    "-dark": (PHONE, "dark"),
    "-desktop": (DESKTOP, "light"),
    "-desktop-dark": (DESKTOP, "dark"),
}
# The script offers the number keys only if there is a mouse, but the students have a phone.
SHOW_KEYS = "isShown => document.querySelectorAll('.keys').forEach(e => { e.hidden = !isShown; })"
LENGTH = "document.documentElement.scrollHeight"


@dataclass
class Photographer:
    """Takes the wanted pictures, and remembers them."""

    folder: Path
    language: str
    all_of_them: bool
    shown: frozenset[str]
    taken: list[Path] = field(default_factory=list)

    def take(self, page: Page, state: str, top: float = 0) -> None:
        """Photograph the open page from `top` px on, in every wanted look."""
        tongue = "" if self.language == "en" else f"-{self.language}"
        for look, (size, scheme) in LOOKS.items():
            name = f"{state}{look}{tongue}"
            wanted = name in self.shown or self.all_of_them
            if wanted and self.folder / f"{name}.webp" not in self.taken:
                page.set_viewport_size(size)
                page.emulate_media(color_scheme=scheme, reduced_motion="reduce")
                page.evaluate(SHOW_KEYS, size == DESKTOP)
                self._write(page, name, size["width"], top if size == PHONE else 0)
        page.set_viewport_size(PHONE)
        page.emulate_media(color_scheme="light")
        page.evaluate(SHOW_KEYS, False)

    def _write(self, page: Page, name: str, width: int, top: float) -> None:
        """Write the picture as WebP, which Playwright's own function does not support."""
        height = min(page.evaluate(LENGTH) - top, MOST_HEIGHT[width])
        clip = {"x": 0, "y": top, "width": width, "height": height, "scale": SCALE}
        browser = page.context.new_cdp_session(page)
        shot = browser.send(
            "Page.captureScreenshot",
            {"format": "webp", "quality": QUALITY, "clip": clip, "captureBeyondViewport": True},
        )
        browser.detach()
        path = self.folder / f"{name}.webp"
        path.write_bytes(base64.b64decode(shot["data"]))
        self.taken.append(path)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("folder", type=Path, nargs="?", default=PICTURES)
    parser.add_argument("--all", action="store_true", help="every state in every look")
    arguments = parser.parse_args()
    shown = frozenset(SHOWN.findall((ROOT / "docs" / "student-pages.md").read_text()))
    arguments.folder.mkdir(parents=True, exist_ok=True)
    taken: list[Path] = []
    from bench.pages.tour import Tour

    with (
        tempfile.TemporaryDirectory() as scratch,
        running(Path(scratch)) as service,
        chromium() as browser,
    ):
        for language in LANGUAGES if arguments.all else LANGUAGES[:1]:
            photographer = Photographer(arguments.folder, language, arguments.all, shown)
            Tour(service, browser, language, photographer.take).go()
            taken += photographer.taken
    return report(arguments.folder, taken)


def report(folder: Path, taken: Sequence[Path]) -> int:
    """Print the number of pictures, the too large ones, and those left from an earlier run."""
    sizes = {path: path.stat().st_size for path in taken}
    for path, size in sizes.items():
        if size > MOST_BYTES:
            print(f"{path.name}: {size} bytes")
    for path in sorted(set(folder.glob("*.webp")) - set(taken)):
        print(f"{path.name}: not taken this time")
    print(f"{len(taken)} pictures in {folder}, {sum(sizes.values())} bytes")
    return 0


if __name__ == "__main__":
    sys.exit(main())
