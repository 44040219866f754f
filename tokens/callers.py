"""The token that a call names. Every call of the API begins with it."""

from __future__ import annotations

from partners.kept_queries import KeptQuery, of_row
from partners.models import Project
from tokens.models import AccessToken

# What a call is judged by and what its operation needs. The rest is
# read when something asks for it.
OF_TOKEN = (
    *("id", "project_id", "token_id", "secret_digest"),
    *("expires_at", "rotated_at", "revoked_at", "last_used_at"),
)
OF_PROJECT = (
    *("id", "project_id", "start_by_minutes"),
    *("link_rate_per_minute", "results_rate_per_minute", "closed_at"),
)
_TOKEN = KeptQuery(
    lambda token_id: AccessToken.objects.filter(token_id=token_id).values_list(
        *OF_TOKEN, *(f"project__{name}" for name in OF_PROJECT)
    ),
    "tok_",
)


# Of no token: to make something of it takes as long as of one, and no refusal is faster.
_NOBODYS_ROW = (None,) * (len(OF_TOKEN) + len(OF_PROJECT))


def token_of_call(token_id: str) -> AccessToken | None:
    """Return the token with its project, by one look-up; None, as slowly, if there is none."""
    found = _TOKEN.rows(token_id)
    row = found[0] if found else _NOBODYS_ROW
    token = of_row(AccessToken, OF_TOKEN, row[: len(OF_TOKEN)])
    token.project = of_row(Project, OF_PROJECT, row[len(OF_TOKEN) :])
    return token if found else None
