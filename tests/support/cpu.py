"""CPU time of a process and its descendants, from /proc."""

import os
from pathlib import Path

TICKS = os.sysconf("SC_CLK_TCK")  # a second


def seconds(root):
    """Return the CPU seconds of a process, its descendants, and ended ones it has waited for."""
    return sum(_ticks(pid) for pid in [root, *descendants(root)]) / TICKS


def descendants(root):
    children = {}
    for folder in Path("/proc").iterdir():
        if folder.name.isdigit() and (fields := _fields(int(folder.name))):
            children.setdefault(int(fields[1]), []).append(int(folder.name))
    found, to_visit = [], [root]
    while to_visit:
        below = children.get(to_visit.pop(), [])
        found += below
        to_visit += below
    return found


def resident_bytes(pid):
    """Return the resident memory of a process, including what it shares."""
    pages = int((Path("/proc") / str(pid) / "statm").read_text().split()[1])
    return pages * os.sysconf("SC_PAGE_SIZE")


def _ticks(pid):
    fields = _fields(pid)
    return sum(int(value) for value in fields[11:15]) if fields else 0


def _fields(pid):
    """Return the fields of /proc/<pid>/stat from the state on; none if the process is gone."""
    try:
        stat = (Path("/proc") / str(pid) / "stat").read_text()
    except (FileNotFoundError, ProcessLookupError):
        return []
    # The name is in brackets and may contain brackets and spaces.
    return stat.rpartition(")")[2].split()
