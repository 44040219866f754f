"""What the web process loads: nothing that only calibration needs."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
EVERYTHING = """
import sys
import config.wsgi
from django.urls import get_resolver

get_resolver().url_patterns
print(*sorted({name.partition(".")[0] for name in sys.modules}))
"""


def test_the_web_process_does_not_load_numpy() -> None:
    environment = os.environ | {"MODE": "test", "DJANGO_SETTINGS_MODULE": "config.settings"}

    done = subprocess.run(
        [sys.executable, "-c", EVERYTHING],
        cwd=ROOT,
        env=environment,
        capture_output=True,
        text=True,
        check=True,
    )

    loaded = done.stdout.split()
    assert "assessments" in loaded
    assert "numpy" not in loaded
