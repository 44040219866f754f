"""CPU time of a process and its descendants, from /proc."""

import os
from pathlib import Path

TICKS = os.sysconf("SC_CLK_TCK")  # a second


def seconds(root):
    """Return the CPU seconds of a process, its descendants, and ended ones it has waited for."""
    fields = (_fields(pid)[11:15] for pid in [root, *descendants(root)])
    return sum(int(ticks) for of_process in fields for ticks in of_process) / TICKS


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


def _fields(pid):
    """Return the fields of /proc/<pid>/stat from the state on; none if the process is gone."""
    try:
        stat = (Path("/proc") / str(pid) / "stat").read_text()
    except (FileNotFoundError, ProcessLookupError):
        return []
    # The name is in brackets and may contain brackets and spaces.
    return stat.rpartition(")")[2].split()
