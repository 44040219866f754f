"""What support sends to a partner's contact about a new token."""

from __future__ import annotations

from datetime import datetime
from zoneinfo import ZoneInfo

from tokens.models import AccessToken


def contact_text(token: AccessToken) -> str:
    """Return the text, without the secret: which token was issued, its end, how to object."""
    project = token.project
    return "\n".join(
        [
            f"We issued an access token for {project.name} ({project.project_id}) on "
            f"{_day(token.issued_at, project.time_zone)}.",
            f"TokenId: {token.token_id}",
            f"It ends on {_day(token.expires_at, project.time_zone)}."
            if token.expires_at
            else "It has no end.",
            "Its secret is handed over separately, never by e-mail.",
            "If you did not ask for it, tell us at once, and we revoke it.",
        ]
    )


def _day(at: datetime, zone: str) -> str:
    there = at.astimezone(ZoneInfo(zone))
    return f"{there.day} {there:%B %Y}"
