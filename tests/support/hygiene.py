"""What must be nowhere once it was handed out: token secrets and link tokens of a whole run."""

from __future__ import annotations

import re
from pathlib import Path
from typing import TYPE_CHECKING

from tokens import crypto

if TYPE_CHECKING:
    from tests.support.server import Service

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


def check(service: Service) -> None:
    """Raise AssertionError if a secret stands where others read it.

    That is a row of any table, a log of the service, or the command line of one of its processes.
    """
    for table in service.tables():
        assert not leaks(str(service.rows(f'SELECT * FROM "{table}"'))), f"a secret in {table}"
    assert not leaks(service.logs()), "a secret in the log"
    if service.is_running:
        for command_line in command_lines(service.pid):
            assert not leaks(command_line), "a secret in the process list"


def command_lines(pid: int) -> list[str]:
    """Return how a process and all that it has started appear in the list of processes."""
    folder = Path("/proc") / str(pid)
    try:
        own = (folder / "cmdline").read_bytes().replace(b"\0", b" ").decode(errors="replace")
        children = (folder / "task" / str(pid) / "children").read_text().split()
    except (FileNotFoundError, ProcessLookupError):  # it has just ended
        return []
    return [own, *(line for child in children for line in command_lines(int(child)))]
