"""Reads a gettext catalogue, as far as the one of this project goes."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

_KEYWORD = re.compile(r'(msgid|msgid_plural|msgstr(?:\[\d\])?) (".*")')


@dataclass(frozen=True)
class Entry:
    """A text of the pages: where it stands, its English and its translated forms.

    A text with a number in it has two English forms, all others have one.
    """

    files: tuple[str, ...]
    flags: frozenset[str]
    english: tuple[str, ...]
    translated: tuple[str, ...]


def entries(file: Path) -> list[Entry]:
    """Return the catalogue's entries in their order, without its header; obsolete ones too."""
    found = [_entry(block) for block in file.read_text(encoding="utf-8").strip().split("\n\n")]
    return [entry for entry in found if entry.english != ("",)]


def _entry(block: str) -> Entry:
    lines = block.splitlines()
    obsolete = {"obsolete"} if any(line.startswith("#~") for line in lines) else set()
    flags = {flag for line in _comments(lines, "#,") for flag in line.split(", ")}
    texts: dict[str, str] = {}
    keyword = ""
    for line in lines:
        text = line.removeprefix("#~ ")
        if match := _KEYWORD.fullmatch(text):
            keyword = match[1]
            texts[keyword] = ast.literal_eval(match[2])
        elif text.startswith('"'):
            texts[keyword] += ast.literal_eval(text)
    return Entry(
        files=tuple(file for line in _comments(lines, "#:") for file in line.split()),
        flags=frozenset(flags | obsolete),
        english=tuple(text for keyword, text in texts.items() if keyword.startswith("msgid")),
        translated=tuple(text for keyword, text in texts.items() if keyword.startswith("msgstr")),
    )


def _comments(lines: list[str], mark: str) -> Iterator[str]:
    return (line.removeprefix(mark).strip() for line in lines if line.startswith(mark))
