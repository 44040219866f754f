"""What a call asks of PostgreSQL and of Redis, as their own logs and counters say."""

from __future__ import annotations

import re
from collections import Counter
from itertools import islice
from typing import TYPE_CHECKING

import psycopg
import redis

from bench import load
from bench.api_cost import Failed, Side
from bench.server_settings import altered

if TYPE_CHECKING:
    from tests.support.server import Service
    from tests.support.stack import Stack

CALLS = 24
LOGGED = re.compile(r"^(\S*)\|LOG:  (?:statement|execute [^:]*):(.*(?:\n\t.*)*)", re.MULTILINE)
LOGGING = {"log_line_prefix": "%d|", "log_min_messages": "log", "log_statement": "all"}
IS_ON_DISK = "SELECT pg_current_wal_flush_lsn() >= pg_current_wal_insert_lsn()"


def statements(stack: Stack, service: Service, side: Side, name: str) -> list[str]:
    """Return the SQL statements of one call, on a line each: what most of some calls send.

    What is sent only now and then (by a new connection, or once a minute) is not among them.
    """
    # Else one of the calls would note the token's use.
    service.rows("UPDATE tokens_accesstoken SET last_used_at = now()")
    database = service.environment["DATABASE_URL"].rpartition("/")[2]
    log = stack.cluster.folder / "log"
    found: Counter[tuple[str, ...]] = Counter()
    with altered(stack.cluster, LOGGING):
        for call in islice(side.calls(name), CALLS):
            before = log.stat().st_size
            ask(side, call)
            logged = LOGGED.findall(log.read_bytes()[before:].decode())
            found[tuple(" ".join(sql.split()) for source, sql in logged if source == database)] += 1
    [(usual, times)] = found.most_common(1)
    if times <= CALLS / 2:
        raise Failed(f"{side.name}: its calls send one thing and another: {found}")
    return list(usual)


def redis_trips(stack: Stack, side: Side, name: str) -> int:
    """Return how many times Redis is asked something for one call."""
    with redis.Redis.from_url(stack.redis.url) as client:
        before = _reads(client)
        for call in islice(side.calls(name), CALLS):
            ask(side, call)
        # Without the asking here; a new connection of the server's may have introduced itself.
        return round((_reads(client) - before - 1) / CALLS)


def on_disk(service: Service, side: Side, name: str) -> int:
    """Return how many of some links were on disk, log and all, when they were answered."""
    with psycopg.connect(service.environment["DATABASE_URL"], autocommit=True) as connection:
        found = 0
        for call in islice(side.calls(name), CALLS):
            ask(side, call)
            row = connection.execute(IS_ON_DISK).fetchone()
            found += bool(row and row[0])
    return found


def ask(side: Side, call: load.Call) -> None:
    """Make one call, on a connection of its own. Raise Failed if it goes wrong."""
    answered = load.run_each(side.port, iter([call]))
    if answered.faults:
        raise Failed(f"{side.name}: {answered.faults[0]}")


def _reads(client: redis.Redis) -> int:
    return int(client.info("stats")["total_reads_processed"])
