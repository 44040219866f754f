"""The probes, also on PROBE_PORT: /healthz for liveness, /readyz for readiness.

There they need none of gunicorn's threads, which a hanging database or slow clients may block.
"""

import json
import logging
import secrets
import sys
import time
from http.server import BaseHTTPRequestHandler
from socketserver import ThreadingTCPServer
from threading import Lock, Thread

from django.conf import settings
from django.contrib.sessions.models import Session
from django.db import connection, transaction
from django.db.migrations.executor import MigrationExecutor
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.utils import timezone

from assessments.models.ended import ClockDiffers, check_clock
from tokens import limits

logger = logging.getLogger(__name__)

OK, DEGRADED, FAILED = "ok", "degraded", "failed"
DEADLINE_SECONDS = 1.5
# A check that hangs for so long is left to itself, and the next probe begins another.
GIVEN_UP_SECONDS = 30


def answer(request: HttpRequest) -> HttpResponse:
    if request.method not in ("GET", "HEAD"):
        return JsonResponse({"status": FAILED}, status=405, headers={"Allow": "GET, HEAD"})
    status, body = PROBES[request.path_info]()
    return JsonResponse(body, status=status)


def liveness() -> tuple[int, dict[str, str]]:
    """Report only that the process runs: if this probe fails, the process is restarted."""
    return 200, {"status": OK}


def readiness() -> tuple[int, dict[str, str]]:
    """Report on database, clock, limiter and migrations; 503 if students cannot continue.

    Without Redis it is 200 and "degraded": a 503 would make a load balancer drop every machine.
    """
    components = states()
    ready = all(state == OK for name, state in components.items() if name != "limiter")
    status = FAILED if not ready else OK if components["limiter"] == OK else DEGRADED
    return 200 if ready else 503, {"status": status, **components, "version": settings.VERSION}


PROBES = {"/healthz": liveness, "/readyz": readiness}


class _Check(Thread):
    """Checks each component once, in a connection of its own: PostgreSQL may hang."""

    def __init__(self) -> None:
        super().__init__(name="readiness", daemon=True)
        self.states = dict.fromkeys(("database", "clock", "limiter", "migrations"), FAILED)
        self.began = time.monotonic()

    def run(self) -> None:
        try:
            self.states["limiter"] = OK if limits.store_is_healthy() else FAILED
            executor = MigrationExecutor(connection)
            missing = executor.migration_plan(executor.loader.graph.leaf_nodes())
            if missing:
                logger.error("Readiness: %d migrations are not applied.", len(missing))
            else:
                self.states["migrations"] = OK
            _write()
            self.states["database"] = OK
            check_clock(timezone.now())
            self.states["clock"] = OK
        except ClockDiffers as differs:
            logger.error("Readiness: %s", differs)  # noqa: TRY400  the message says it all
        except Exception:
            logger.exception("Readiness: the database does not answer, or takes no write.")
        finally:
            connection.close()


@transaction.atomic
def _write() -> None:
    """Commit a small write: it fails on a read-only standby, but may pass on a nearly full disk."""
    key = f"readyz-{secrets.token_hex(16)}"
    Session.objects.create(session_key=key, expire_date=timezone.now()).delete()


_lock = Lock()
_newest: _Check | None = None


def states() -> dict[str, str]:
    """Return the state of each component; "failed" if it is not known by the deadline.

    Concurrent probes share a check, so a hanging database holds one connection.
    """
    global _newest
    with _lock:
        now = time.monotonic()
        check = _newest
        if check is None or not check.is_alive() or now - check.began > GIVEN_UP_SECONDS:
            check = _newest = _Check()
            check.start()
    check.join(DEADLINE_SECONDS)
    if check.is_alive():
        logger.error("Readiness: no answer within %s s.", DEADLINE_SECONDS)
    return dict(check.states)


class _Listener(ThreadingTCPServer):
    allow_reuse_address = True
    daemon_threads = True

    def handle_error(self, request: object, client_address: object) -> None:
        """Log nothing if the prober did not wait for the answer."""
        if not isinstance(sys.exception(), OSError):
            logger.exception("A probe failed.")


class _Probe(BaseHTTPRequestHandler):
    timeout = 5  # seconds without a byte of the request

    def do_GET(self) -> None:  # noqa: N802  as http.server calls it
        probe = PROBES.get(self.path)
        status, body = probe() if probe else (404, {"status": FAILED})
        text = json.dumps(body).encode()
        self.send_response(status)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(text)))
        self.end_headers()
        if self.command == "GET":
            self.wfile.write(text)

    do_HEAD = do_GET  # noqa: N815  as http.server calls it

    def log_message(self, *args: object) -> None:
        """Keep probes out of the log, where they would be most lines."""


_listener: _Listener | None = None


def listen(host: str, port: int) -> None:
    """Open the port before the workers are forked: it answers while one of them lives."""
    global _listener
    _listener = _Listener((host, port), _Probe)


def serve() -> None:
    if _listener:
        Thread(target=_listener.serve_forever, name="probes", daemon=True).start()
