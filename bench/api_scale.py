"""What a call costs where the tables are large, and what it leaves on disk."""

from __future__ import annotations

from typing import TYPE_CHECKING

from bench.api_cost import Side, cost

if TYPE_CHECKING:
    from tests.support.server import Service
    from tests.support.stack import Stack

TABLES = {"student": "student", "attempt": "assessment", "link": "assessmentlink"}
WRITTEN = "SELECT pg_current_wal_insert_lsn() - '0/0'::pg_lsn"


def twin(stack: Stack, service: Service) -> Service:
    """Return a service with a copy of the database of another, to which nobody is connected."""
    from tests.support.server import Service

    folder = stack.folder / "twin"
    folder.mkdir()
    environment = {
        name: value
        for name, value in service.environment.items()
        if name not in ("DATABASE_URL", "APP_URL")
    }
    copy = Service("postgresql", folder, **environment)
    source, target = (one.environment["DATABASE_URL"].rpartition("/")[2] for one in (service, copy))
    stack.cluster.execute(f'DROP DATABASE "{target}"')
    stack.cluster.execute(f'CREATE DATABASE "{target}" TEMPLATE "{source}"')
    return copy


def bytes_each(service: Service) -> dict[str, tuple[float, float]]:
    """Return, of a student, an attempt and a link, the bytes in its table and in its indexes."""
    found = {}
    for name, table in TABLES.items():
        [row] = service.rows(
            f"SELECT count(*) AS n, pg_table_size('assessments_{table}') AS heap,"
            f" pg_indexes_size('assessments_{table}') AS indexes FROM assessments_{table}"
        )
        found[name] = row["heap"] / row["n"], row["indexes"] / row["n"]
    return found


def log_bytes(service: Service, side: Side, name: str, seconds: float) -> float:
    """Return the bytes of PostgreSQL's log (WAL) that one of such calls writes."""
    before = _written(service)
    made = cost(side, name, seconds, connections=16)
    return (_written(service) - before) / made.answered.count


def _written(service: Service) -> int:
    [row] = service.rows(f"{WRITTEN} AS bytes")
    return int(row["bytes"])
