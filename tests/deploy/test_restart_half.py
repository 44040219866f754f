"""deploy/restart-half: a half is out of nginx while it restarts, and stays out if it fails."""

from __future__ import annotations

import os
import signal
import subprocess
from dataclasses import dataclass
from pathlib import Path

import pytest

SCRIPT = Path(__file__).resolve().parents[2] / "deploy" / "restart-half"
# Stands in for curl: an address is ready while there is a file of its name.
CURL = '#!/usr/bin/env bash\nfor last; do :; done\n[ -e "$READY/$last" ]\n'


@dataclass
class Halves:
    """Two halves, `mine` and `other`; a file in `ready` says that one answers."""

    folder: Path

    @property
    def marker(self) -> Path:
        return self.folder / "run" / "restarting-first"

    def is_ready(self, name: str) -> None:
        (self.folder / "ready" / name).touch()

    def restart(self, command: str) -> subprocess.CompletedProcess[str]:
        """Restart the first half by a command."""
        own = {
            "PATH": f"{self.folder / 'bin'}:{os.environ['PATH']}",
            "READY": str(self.folder / "ready"),
            "ASSESS_RUN": str(self.folder / "run"),
            "DRAIN": "0",
            "PATIENCE": "0",
            "SETTLE": "0",
        }
        return subprocess.run(
            # A build that runs in the background ignores SIGINT, and so would the script.
            ["env", "--default-signal=INT,TERM", str(SCRIPT), "first", command, "mine", "other"],
            env=own,
            capture_output=True,
            text=True,
            timeout=30,
        )


@pytest.fixture
def halves(tmp_path: Path) -> Halves:
    for name in ("ready", "run", "bin"):
        (tmp_path / name).mkdir()
    curl = tmp_path / "bin" / "curl"
    curl.write_text(CURL)
    curl.chmod(0o755)
    return Halves(tmp_path)


def test_the_half_is_marked_while_it_restarts_and_not_afterwards(halves: Halves) -> None:
    halves.is_ready("other")
    halves.is_ready("mine")

    done = halves.restart(f"ls {halves.marker.parent} > {halves.folder}/seen")

    assert done.returncode == 0, done.stderr
    assert (halves.folder / "seen").read_text() == "restarting-first\n"
    assert not halves.marker.exists()
    assert done.stderr == ""


def test_a_half_that_does_not_become_ready_stays_out(halves: Halves) -> None:
    halves.is_ready("other")

    done = halves.restart("true")

    assert done.returncode == 1
    assert "left out: mine" in done.stderr
    assert halves.marker.exists()


def test_a_half_whose_restart_fails_stays_out(halves: Halves) -> None:
    halves.is_ready("other")
    halves.is_ready("mine")

    done = halves.restart("false")

    assert done.returncode == 1
    assert halves.marker.exists()
    assert f"rm {halves.marker}" in done.stderr


@pytest.mark.parametrize("name", ["INT", "TERM"])
def test_who_breaks_it_off_reads_that_the_half_is_out(halves: Halves, name: str) -> None:
    halves.is_ready("other")
    halves.is_ready("mine")

    done = halves.restart(f"kill -{name} $PPID")

    assert done.returncode == 128 + getattr(signal, f"SIG{name}")
    assert halves.marker.exists()
    assert f"rm {halves.marker}" in done.stderr


@pytest.mark.parametrize("reason", ["not ready", "restarting"])
def test_nothing_is_touched_while_the_other_half_is_away(halves: Halves, reason: str) -> None:
    halves.is_ready("mine")
    if reason == "restarting":
        halves.is_ready("other")
        (halves.marker.parent / "restarting-second").touch()

    done = halves.restart(f"touch {halves.folder}/restarted")

    assert done.returncode == 1
    assert reason in done.stderr
    assert not (halves.folder / "restarted").exists()
    assert not halves.marker.exists()
