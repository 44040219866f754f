"""The files in which gunicorn's workers count; a scrape adds them up.

A worker counts in files that bear its number, not its process id: the worker that replaces a dead
one goes on in them. So a death loses no count, and there are never more files than there were
workers at once.
"""

from __future__ import annotations

import fcntl
import itertools
import os
import shutil
import tempfile
from collections.abc import Iterable
from pathlib import Path

VARIABLE = "PROMETHEUS_MULTIPROC_DIR"
_PREFIX = "assess-metrics-"
# In memory, as a write to a file on a disk may wait for that disk.
_MEMORY = Path("/dev/shm")  # noqa: S108 - mkdtemp makes a folder there that is ours alone

_folder: Path | None = None


def make() -> None:
    """Make an empty folder for the workers of this gunicorn; remove what killed ones have left."""
    global _folder
    parent = _MEMORY if os.access(_MEMORY, os.W_OK) else Path(tempfile.gettempdir())
    for left in parent.glob(f"{_PREFIX}*"):
        _remove_unless_held(left)
    while _folder is None:
        made = Path(tempfile.mkdtemp(prefix=_PREFIX, dir=parent))
        # Held open, and locked, until the last process of this gunicorn has ended.
        fcntl.flock(os.open(made, os.O_RDONLY), fcntl.LOCK_EX)
        # Another gunicorn, which starts as well, may have taken it for left before it was locked.
        if made.exists():
            _folder = made
    os.environ[VARIABLE] = str(_folder)


def free_number(taken: Iterable[int]) -> int:
    """Return the lowest number that no living worker has."""
    living = set(taken)
    return next(number for number in itertools.count() if number not in living)


def use(number: int) -> None:
    """Let this process count in the files of a number, before anything to count with is made.

    Without a folder it counts in its own memory.
    """
    if _folder is None:
        return
    # Imported here, as the first process of gunicorn does without it.
    from prometheus_client import values

    values.ValueClass = values.MultiProcessValue(process_identifier=lambda: number)


def remove() -> None:
    """Remove the folder, when gunicorn has ended."""
    if _folder is not None:
        shutil.rmtree(_folder, ignore_errors=True)


def _remove_unless_held(folder: Path) -> None:
    """Remove a folder that no living process holds; one of another user stays."""
    try:
        handle = os.open(folder, os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW)
    except OSError:
        return
    try:
        fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
        shutil.rmtree(folder, ignore_errors=True)
    except BlockingIOError:
        pass
    finally:
        os.close(handle)
