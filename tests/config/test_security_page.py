"""docs/security.md names a test for what it says: each exists."""

from __future__ import annotations

import re
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
PAGE = (ROOT / "docs" / "security.md").read_text()
CHAPTERS = 17  # of ASVS 5.0


def test_every_test_that_is_named_exists() -> None:
    named = re.findall(r"`(tests/[\w/.]+)[^`]*`", PAGE)

    assert len(named) > 50
    assert [path for path in named if not (ROOT / path).exists()] == []


def test_every_chapter_has_its_row() -> None:
    rows = re.findall(r"^\| V(\d+) ", PAGE, re.MULTILINE)

    assert rows == [str(number) for number in range(1, CHAPTERS + 1)]
