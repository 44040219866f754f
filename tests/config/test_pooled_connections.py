"""DATABASE_POOLED: behind a pooler in transaction mode nothing is left on a connection."""

from __future__ import annotations

import logging
import runpy
from typing import Any

import pytest

from tests.config.test_environment import COMPLETE
from tests.support.server import ROOT


@pytest.mark.parametrize("is_pooled", [True, False])
def test_nothing_outlives_a_transaction_only_where_there_is_a_pooler(
    is_pooled: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name, value in COMPLETE.items():
        monkeypatch.setenv(name, value)
    monkeypatch.setenv("DATABASE_POOLED", str(is_pooled).lower())
    # The production settings would turn warnings of the whole run into log lines.
    monkeypatch.setattr(logging, "captureWarnings", lambda capture: None)

    settings: dict[str, Any] = runpy.run_path(str(ROOT / "config" / "settings.py"))

    database = settings["DATABASES"]["default"]
    assert database["DISABLE_SERVER_SIDE_CURSORS"] is is_pooled
    assert (database["OPTIONS"]["prepare_threshold"] is None) is is_pooled
