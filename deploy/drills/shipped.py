"""Read the files of deploy/ with the ports and folders of this run."""

from __future__ import annotations

import os
import re
import secrets
import shlex
import shutil
from collections.abc import Iterable, Mapping
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
DEPLOY = ROOT / "deploy"
POSTGRESQL = Path("/usr/lib/postgresql/15/bin")  # Debian 12's, as in production
PATRONI = Path("/opt/patroni/bin")  # as docs/cluster.md installs it
PASSWORDS = {
    name: secrets.token_hex(16) for name in ("web", "commands", "standby", "rewind", "console")
}


def shipped(name: str, changes: Mapping[str, str]) -> str:
    """Return a file's text with words replaced. Raise ValueError if it lacks one of them."""
    text = (DEPLOY / name).read_text()
    for word, replacement in changes.items():
        if word not in text:
            raise ValueError(f"deploy/{name} no longer has {word!r}")
        text = text.replace(word, replacement)
    return text


def environment(name: str, changes: Mapping[str, str]) -> dict[str, str]:
    """Return the settings of an EnvironmentFile."""
    lines = shipped(name, changes).splitlines()
    return dict(line.split("=", 1) for line in lines if line and not line.startswith("#"))


def commands(unit: str, key: str, changes: Mapping[str, str]) -> list[list[str]]:
    """Return the commands of a unit under a key such as ExecStart."""
    found = re.findall(rf"^{key}=(.*)$", shipped(f"systemd/{unit}", changes), re.MULTILINE)
    if not found:
        raise ValueError(f"deploy/systemd/{unit} has no {key}")
    return [shlex.split(line) for line in found]


def variables(unit: str) -> dict[str, str]:
    """Return the variables that a unit sets."""
    text = shipped(f"systemd/{unit}", {})
    lines = re.findall(r"^Environment=(.*)$", text, re.MULTILINE)
    return dict(word.split("=", 1) for line in lines for word in shlex.split(line))


def missing_programs(needed: Iterable[tuple[str, str]]) -> str:
    """Name the missing programs and how to install them; "" if none is missing."""
    path = os.pathsep.join([os.environ["PATH"], str(POSTGRESQL), str(PATRONI)])
    packages = [package for program, package in needed if shutil.which(program, path=path) is None]
    return f"needs: apt-get install {' '.join(packages)}" if packages else ""
