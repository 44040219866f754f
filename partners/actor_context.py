"""Who acts, and from where: an argument of every audited method."""

from __future__ import annotations

import getpass
import os
from typing import NotRequired, TypedDict

from django.http import HttpRequest


class ActorContext(TypedDict):
    """Who acts, and from where.

    `actor` is `staff:<pk>`, `command:<login>`, `token:<TokenId>`, `student:<AssessmentId>` or
    `unknown`.
    """

    actor: str
    address: NotRequired[str | None]
    request_id: NotRequired[str]


def staff_actor(request: HttpRequest) -> ActorContext:
    """Return the signed-in member of staff."""
    return _actor_of_request(f"staff:{request.user.pk}", request)


def partner_actor(request: HttpRequest, token_id: str) -> ActorContext:
    """Return the partner's program that calls with this token."""
    return _actor_of_request(f"token:{token_id}", request)


def unknown_actor(request: HttpRequest) -> ActorContext:
    """Return an unknown visitor of a page that needs no sign-in."""
    return _actor_of_request("unknown", request)


def _actor_of_request(actor: str, request: HttpRequest) -> ActorContext:
    return ActorContext(
        actor=actor,
        address=request.client_address,  # type: ignore[attr-defined]  # middleware's
        request_id=request.request_id,  # type: ignore[attr-defined]  # middleware's
    )


def command_actor() -> ActorContext:
    """Return the operating-system user who runs a command."""
    try:
        login = getpass.getuser()
    except (KeyError, OSError):
        # A container may run under a user id without a login name.
        login = f"uid-{os.getuid()}"
    return ActorContext(actor=f"command:{login}")
