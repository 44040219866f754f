"""The metric files of gunicorn's workers, which a scrape adds up.

Files are named by worker number, not process id, so the worker that replaces a dead one continues
in its files. No count is lost, and the number of files is bounded by the number of workers.
"""

from __future__ import annotations

import fcntl
import itertools
import os
import shutil
import tempfile
from collections.abc import Iterable
from pathlib import Path

from prometheus_client import values

VARIABLE = "PROMETHEUS_MULTIPROC_DIR"
_PREFIX = "assess-metrics-"
# In memory, because a write to a disk may block.
_MEMORY = Path("/dev/shm")  # noqa: S108 - mkdtemp makes a folder there that is ours alone

_folder: Path | None = None
# This process's worker number. gunicorn's master process counts nothing.
_number: int | str = "master"


def make() -> None:
    """Create a folder for this gunicorn's workers, and remove folders of killed ones.

    Call it before any metric exists. A HUP reads gunicorn's settings again; the folder stays. What
    `gunicorn --check-config` makes, the next start removes.
    """
    global _folder
    if _folder:
        return
    parent = _MEMORY if os.access(_MEMORY, os.W_OK) else Path(tempfile.gettempdir())
    for left in parent.glob(f"{_PREFIX}*"):
        _remove_unless_held(left)
    while _folder is None:
        made = Path(tempfile.mkdtemp(prefix=_PREFIX, dir=parent))
        # Kept open and locked until the last process of this gunicorn has ended.
        fcntl.flock(os.open(made, os.O_RDONLY), fcntl.LOCK_EX)
        # Another gunicorn that is starting may have removed it before it was locked.
        if made.exists():
            _folder = made
    os.environ[VARIABLE] = str(_folder)
    values.ValueClass = values.MultiProcessValue(process_identifier=lambda: _number)


def free_number(taken: Iterable[int]) -> int:
    """Return the lowest number that no living worker has."""
    living = set(taken)
    return next(number for number in itertools.count() if number not in living)


def use(number: int) -> None:
    """Make this process count in the files of a worker number, or in memory without a folder."""
    global _number
    _number = number


def remove() -> None:
    if _folder is not None:
        shutil.rmtree(_folder, ignore_errors=True)


def _remove_unless_held(folder: Path) -> None:
    """Remove a folder that no living process has locked, unless another user owns it."""
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
