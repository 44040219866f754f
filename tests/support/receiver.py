"""A receiver of webhooks on loopback, whose behaviour a test chooses."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

Answer = Callable[[BaseHTTPRequestHandler], None]


@dataclass
class Received:
    """One call: its headers, in lower case, and its body."""

    path: str
    headers: dict[str, str]
    body: str

    @property
    def id(self):
        return self.headers["webhook-id"]


@dataclass
class Receiver:
    """Keeps what it gets. `answer` writes the answer, 204 unless a test replaces it."""

    url: str = ""
    calls: list[Received] = field(default_factory=list)
    answer: Answer = lambda handler: status(204)(handler)

    @property
    def ids(self):
        return [call.id for call in self.calls]


def status(code, **headers):
    """Return an answer with this status, these headers and no body."""

    def answer(handler):
        handler.send_response(code)
        for name, value in headers.items():
            handler.send_header(name, value)
        handler.send_header("Content-Length", "0")
        handler.end_headers()

    return answer


def hang(seconds):
    """Return an answer that does not come for so long."""

    def answer(handler):
        time.sleep(seconds)
        status(204)(handler)

    return answer


def drip(seconds):
    """Return an answer of one byte each tenth of a second, for so long."""

    def answer(handler):
        handler.wfile.write(b"HTTP/1.1 200 OK\r\nX-Drip: ")
        until = time.monotonic() + seconds
        while time.monotonic() < until:
            handler.wfile.write(b"a")
            handler.wfile.flush()
            time.sleep(0.1)

    return answer


@contextmanager
def listening(port=0, tls=None):
    receiver = Receiver()
    lock = threading.Lock()

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self):
            body = self.rfile.read(int(self.headers["Content-Length"])).decode()
            headers = {name.lower(): value for name, value in self.headers.items()}
            with lock:
                receiver.calls.append(Received(self.path, headers, body))
            try:
                receiver.answer(self)
            except OSError:
                self.close_connection = True

        def log_message(self, *args):
            pass

    class Server(ThreadingHTTPServer):
        request_queue_size = 128

    server = Server(("127.0.0.1", port), Handler)
    if tls:
        server.socket = tls.wrap_socket(server.socket, server_side=True)
    server.daemon_threads = True
    receiver.url = f"http://127.0.0.1:{server.server_port}/hook"
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.02})
    thread.start()
    try:
        yield receiver
    finally:
        server.shutdown()
        server.server_close()
        thread.join(10)
