"""What must be nowhere once it was handed out: token secrets and link tokens of a whole run."""

from __future__ import annotations

import re
from pathlib import Path

from tokens import crypto

_LINK = re.compile(r"[?&]token=([A-Za-z0-9_-]{43})")
_handed_out: set[str] = set()


def remember(text: str) -> str:
    """Note the secrets and link tokens in what somebody was given; return it unchanged."""
    _handed_out.update(crypto.SECRET.findall(text), _LINK.findall(text))
    return text


def leaks(text: str) -> list[str]:
    """Return what stands in the text and should not: anything handed out, or shaped like it."""
    shaped = {*crypto.SECRET.findall(text), *_LINK.findall(text)}
    return sorted(shaped | {secret for secret in _handed_out if secret in text})


def command_lines(pid: int) -> list[str]:
    """Return how a process and all that it has started appear in the list of processes."""
    folder = Path("/proc") / str(pid)
    try:
        own = (folder / "cmdline").read_bytes().replace(b"\0", b" ").decode(errors="replace")
        children = (folder / "task" / str(pid) / "children").read_text().split()
    except (FileNotFoundError, ProcessLookupError):  # it has just ended
        return []
    return [own, *(line for child in children for line in command_lines(int(child)))]
