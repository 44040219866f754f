#!/usr/bin/env python3
"""Resolve each requirements file for an empty environment, by the command of its page.

pip fetches every file, checks its hash, builds what has no wheel and resolves the dependencies, but
unpacks nothing, which would take seven times as long. requirements-dev.txt is left out: `.ci/run`
itself runs on it.
"""

from __future__ import annotations

import re
import subprocess
import sys
import tempfile
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
PIP = "requirements-pip.txt"  # where a page names it, it comes first
PAGES = {
    "requirements.txt": "docs/one-machine.md",
    "requirements-test.txt": "README.md",
    "requirements-bench.txt": "bench/measurement/__main__.py",
    "requirements-lab.txt": "lab/README.md",
    "requirements-cluster.txt": "docs/cluster.md",
    "requirements-engines.txt": "CONTRIBUTING.md",
}
AS_IF_EMPTY = ["--dry-run", "--ignore-installed", "--disable-pip-version-check"]
COMMAND = re.compile(r"\S+/bin/pip install ((?:[^\n\\]|\\\n)*?)-r \S*?(requirements[a-z-]*\.txt)")


def commands(file: str) -> list[list[str]]:
    """Return pip's arguments, as the page of a file gives them."""
    found = COMMAND.findall((ROOT / PAGES[file]).read_text(encoding="utf-8"))
    if file not in [name for _, name in found]:
        sys.exit(f"{PAGES[file]} does not say how to install {file}.")
    return [
        ["install", *options.replace("\\\n", " ").split(), "-r", str(ROOT / name)]
        for options, name in found
        if name in (file, PIP)
    ]


def main() -> None:
    files = {each.name for each in ROOT.glob("requirements*.txt")}
    if files != {*PAGES, PIP, "requirements-dev.txt"}:
        sys.exit(f"{Path(__file__).name} must name the page of each of {sorted(files)}.")
    # Some pages install pip first: its newest pinned version resolves them all.
    first = next(words for file in PAGES for words in commands(file) if words[-1].endswith(PIP))
    with tempfile.TemporaryDirectory() as environment:
        subprocess.run([sys.executable, "-m", "venv", environment], check=True)
        pip = Path(environment) / "bin" / "pip"
        subprocess.run([pip, *first, "-q"], check=True, timeout=300)
        for file in PAGES:
            start = time.monotonic()
            subprocess.run([pip, *commands(file)[-1], *AS_IF_EMPTY, "-q"], check=True, timeout=300)
            print(f"{file}: {time.monotonic() - start:.0f} s", flush=True)


if __name__ == "__main__":
    main()
