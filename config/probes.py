"""The probes on a port of their own, PROBE_PORT, where they need none of gunicorn's threads.

Those may all wait for a database that hangs, or for clients that send half a request.
"""

from __future__ import annotations

import json
import logging
import sys
from http.server import BaseHTTPRequestHandler
from socketserver import ThreadingTCPServer
from threading import Thread

logger = logging.getLogger(__name__)


class _Listener(ThreadingTCPServer):
    allow_reuse_address = True
    daemon_threads = True

    def handle_error(self, request: object, client_address: object) -> None:
        """Say nothing of a prober that did not wait for the answer."""
        if not isinstance(sys.exception(), OSError):
            logger.exception("A probe failed.")


_listener: _Listener | None = None


def listen(host: str, port: int) -> None:
    """Open the port before the workers are forked: as long as one of them lives, it answers."""
    global _listener
    _listener = _Listener((host, port), _Probe)


def serve() -> None:
    """Answer in a thread of this worker, if there is such a port."""
    if _listener:
        Thread(target=_listener.serve_forever, name="probes", daemon=True).start()


class _Probe(BaseHTTPRequestHandler):
    timeout = 5  # seconds without a byte of the request

    def do_GET(self) -> None:  # noqa: N802  as http.server calls it
        # Imported here, because gunicorn reads its settings before Django has read its own.
        from config.health import FAILED, PROBES

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
