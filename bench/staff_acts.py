"""What bench/staff.py asks for: tokens issued, rotated, revoked. Runs inside `manage.py shell`.

Times are of the machine's monotonic clock, which all processes share.
"""

from __future__ import annotations

import json
import sys
import time
from collections.abc import Callable
from datetime import timedelta
from functools import partial
from typing import Any

from django.utils import timezone

from partners.models import Project
from tests.support.threads import race
from tokens.models import AccessToken
from tokens.refusals import TokenNotLive

ACTOR = "command:bench"


def serve() -> None:
    """Do what each line of the standard input asks for, and print what came of it."""
    calls: dict[str, Callable[..., Any]] = {
        "issue": issue,
        "revoke": revoke,
        "rotate": rotate,
        "rotate_together": rotate_together,
    }
    for line in sys.stdin:
        call, arguments = json.loads(line)
        print(json.dumps(calls[call](**arguments)), flush=True)


def issue(project_id: str, seconds: float | None = None) -> dict[str, Any]:
    """Issue a token, for so many seconds if they are given; `ends` is when it expires."""
    expires_in = None if seconds is None else timedelta(seconds=seconds)
    project = Project.objects.get(project_id=project_id)
    token, secret = AccessToken.objects.issue(project, expires_in=expires_in, actor=ACTOR)
    return {"credential": f"{token}:{secret}", "ends": end_of(token)}


def revoke(token_id: str) -> dict[str, Any]:
    """Revoke a token: at the latest it `ends` when the commit has returned."""
    begun = time.monotonic()
    revoked = named(token_id).revoke(actor=ACTOR)
    return {"begun": begun, "ends": time.monotonic(), "revoked": revoked}


def rotate(token_id: str, overlap: float) -> dict[str, Any]:
    """Rotate a token, which ends after the overlap, in seconds; `credential` is the successor's."""
    begun = time.monotonic()
    token = named(token_id)
    successor, secret = token.rotate(overlap=timedelta(seconds=overlap), actor=ACTOR)
    committed = time.monotonic()
    return {
        "begun": begun,
        "ends": end_of(token) if overlap else committed,
        "credential": f"{successor}:{secret}",
    }


def rotate_together(project_id: str, times: int) -> dict[str, int]:
    """Let two of staff rotate one token at once, so many times; count how it ended."""
    counted = dict.fromkeys(("won", "told", "successors"), 0)
    for _ in range(times):
        token = named(issue(project_id)["credential"].partition(":")[0])
        hands = [named(str(token)) for _ in range(2)]
        results = race([partial(hand.rotate, actor=ACTOR) for hand in hands])
        successors = AccessToken.objects.filter(replaces=token)
        counted["won"] += sum(isinstance(result, tuple) for result in results)
        counted["told"] += sum(
            isinstance(result, TokenNotLive) and str(successors[0]) in str(result)
            for result in results
        )
        counted["successors"] += successors.count()
        for successor in successors:
            successor.revoke(actor=ACTOR)
    return counted


def named(token_id: str) -> AccessToken:
    return AccessToken.objects.get(token_id=token_id)


def end_of(token: AccessToken) -> float | None:
    """Return when a token expires, by the monotonic clock; None for one that does not."""
    if token.expires_at is None:
        return None
    return time.monotonic() + (token.expires_at - timezone.now()).total_seconds()
