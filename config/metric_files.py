"""The folder of metric files, a set for each process, kept when it ends: no count is lost."""

import fcntl
import os
import shutil
import tempfile
from pathlib import Path

VARIABLE = "PROMETHEUS_MULTIPROC_DIR"
_PREFIX = "assess-metrics-"
# In memory, because a write to a disk may block.
_MEMORY = Path("/dev/shm")  # noqa: S108 - mkdtemp makes a folder there that is ours alone

_folder: Path | None = None


def make() -> None:
    """Create this gunicorn's folder, and remove those of killed ones. A HUP keeps the folder."""
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
    os.environ[VARIABLE] = str(_folder)  # read when prometheus_client is imported


def remove() -> None:
    if _folder is not None:
        shutil.rmtree(_folder, ignore_errors=True)


def _remove_unless_held(folder: Path) -> None:
    """Remove a folder that no living process has locked and no other user owns."""
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
