"""deploy/manage hands a command and its arguments to systemd as they were given."""

from __future__ import annotations

import os
import re
import subprocess
from pathlib import Path

DEPLOY = Path(__file__).resolve().parents[2] / "deploy"
# Stands in for systemd-run: prints each argument it was given.
SYSTEMD_RUN = "#!/usr/bin/env bash\nprintf '%s\\n' \"$@\"\n"


def manage(folder: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    (folder / "systemd-run").write_text(SYSTEMD_RUN)
    (folder / "systemd-run").chmod(0o755)
    own = {"PATH": f"{folder}:{os.environ['PATH']}", "SUDO_USER": "asha"}
    return subprocess.run(
        [str(DEPLOY / "manage"), *arguments], env=own, capture_output=True, text=True, timeout=30
    )


def test_arguments_arrive_as_they_are(tmp_path: Path) -> None:
    done = manage(tmp_path, "issue_token", "p-1", "--label", "two words", "--reason", "a $b ${c}")

    assert done.returncode == 0, done.stderr
    given = done.stdout.splitlines()
    # systemd writes $$ back as $.
    end = ["issue_token", "p-1", "--label", "two words", "--reason", "a $$b $${c}"]
    assert given[given.index("manage.py") + 1 :] == end
    assert "--setenv=LOGNAME=asha" in given


def test_it_runs_as_the_units_do(tmp_path: Path) -> None:
    unit = (DEPLOY / "systemd" / "assess-purge.service").read_text()
    given = manage(tmp_path, "purge").stdout.splitlines()

    files = re.findall(r"^EnvironmentFile=.*$", unit, re.MULTILINE)
    assert [f"--property={line}" for line in files] == [
        word for word in given if "EnvironmentFile" in word
    ]
    assert f"--uid={re.search('^User=(.*)$', unit, re.MULTILINE)[1]}" in given  # type: ignore[index]  # else it fails
    start = given.index("manage.py")
    assert f"ExecStart={given[start - 1]} manage.py purge" in unit
