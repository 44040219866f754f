"""Who acts, and from where: what every audited method takes besides its own arguments."""

from __future__ import annotations

import getpass
import os
from typing import NotRequired, TypedDict

from django.http import HttpRequest


class Origin(TypedDict):
    """Who acts, and from where.

    `actor` is `staff:<pk>`, `command:<login>`, `token:<TokenId>`, `student:<AssessmentId>` or
    `unknown`.
    """

    actor: str
    address: NotRequired[str | None]
    request_id: NotRequired[str]


def of_staff(request: HttpRequest) -> Origin:
    """Return the signed-in member of staff as the one who acts."""
    return Origin(
        actor=f"staff:{request.user.pk}",
        address=request.client_address,  # type: ignore[attr-defined]  # middleware's
        request_id=request.request_id,  # type: ignore[attr-defined]  # middleware's
    )


def of_stranger(request: HttpRequest) -> Origin:
    """Return somebody at the sign-in page as the one who acts, whoever that is."""
    return Origin(
        actor="unknown",
        address=request.client_address,  # type: ignore[attr-defined]  # middleware's
        request_id=request.request_id,  # type: ignore[attr-defined]  # middleware's
    )


def of_command() -> Origin:
    """Return the person at the command line as the one who acts."""
    try:
        login = getpass.getuser()
    except (KeyError, OSError):
        # A container may run under a number that has no login name.
        login = f"uid-{os.getuid()}"
    return Origin(actor=f"command:{login}")
