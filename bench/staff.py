"""Staff who issue, rotate and revoke tokens in a process of their own, beside the service."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any, Self

if TYPE_CHECKING:
    from tests.support.server import Service

ROOT = Path(__file__).resolve().parent.parent


class Staff:
    """A context manager: `do` calls the functions of bench/staff_acts.py, for one service."""

    def __init__(self, service: Service) -> None:
        self._environment = service.environment

    def __enter__(self) -> Self:
        program = "from bench import staff_acts; staff_acts.serve()"
        self._process = subprocess.Popen(
            [sys.executable, "manage.py", "shell", "--no-imports", "-c", program],
            cwd=ROOT,
            env=self._environment,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )
        return self

    def __exit__(self, *error: object) -> None:
        assert self._process.stdin
        self._process.stdin.close()
        self._process.wait(30)

    def do(self, call: str, **arguments: Any) -> Any:
        """Return what the function of this name returned. Raise RuntimeError if it failed."""
        assert self._process.stdin
        assert self._process.stdout
        print(json.dumps([call, arguments]), file=self._process.stdin, flush=True)
        said = self._process.stdout.readline()
        if not said:
            raise RuntimeError(f"The staff's process ended at {call}.")
        return json.loads(said)
