"""The folder that gunicorn's workers count in: one a server, and none left by the dead."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from config import metric_files
from tests.support.server import ROOT

SERVER = """
import os, sys
from pathlib import Path
from config import metric_files

metric_files._MEMORY = Path(sys.argv[1])
metric_files.make()
print(os.environ[metric_files.VARIABLE], flush=True)
sys.stdin.read()
metric_files.remove()
"""


class Server:
    """A process that has made the folder, and ends when it is told to."""

    def __init__(self, parent: Path) -> None:
        self.process = subprocess.Popen(
            [sys.executable, "-c", SERVER, str(parent)],
            cwd=ROOT,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )
        assert self.process.stdout is not None
        self.folder = Path(self.process.stdout.readline().strip())

    def stop(self) -> None:
        self.process.communicate(timeout=10)

    def kill(self) -> None:
        self.process.kill()
        self.process.communicate(timeout=10)


def test_a_folder_is_removed_by_its_server_and_a_killed_ones_by_the_next(tmp_path: Path) -> None:
    living, killed = Server(tmp_path), Server(tmp_path)
    (killed.folder / "counter_0.db").touch()
    killed.kill()
    assert killed.folder.exists()

    following = Server(tmp_path)

    assert sorted(tmp_path.iterdir()) == sorted([living.folder, following.folder])
    living.stop()
    following.stop()
    assert list(tmp_path.iterdir()) == []


def test_a_folder_is_for_nobody_else(tmp_path: Path) -> None:
    server = Server(tmp_path)

    mode = server.folder.stat().st_mode & 0o777
    server.stop()

    assert mode == 0o700


@pytest.mark.parametrize(("taken", "free"), [([], 0), ([0], 1), ([1], 0), ([0, 1], 2), ([2, 0], 1)])
def test_a_worker_gets_the_lowest_number_that_is_free(taken: list[int], free: int) -> None:
    assert metric_files.free_number(taken) == free
