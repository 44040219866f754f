"""The probes: /healthz for liveness, /readyz for readiness."""

from __future__ import annotations

import logging

from django.conf import settings
from django.db import DatabaseError, connection
from django.db.migrations.executor import MigrationExecutor
from django.http import HttpRequest, HttpResponse, JsonResponse

from tokens import limits

logger = logging.getLogger(__name__)

OK, DEGRADED, FAILED = "ok", "degraded", "failed"


def process_health(request: HttpRequest) -> HttpResponse:
    """Answer that the process is alive. Checks nothing that a restart would not fix."""
    if request.method not in ("GET", "HEAD"):
        return _method_not_allowed()
    return JsonResponse({"status": OK})


def readiness(request: HttpRequest) -> HttpResponse:
    """Report on database, limiter and migrations; 503 if calls cannot be answered.

    Without Redis, each process counts its own calls and the service continues. So the status is
    200 and "degraded", or a load balancer would take every machine out of service.
    """
    if request.method not in ("GET", "HEAD"):
        return _method_not_allowed()
    found = states()
    ready = found["database"] == found["migrations"] == OK
    status = FAILED if not ready else OK if found["limiter"] == OK else DEGRADED
    body = {"status": status, **found, "version": settings.VERSION}
    return JsonResponse(body, status=200 if ready else 503)


def states() -> dict[str, str]:
    database, migrations = _database_and_migrations()
    limiter = OK if limits.store_is_healthy() else FAILED
    return {"database": database, "limiter": limiter, "migrations": migrations}


def _database_and_migrations() -> tuple[str, str]:
    try:
        executor = MigrationExecutor(connection)
        missing = executor.migration_plan(executor.loader.graph.leaf_nodes())
        takes_writes = _takes_writes()
    except DatabaseError:
        logger.exception("Readiness: the database does not answer.")
        return FAILED, FAILED
    if missing:
        logger.error("Readiness: %d migrations are not applied.", len(missing))
    if not takes_writes:
        logger.error("Readiness: the database is read-only, as a standby is.")
    return OK if takes_writes else FAILED, FAILED if missing else OK


def _takes_writes() -> bool:
    """Return whether PostgreSQL accepts writes. Does not detect a full disk."""
    if connection.vendor != "postgresql":
        return True
    with connection.cursor() as cursor:
        cursor.execute("SHOW transaction_read_only")
        return bool(cursor.fetchone() == ("off",))


def _method_not_allowed() -> HttpResponse:
    return JsonResponse({"status": FAILED}, status=405, headers={"Allow": "GET, HEAD"})
