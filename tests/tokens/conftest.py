from __future__ import annotations

import pytest
from django.core.cache import caches


@pytest.fixture(autouse=True)
def no_counts() -> None:
    """Let no test inherit what another has counted."""
    caches["limits"].clear()
