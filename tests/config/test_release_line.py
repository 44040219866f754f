"""The release line gives up on a lock before the callers do, and lets an index take its time."""

from __future__ import annotations

import re
import threading

import pytest
from django.db import connection

from tests.support.server import ROOT

OPTIONS = re.compile(r'PGOPTIONS="([^"]+)" python manage\.py migrate ')
SETTINGS = ("lock_timeout", "statement_timeout")


def release_options() -> str:
    found = OPTIONS.search((ROOT / "Procfile").read_text())
    assert found
    return found[1]


@pytest.mark.django_db
def test_its_options_reach_the_connection(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PGOPTIONS", release_options())
    found: dict[str, str] = {}

    def look() -> None:
        # A thread's connection is its own, and begins here.
        try:
            for setting in SETTINGS:
                with connection.cursor() as cursor:
                    cursor.execute(f"SHOW {setting}")
                    found[setting] = cursor.fetchone()[0]
        finally:
            connection.close()

    looking = threading.Thread(target=look)
    looking.start()
    looking.join()

    assert found == {"lock_timeout": "500ms", "statement_timeout": "0"}


def test_the_unit_of_the_release_has_the_same() -> None:
    unit = (ROOT / "deploy" / "systemd" / "assess-release.service").read_text()

    assert f'Environment="PGOPTIONS={release_options()}"' in unit
