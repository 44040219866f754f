"""gunicorn's settings, which it reads from the current directory. Flags override them."""

from __future__ import annotations

import gc
import os
import sys
from pathlib import Path
from typing import TYPE_CHECKING

from gunicorn.glogging import Logger

from config import env, metric_files
from config.logging import GunicornLines

if TYPE_CHECKING:
    from gunicorn.arbiter import Arbiter
    from gunicorn.workers.base import Worker

try:
    _environment = env.read(Path(__file__).resolve().parent)
except env.SettingsError as error:
    sys.exit(str(error))
if _environment.mode == "test":
    sys.exit("MODE=test is for tests only, because its key is public. gunicorn won't start.")
_redis = bool(_environment["REDIS_URL"])
if _environment["METRICS_TOKEN"]:
    metric_files.make()  # before the application is loaded, which makes the counters

# One process without Redis, so that the limits, counted in its memory, are exact.
# Four threads, because in each worker guessed passwords may hold two (docs/decisions, 18).
workers = _environment["WEB_CONCURRENCY"] or (2 if _redis else 1)
threads = 4 if _redis else 8
worker_class = "gthread"
# Workers are forked from a loaded application: they share half of their memory, and one that
# replaces a dead one serves at once instead of after seconds.
preload_app = True
# A platform that sets PORT sends requests to that port from outside.
_port = _environment["PORT"]
_host = "0.0.0.0" if _port else "127.0.0.1"  # noqa: S104 - its router must reach it
bind = [f"{_host}:{_port or 8000}"]
timeout = 30
# Idle connections of browsers must not delay a Ctrl-C in the demo.
graceful_timeout = 1 if _environment.mode == "demo" else 20
keepalive = 5
# Heartbeat files must not be on a slow disk.
_memory = "/dev/shm"  # noqa: S108 - gunicorn makes a file of its own there, by mkstemp
if os.access(_memory, os.W_OK):
    worker_tmp_dir = _memory
control_socket_disable = True
# config/middleware.py takes scheme and client address from the hop named by TRUSTED_PROXY_COUNT, so
# gunicorn trusts no header.
secure_scheme_headers: dict[str, str] = {}
forwarder_headers = ""


class GunicornLogger(GunicornLines, Logger):
    """gunicorn's logger with our lines."""


logger_class = GunicornLogger
errorlog = "-"
accesslog = None if _environment.mode == "demo" else "-"
loglevel = "warning" if _environment.mode == "demo" else "info"

_NO_PROXY = (
    "PORT opens gunicorn to the network, and TRUSTED_PROXY_COUNT is 0. Without a proxy that reads "
    "whole requests, %d clients that send half a request stop the service (docs/operations.md)."
)
_TOO_MANY = "More than one worker needs REDIS_URL: the rate limits are counted there."


def on_starting(server: Arbiter) -> None:
    """Refuse to start several workers without Redis, even if a flag asks for them."""
    if server.cfg.workers > 1 and not _redis:
        sys.exit(_TOO_MANY)
    if _port and not _environment["TRUSTED_PROXY_COUNT"]:
        server.log.warning(_NO_PROXY, server.cfg.workers * server.cfg.threads)
    if _environment["PROBE_PORT"]:
        from config import health  # Django is ready: the application was loaded before

        try:
            health.listen(_host, _environment["PROBE_PORT"])
        except (OSError, OverflowError) as error:
            sys.exit(f"PROBE_PORT can't be used ({error}). Choose a free port that is not PORT.")


def when_ready(server: Arbiter) -> None:
    """Exclude what workers share from garbage collection, which would stop them and copy it."""
    gc.collect()
    gc.freeze()


def post_worker_init(worker: Worker) -> None:
    """Answer the probes beside the threads that serve requests."""
    from config import health

    health.serve()


def child_exit(server: Arbiter, worker: Worker) -> None:
    """Count a worker that ended: the proxy answers what it was serving with 502, unseen by us."""
    from config import metrics

    metrics.WORKERS_ENDED.inc()


def on_exit(server: Arbiter) -> None:
    metric_files.remove()


def nworkers_changed(server: Arbiter, new_value: int, old_value: int | None) -> None:
    """Undo a TTIN signal that would add a second worker without Redis."""
    if new_value > 1 and old_value is not None and not _redis:
        server.log.warning(_TOO_MANY)
        server.num_workers = old_value
