"""Staff who issue, rotate and revoke tokens in a separate process beside a running service.

Times are on the machine's monotonic clock, which all processes share.
"""

import json
import subprocess
import sys
import time
from datetime import timedelta

from tests.support.programs import ROOT

PROGRAM = "from tests.support import token_staff; token_staff.serve()"


class Ended(Exception):
    """The process ended before it answered."""


class TokenStaff:
    """A context manager whose `do` calls `issue`, `revoke` or `rotate` in another process."""

    def __init__(self, service):
        self._environment = service.environment

    def __enter__(self):
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

    def __exit__(self, *error):
        self.kill()
        self._process.communicate()

    def kill(self):
        self._process.kill()

    def do(self, act, **arguments):
        """Return the action's result. Raise Ended if the process was killed or failed."""
        assert self._process.stdin
        assert self._process.stdout
        try:
            print(json.dumps([act, arguments]), file=self._process.stdin, flush=True)
            answer = json.loads(self._process.stdout.readline())
        except (BrokenPipeError, json.JSONDecodeError):
            raise Ended(act) from None
        return answer


def serve():
    """Carry out the action on each line of standard input; runs inside `manage.py shell`.

    An answer has `begun`, `ends` (the commit, or the token's end by the clock), `credential`.
    """
    from django.utils import timezone

    from partners.models import Project
    from tests.factories import BY
    from tokens.models import AccessToken

    for line in sys.stdin:
        act, has = json.loads(line)
        begun, secret = time.monotonic(), ""
        if act == "issue":
            project = Project.objects.get(project_id=has["project_id"])
            lives = timedelta(seconds=has["seconds"]) if has.get("seconds") else None
            token, secret = AccessToken.objects.issue(project, expires_in=lives, by=BY)
            ending = token
        else:
            ending = token = AccessToken.objects.get(token_id=has["token_id"])
            if act == "revoke":
                token.revoke(by=BY)
            else:
                overlap = timedelta(seconds=has["overlap"])
                token, secret = ending.rotate(overlap=overlap, by=BY)
        ends = time.monotonic()
        if act == "issue" or has.get("overlap"):
            left = ending.expires_at and (ending.expires_at - timezone.now()).total_seconds()
            ends = None if left is None else ends + left
        print(
            json.dumps({"begun": begun, "ends": ends, "credential": f"{token}:{secret}"}),
            flush=True,
        )
