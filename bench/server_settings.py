"""Settings of a running PostgreSQL, for a while."""

from __future__ import annotations

import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager

from tests.support.cluster import Cluster

UNTIL_READ = 0.3  # seconds, in which every process takes a reload in


@contextmanager
def altered(cluster: Cluster, settings: Mapping[str, str]) -> Iterator[None]:
    """Let the server run with these settings, those that need no restart."""
    for name, value in settings.items():
        cluster.execute(f"ALTER SYSTEM SET {name} = '{value}'")
    _reload(cluster)
    try:
        yield
    finally:
        for name in settings:
            cluster.execute(f"ALTER SYSTEM RESET {name}")
        _reload(cluster)


def _reload(cluster: Cluster) -> None:
    cluster.execute("SELECT pg_reload_conf()")
    time.sleep(UNTIL_READ)
