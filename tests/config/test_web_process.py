"""What the service loads: nothing that only the lab needs."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
# Every module of the service: models, pages, API, admin and commands.
EVERYTHING = """
import sys
import config.wsgi
from importlib import import_module
from pathlib import Path
from django.urls import get_resolver

get_resolver().url_patterns
for app in ("partners", "tokens", "assessments", "staff", "config"):
    for file in Path(app).rglob("*.py"):
        parts = file.with_suffix("").parts
        import_module(".".join(parts[:-1] if parts[-1] == "__init__" else parts))
print(*sorted({name.partition(".")[0] for name in sys.modules}))
"""


def test_the_service_loads_neither_numpy_nor_the_lab() -> None:
    environment = os.environ | {"MODE": "test", "DJANGO_SETTINGS_MODULE": "config.settings"}

    done = subprocess.run(
        [sys.executable, "-c", EVERYTHING],
        cwd=ROOT,
        env=environment,
        capture_output=True,
        text=True,
        check=True,
    )

    loaded = set(done.stdout.split())
    assert "assessments" in loaded
    assert loaded.isdisjoint({"numpy", "lab"})
