"""A chromium with a profile on disk: what it keeps over a crash, and one without cookies."""

from __future__ import annotations

import json
import os
import signal
import time
from pathlib import Path
from typing import TYPE_CHECKING, Any

from tests.conftest import CHROMIUM

if TYPE_CHECKING:
    from playwright.sync_api import BrowserContext, BrowserType

BLOCK = 2  # a content setting of chromium's preferences
# Chromium writes its cookies to disk every 30 seconds, or after 512 changes.
CHANGES_UNTIL_WRITTEN = 520


def open_profile(chromium: BrowserType, folder: Path) -> BrowserContext:
    """Start chromium on a profile that outlives it."""
    return chromium.launch_persistent_context(
        folder, executable_path=CHROMIUM, args=["--no-sandbox", "--disable-gpu", "--no-first-run"]
    )


def block_cookies(folder: Path) -> None:
    """Make a profile whose owner has switched cookies off."""
    preferences = {"profile": {"default_content_setting_values": {"cookies": BLOCK}}}
    (folder / "Default").mkdir(parents=True)
    (folder / "Default" / "Preferences").write_text(json.dumps(preferences))


def let_cookies_reach_the_disk(context: BrowserContext, folder: Path, name: str) -> None:
    """Do what half a minute would do, and return when the cookie is in the profile."""
    noise: list[Any] = [
        {"name": "n", "value": "1", "url": f"http://site-{number}.example/", "expires": 2e9}
        for number in range(CHANGES_UNTIL_WRITTEN)
    ]
    context.add_cookies(noise)
    end = time.monotonic() + 20
    while not _is_on_disk(folder / "Default", name):
        assert time.monotonic() < end, f"no cookie {name} in the profile"
        time.sleep(0.05)


def _is_on_disk(profile: Path, name: str) -> bool:
    # Chromium holds its lock on the file, so we look for the row's bytes: host, then name.
    stored = list(profile.rglob("Cookies"))
    unfinished = [journal for journal in profile.rglob("Cookies-journal") if journal.stat().st_size]
    row = f"127.0.0.1{name}".encode()
    return not unfinished and any(row in file.read_bytes() for file in stored)


def kill(folder: Path) -> None:
    """End the chromium of this profile as a crash does."""
    for process in Path("/proc").glob("[0-9]*"):
        try:
            arguments = (process / "cmdline").read_bytes().split(b"\0")
        except OSError:
            continue
        if f"--user-data-dir={folder}".encode() in arguments and not any(
            argument.startswith(b"--type=") for argument in arguments
        ):
            os.kill(int(process.name), signal.SIGKILL)
            return
    raise AssertionError("that chromium is not running")
