"""Staff who issue, rotate and revoke tokens in a separate process beside a running service.

Times are on the machine's monotonic clock, which all processes share.
"""

from __future__ import annotations

import contextlib
import json
import random
import subprocess
import sys
import threading
import time
from datetime import timedelta
from typing import TYPE_CHECKING, Any, Self

from tests.support.ledger import Ledger
from tests.support.programs import ROOT

if TYPE_CHECKING:
    from tests.support.server import Service

ACTOR = "command:tests"
PROGRAM = "from tests.support import token_staff; token_staff.serve()"


class Ended(Exception):
    """The process ended before it answered."""


class TokenStaff:
    """A context manager whose `do` calls `issue`, `revoke` or `rotate` in another process."""

    def __init__(self, service: Service) -> None:
        self._environment = service.environment

    def __enter__(self) -> Self:
        self._process = subprocess.Popen(
            [sys.executable, "manage.py", "shell", "--no-imports", "-c", PROGRAM],
            cwd=ROOT,
            env=self._environment,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            text=True,
        )
        return self

    def __exit__(self, *error: object) -> None:
        self.kill()
        self._process.communicate()

    def kill(self) -> None:
        self._process.kill()

    def do(self, act: str, **arguments: Any) -> dict[str, Any]:
        """Return the action's result. Raise Ended if the process was killed or failed."""
        assert self._process.stdin
        assert self._process.stdout
        try:
            print(json.dumps([act, arguments]), file=self._process.stdin, flush=True)
            answer: dict[str, Any] = json.loads(self._process.stdout.readline())
        except (BrokenPipeError, json.JSONDecodeError):
            raise Ended(act) from None
        return answer


class TokenLoad:
    """A context manager in which staff act on tokens and are killed every few seconds.

    Uses each of the `projects` once: a killed action may leave a live token behind, and a project
    may have only five.
    """

    def __init__(self, service: Service, projects: list[str], ledger: Ledger) -> None:
        self._service, self._projects, self._ledger = service, projects, ledger
        self._stopping, self._begun = threading.Event(), threading.Event()
        self._thread = threading.Thread(target=self._go_on)

    def __enter__(self) -> Self:
        self._thread.start()
        self._begun.wait(60)
        return self

    def __exit__(self, *error: object) -> None:
        self._stopping.set()
        self._thread.join()

    def _go_on(self) -> None:
        while self._projects and not self._stopping.is_set():
            with contextlib.suppress(Ended), TokenStaff(self._service) as staff:
                project_id = self._projects.pop()
                staff.do("issue", project_id=project_id)  # returns once the process has started
                self._begun.set()
                killer = threading.Timer(random.uniform(1, 4), staff.kill)
                killer.start()
                try:
                    while not self._stopping.is_set():
                        self._act(staff, project_id)
                finally:
                    killer.cancel()

    def _act(self, staff: TokenStaff, project_id: str) -> None:
        """Issue, rotate and revoke a token, and record each acknowledged action."""
        token_id = _id_of(staff.do("issue", project_id=project_id))
        self._ledger.note("issued", token_id=token_id)
        successor = _id_of(staff.do("rotate", token_id=token_id, overlap=3600))
        self._ledger.note("rotated", token_id=token_id)
        self._ledger.note("issued", token_id=successor)
        for each in (token_id, successor):
            staff.do("revoke", token_id=each)
            self._ledger.note("revoked", token_id=each)


def _id_of(made: dict[str, str]) -> str:
    return made["credential"].partition(":")[0]


def serve() -> None:
    """Carry out the action on each line of standard input; runs inside `manage.py shell`.

    An answer has `begun`, `ends` (the commit, or the token's end by the clock), `credential`.
    """
    from django.utils import timezone

    from partners.models import Project
    from tokens.models import AccessToken

    for line in sys.stdin:
        act, has = json.loads(line)
        begun, secret = time.monotonic(), ""
        if act == "issue":
            project = Project.objects.get(project_id=has["project_id"])
            lives = timedelta(seconds=has["seconds"]) if has.get("seconds") else None
            token, secret = AccessToken.objects.issue(project, expires_in=lives, actor=ACTOR)
            ending = token
        else:
            ending = token = AccessToken.objects.get(token_id=has["token_id"])
            if act == "revoke":
                token.revoke(actor=ACTOR)
            else:
                overlap = timedelta(seconds=has["overlap"])
                token, secret = ending.rotate(overlap=overlap, actor=ACTOR)
        ends = time.monotonic()
        if act == "issue" or has.get("overlap"):
            left = ending.expires_at and (ending.expires_at - timezone.now()).total_seconds()
            ends = None if left is None else ends + left
        print(
            json.dumps({"begun": begun, "ends": ends, "credential": f"{token}:{secret}"}),
            flush=True,
        )
