"""deploy/move-database: PgBouncer is pointed at a primary, and at nothing else."""

from __future__ import annotations

import os
import shutil
import subprocess
from pathlib import Path

import pytest

DEPLOY = Path(__file__).resolve().parents[2] / "deploy"
# Stands in for psql: notes how it was called; the server's state is in a file.
PSQL = """#!/usr/bin/env bash
echo "$*" >>"$HERE/calls"
case "$*" in
  *6432*) [ ! -e "$HERE/no-console" ];;
  *) cat "$HERE/is-standby";;
esac
"""


def move(folder: Path) -> subprocess.CompletedProcess[str]:
    (folder / "psql").write_text(PSQL)
    (folder / "psql").chmod(0o755)
    shutil.copy(DEPLOY / "pgbouncer.ini", folder)
    own = {
        "PATH": f"{folder}:{os.environ['PATH']}",
        "HERE": str(folder),
        "PGBOUNCER_INI": str(folder / "pgbouncer.ini"),
    }
    return subprocess.run(
        [str(DEPLOY / "move-database"), "10.0.0.22", "5433"],
        env=own,
        capture_output=True,
        text=True,
        timeout=30,
    )


def test_the_pooler_is_moved_to_a_primary(tmp_path: Path) -> None:
    (tmp_path / "is-standby").write_text("f\n")

    done = move(tmp_path)

    assert done.returncode == 0, done.stderr
    before = (DEPLOY / "pgbouncer.ini").read_text().splitlines()
    after = (tmp_path / "pgbouncer.ini").read_text().splitlines()
    [(old, new)] = [pair for pair in zip(before, after, strict=True) if pair[0] != pair[1]]
    assert old.startswith("assess = ")
    assert new == "assess = host=10.0.0.22 port=5433 dbname=assess"
    asked, tried, told = (tmp_path / "calls").read_text().splitlines()
    assert "host=10.0.0.22 port=5433" in asked
    assert "port=6432" in tried
    assert "port=6432" in told
    assert told.endswith("-c RELOAD")


@pytest.mark.parametrize("state", ["t", ""], ids=["a standby", "no answer"])
def test_it_is_not_moved_to_anything_else(state: str, tmp_path: Path) -> None:
    (tmp_path / "is-standby").write_text(state)

    done = move(tmp_path)

    assert done.returncode == 1
    assert "promote it first" in done.stderr
    assert (tmp_path / "pgbouncer.ini").read_text() == (DEPLOY / "pgbouncer.ini").read_text()
    assert len((tmp_path / "calls").read_text().splitlines()) == 1


def test_it_changes_nothing_that_it_could_not_make_known(tmp_path: Path) -> None:
    (tmp_path / "is-standby").write_text("f\n")
    (tmp_path / "no-console").touch()

    done = move(tmp_path)

    assert done.returncode == 1
    assert "console" in done.stderr
    assert (tmp_path / "pgbouncer.ini").read_text() == (DEPLOY / "pgbouncer.ini").read_text()
