"""Somebody who does what docs/support-runbook.md says, word for word, and counts what it takes."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING

from tests.support.server import ROOT

if TYPE_CHECKING:
    from playwright.sync_api import Locator, Page

RUNBOOK = ROOT / "docs" / "support-runbook.md"

# What stands in backticks is typed; what stands there in angle brackets is the case's own.
_OPEN = re.compile(r"Open the start page\b")
_PRESS = re.compile(r"Press \*\*(.+?)\*\*")
_TYPE = re.compile(r"(?:Type|Paste) `(.+?)` into \*\*(.+?)\*\*")
_FILE = re.compile(r"Choose the file `(.+?)` in \*\*(.+?)\*\*")
_CHOOSE = re.compile(r"Choose `(.+?)` in \*\*(.+?)\*\*")
_READ = re.compile(r"Read “(.+?)”")


def steps(case: str) -> list[str]:
    """Return the numbered lines below the heading of a case. Raise ValueError if there are none."""
    _, found, after = RUNBOOK.read_text().partition(f"\n## {case}\n")
    section = after.partition("\n## ")[0]
    lines = re.findall(r"^\d+\. (.+(?:\n   .+)*)", section, re.MULTILINE)
    if not found or not lines:
        raise ValueError(f"The runbook has no case “{case}”.")
    return [re.sub(r"\s+", " ", line) for line in lines]


class Support:
    """A member of staff at a browser who is signed in. Counts clicks and page loads."""

    def __init__(self, page: Page, start: str, values: Mapping[str, str]) -> None:
        self.page = page
        self.start = start
        self.values = values
        self.clicks = 0
        self.loads = 0
        page.on("framenavigated", lambda frame: self._note_load(frame == page.main_frame))

    def follow(self, case: str) -> None:
        """Do the steps of a case, one after the other. Raise AssertionError where one fails."""
        for step in steps(case):
            try:
                self._do(step)
            except Exception as error:
                raise AssertionError(
                    f"“{step}” failed at {self.page.url}:\n{error}\n\n"
                    f"{self.page.locator('#container').inner_text()}"
                ) from error

    @property
    def effort(self) -> int:
        """Clicks and page loads so far; a field that is typed into counts as one click."""
        return self.clicks + self.loads

    def _do(self, step: str) -> None:
        acts: list[tuple[re.Pattern[str], Callable[..., None]]] = [
            (_OPEN, self._open),
            (_FILE, self._file),
            (_TYPE, self._type),
            (_CHOOSE, self._choose),
            (_PRESS, self._press),
            (_READ, self._read),
        ]
        for pattern, act in acts:
            if found := pattern.match(step):
                act(*found.groups())
                return
        raise ValueError("a step that nobody can follow")

    def _open(self) -> None:
        self.page.goto(self.start)

    def _press(self, name: str) -> None:
        self.clicks += 1
        button = self.page.get_by_role("button", name=name, exact=True)
        link = self.page.get_by_role("link", name=name, exact=True)
        button.or_(link).first.click()
        self.page.wait_for_load_state()

    def _type(self, value: str, label: str) -> None:
        self.clicks += 1
        self._field(label).fill(self._meant(value))

    def _choose(self, value: str, label: str) -> None:
        self.clicks += 1
        self._field(label).select_option(label=self._meant(value))

    def _file(self, value: str, label: str) -> None:
        self.clicks += 1
        self._field(label).set_input_files(self._meant(value))

    def _read(self, text: str) -> None:
        shown = re.sub(r"\s+", " ", self.page.locator("#container").inner_text())
        assert re.sub(r"\s+", " ", text) in shown

    def _field(self, label: str) -> Locator:
        return self.page.get_by_label(re.compile(rf"^\s*{re.escape(label)}:?\s*$"))

    def _meant(self, value: str) -> str:
        return self.values[value[1:-1]] if value.startswith("<") else value

    def _note_load(self, is_main: bool) -> None:
        self.loads += is_main
