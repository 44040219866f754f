#!/usr/bin/env python3
"""Install each requirements file in an empty environment, by the command of its page.

requirements-dev.txt is left out: `.ci/run` itself runs on it. What was installed before, with this
Python, this command and these files, is not installed again.
"""

from __future__ import annotations

import hashlib
import os
import re
import shutil
import subprocess
import sys
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


def stamp(asked: list[list[str]]) -> str:
    files = "".join(Path(words[-1]).read_text(encoding="utf-8") for words in asked)
    return hashlib.sha256(f"{sys.version}{asked}{files}".encode()).hexdigest()


def main() -> None:
    files = {each.name for each in ROOT.glob("requirements*.txt")}
    if files != {*PAGES, PIP, "requirements-dev.txt"}:
        sys.exit(f"{Path(__file__).name} must name the page of each of {sorted(files)}.")
    folder = ROOT / "var" / "installs"
    environment = folder / "environment"
    folder.mkdir(parents=True, exist_ok=True)
    # The installed files are not run, so they need not be compiled.
    settings = {**os.environ, "PIP_NO_COMPILE": "1", "PIP_DISABLE_PIP_VERSION_CHECK": "1"}
    for file in PAGES:
        asked = commands(file)
        done = folder / f"{file}.{stamp(asked)}"
        if done.exists():
            continue
        start = time.monotonic()
        subprocess.run([sys.executable, "-m", "venv", "--clear", environment], check=True)
        for words in asked:
            subprocess.run(
                [environment / "bin" / "pip", *words, "-q"], check=True, env=settings, timeout=300
            )
        done.touch()
        print(f"{file}: {time.monotonic() - start:.0f} s", flush=True)
    shutil.rmtree(environment, ignore_errors=True)


if __name__ == "__main__":
    main()
