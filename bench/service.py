"""Run the service for a benchmark of its pages."""

from __future__ import annotations

import contextlib
import os
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from tests.support.server import Service


@contextlib.contextmanager
def running(folder: Path, **settings: str) -> Iterator[Service]:
    """Run the service with the shipped item bank, on an SQLite file in a new folder."""
    folder.mkdir(exist_ok=True)
    os.environ |= {
        "MODE": "test",
        "DJANGO_SETTINGS_MODULE": "config.settings",
        "DATABASE_URL": f"sqlite:///{folder}/unused.sqlite3",
    }
    os.environ.setdefault("TESTS_STATIC_ROOT", str(folder / "static"))
    from tests.support.server import Service  # it needs the environment

    service = Service("sqlite", folder, **settings)
    try:
        service.prepare()
        service.manage("load_items", "--make-current")
        service.start()
        yield service
    finally:
        service.close()
