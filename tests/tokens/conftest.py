from __future__ import annotations

import pytest
from django.core.cache import caches

from tokens import limit_store


@pytest.fixture(autouse=True)
def no_counts() -> None:
    """Let no test inherit what another has counted."""
    caches["limits"].clear()


@pytest.fixture
def fresh_stores(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let no test inherit what another has found out about a Redis."""
    monkeypatch.setattr(limit_store, "_redis_counters", {})
