"""Search for leaked secrets: no token secret, link token or key of a run may appear anywhere."""

import contextlib
import re
from pathlib import Path

from tests.support import cpu
from tokens import crypto

_LINK = re.compile(r"[?&](?:token|key)=([A-Za-z0-9_-]{22})")
_handed_out = set()


def remember(text):
    """Record the secrets, link tokens and keys in an output; return it unchanged."""
    _handed_out.update(crypto.SECRET.findall(text), _LINK.findall(text))
    return text


def leaks(text):
    """Return the secrets in the text: recorded ones, and anything shaped like one."""
    shaped = {*crypto.SECRET.findall(text), *_LINK.findall(text)}
    return sorted(shaped | {secret for secret in _handed_out if secret in text})


def command_lines(pid):
    """Return the command lines of a process and its descendants."""
    found = []
    for each in (pid, *cpu.descendants(pid)):
        with contextlib.suppress(FileNotFoundError, ProcessLookupError):  # it has just ended
            text = (Path("/proc") / str(each) / "cmdline").read_bytes()
            found.append(text.replace(b"\0", b" ").decode(errors="replace"))
    return found
