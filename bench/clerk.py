"""Somebody who issues, rotates and revokes tokens all the time, and is killed in between."""

from __future__ import annotations

import contextlib
import json
import random
import subprocess
import sys
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

from bench.ledger import TOKEN, Ledger

if TYPE_CHECKING:
    from tests.support.server import Service

ROOT = Path(__file__).resolve().parent.parent
KILLED_AFTER = (1.0, 4.0)  # seconds of work
# What a clerk meets whose process was killed, or lost the database and ended.
BROKEN = (BrokenPipeError, json.JSONDecodeError)


class Clerk:
    """A context manager: the acts go on inside it, each noted once it was acknowledged.

    `projects` are used up one after the other: a killed act may leave a live token behind, of
    which a project may have five.
    """

    def __init__(self, service: Service, projects: list[str], ledger: Ledger) -> None:
        self._service, self._projects, self._ledger = service, projects, ledger
        self._stopping, self._begun = threading.Event(), threading.Event()
        self._thread = threading.Thread(target=self._go_on)

    def __enter__(self) -> Clerk:
        self._thread.start()
        self._begun.wait(60)
        return self

    def __exit__(self, *error: object) -> None:
        self._stopping.set()
        self._thread.join()

    def _go_on(self) -> None:
        while self._projects and not self._stopping.is_set():
            with contextlib.suppress(*BROKEN), self._desk() as desk:
                self._work(desk, self._projects.pop())

    @contextlib.contextmanager
    def _desk(self) -> Iterator[subprocess.Popen[str]]:
        """Start what does the acts, in a process of its own beside the service."""
        program = "from bench import staff_acts; staff_acts.serve()"
        with subprocess.Popen(
            [sys.executable, "manage.py", "shell", "--no-imports", "-c", program],
            cwd=ROOT,
            env=self._service.environment,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            text=True,
        ) as desk:
            try:
                yield desk
            finally:
                desk.kill()

    def _work(self, desk: subprocess.Popen[str], project_id: str) -> None:
        """Act until it is killed."""
        do(desk, "issue", project_id=project_id)  # only when it is done has the process begun
        self._begun.set()
        killer = threading.Timer(random.uniform(*KILLED_AFTER), desk.kill)
        killer.start()
        try:
            while not self._stopping.is_set():
                self._issue_rotate_revoke(desk, project_id)
        finally:
            killer.cancel()

    def _issue_rotate_revoke(self, desk: subprocess.Popen[str], project_id: str) -> None:
        token_id = do(desk, "issue", project_id=project_id)["credential"].partition(":")[0]
        self._ledger.note(TOKEN, ["issued", token_id])
        rotated = do(desk, "rotate", token_id=token_id, overlap=3600)
        successor = rotated["credential"].partition(":")[0]
        self._ledger.note(TOKEN, ["rotated", token_id])
        self._ledger.note(TOKEN, ["issued", successor])
        for each in (token_id, successor):
            do(desk, "revoke", token_id=each)
            self._ledger.note(TOKEN, ["revoked", each])


def do(desk: subprocess.Popen[str], call: str, **arguments: Any) -> Any:
    """Return what a function of bench/staff_acts.py returns. Raise one of BROKEN if it ended."""
    assert desk.stdin
    assert desk.stdout
    print(json.dumps([call, arguments]), file=desk.stdin, flush=True)
    return json.loads(desk.stdout.readline())
