"""The actions on tokens of token_staff.py. Runs inside `manage.py shell`.

Times are on the machine's monotonic clock, which all processes share.
"""

from __future__ import annotations

import json
import sys
import time
from datetime import timedelta
from typing import Any

from django.utils import timezone

from partners.models import Project
from tokens.models import AccessToken

ACTOR = "command:tests"


def serve() -> None:
    """Carry out the action on each line of standard input and print its result."""
    for line in sys.stdin:
        act, arguments = json.loads(line)
        print(json.dumps(ACTS[act](**arguments)), flush=True)


def issue(project_id: str, seconds: float | None = None) -> dict[str, Any]:
    """Issue a token, optionally with a lifetime; `ends` is its expiry."""
    expires_in = None if seconds is None else timedelta(seconds=seconds)
    project = Project.objects.get(project_id=project_id)
    token, secret = AccessToken.objects.issue(project, expires_in=expires_in, actor=ACTOR)
    return {"credential": f"{token}:{secret}", "ends": _end_of(token)}


def revoke(token_id: str) -> dict[str, Any]:
    """Revoke a token; `ends` is the time at which the commit has returned."""
    begun = time.monotonic()
    AccessToken.objects.get(token_id=token_id).revoke(actor=ACTOR)
    return {"begun": begun, "ends": time.monotonic()}


def rotate(token_id: str, overlap: float) -> dict[str, Any]:
    """Rotate a token that ends after the overlap, in seconds."""
    begun = time.monotonic()
    token = AccessToken.objects.get(token_id=token_id)
    successor, secret = token.rotate(overlap=timedelta(seconds=overlap), actor=ACTOR)
    ends = time.monotonic() if overlap == 0 else _end_of(token)
    return {"begun": begun, "ends": ends, "credential": f"{successor}:{secret}"}


ACTS = {"issue": issue, "revoke": revoke, "rotate": rotate}


def _end_of(token: AccessToken) -> float | None:
    if token.expires_at is None:
        return None
    return time.monotonic() + (token.expires_at - timezone.now()).total_seconds()
