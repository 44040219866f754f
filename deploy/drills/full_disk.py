"""A disk of a few hundred megabytes for PostgreSQL, to fill up. Needs root and Linux."""

from __future__ import annotations

import contextlib
import os
import subprocess
import tempfile
from collections.abc import Iterator
from pathlib import Path

MEGABYTES = 400
# By default PostgreSQL keeps more of its log than fits on the disk.
SETTINGS = "max_wal_size = 64MB\nmin_wal_size = 32MB"


def is_possible() -> bool:
    """Return whether we can create a disk here."""
    return os.geteuid() == 0 and Path("/proc/mounts").exists()


@contextlib.contextmanager
def small_disk() -> Iterator[Path]:
    """Put all temporary files, also those of a Stack, on a small disk in memory."""
    usual = tempfile.tempdir
    with tempfile.TemporaryDirectory(prefix="disk-") as folder:
        options = f"size={MEGABYTES}m,mode=755"
        subprocess.run(["mount", "-t", "tmpfs", "-o", options, "tmpfs", folder], check=True)
        tempfile.tempdir = folder
        try:
            yield Path(folder)
        finally:
            tempfile.tempdir = usual
            subprocess.run(["umount", folder], check=True)


@contextlib.contextmanager
def filled(folder: Path) -> Iterator[None]:
    """Fill the disk of a folder completely."""
    ballast = folder / "ballast"
    try:
        with ballast.open("wb") as file:
            for size in (2**20, 2**12):
                with contextlib.suppress(OSError):
                    while True:
                        os.posix_fallocate(file.fileno(), file.tell(), size)
                        file.seek(size, os.SEEK_CUR)
        yield
    finally:
        ballast.unlink(missing_ok=True)
