"""Authenticate a partner by the credential in `X-Access-Token`."""

import logging
from datetime import datetime
from typing import Any

from django.conf import settings
from django.contrib.auth.models import AnonymousUser
from django.db import connection
from django.utils import timezone
from django.views.decorators.debug import sensitive_variables
from rest_framework.authentication import BaseAuthentication
from rest_framework.exceptions import AuthenticationFailed, Throttled
from rest_framework.request import Request

from partners.models import Project
from partners.models.columns import columns_of
from tokens import crypto, limits
from tokens.models import AccessToken, TokenState

logger = logging.getLogger("tokens.authentication")

SCHEME = "AccessToken"  # of the header WWW-Authenticate
REFUSED = "Credentials refused: %s, %s, from %s"  # TokenId, reason, address
MISSING_HEADER = "The X-Access-Token header is missing. Send it as <TokenId>:<TokenSecret>."
NOBODY = AnonymousUser()  # a token identifies a project, not a person
# Compared if the token is unknown, so that it takes as long as a wrong secret.
NOBODYS_DIGEST = crypto.digest(crypto.new_secret())

# What the operations read. All columns would cost another 5 % of a call.
_TOKEN = columns_of(
    AccessToken,
    *("project", "token_id", "secret_digest", "expires_at", "rotated_at", "revoked_at"),
    "last_used_at",
)
_PROJECT = columns_of(
    Project,
    *("project_id", "start_by_minutes", "link_rate_per_minute", "results_rate_per_minute"),
    *("is_test", "closed_at"),
)
_NAMES = [*_TOKEN, *(f"project__{name}" for name in _PROJECT)]
# A constant, because compiling the ORM query takes 0.5 ms, as long as the rest of a call.
_SQL = f"""
SELECT {", ".join(f"token.{name}" for name in _TOKEN)},
       {", ".join(f"project.{name}" for name in _PROJECT)}
FROM tokens_accesstoken token JOIN partners_project project ON project.id = token.project_id
WHERE token.token_id = %s
"""  # noqa: S608  only names of columns


class InvalidCredentials(AuthenticationFailed):
    """The token is refused, or does not exist.

    Without a `reason` all answers are alike, so that they do not reveal which part was wrong. Only
    a caller with the right secret of `token` is given the `reason`, a key of the API's REASONS.
    """

    default_code = "invalid_credentials"

    def __init__(self, reason: str = "", token: AccessToken | None = None) -> None:
        super().__init__()
        self.reason = reason
        self.token = token


class AccessTokenAuthentication(BaseAuthentication):
    """Set `request.auth` to the AccessToken, with its project. Raise if the header is missing."""

    @sensitive_variables("header", "secret")
    def authenticate(self, request: Any) -> tuple[AnonymousUser, AccessToken]:
        header = request.META.get("HTTP_X_ACCESS_TOKEN", "")
        if not header:
            raise AuthenticationFailed(_missing(request), code="missing_credentials")
        try:
            token_id, secret = crypto.split_header(header)
        except ValueError as error:
            raise AuthenticationFailed(str(error), code="malformed_credentials") from None
        at = timezone.now()
        token = token_with_project(token_id)
        is_right = crypto.matches(secret, token.secret_digest if token else NOBODYS_DIGEST)
        if token is None or not is_right:
            cause = "wrong secret" if token else "unknown"
            logger.info(REFUSED, token_id, cause, request.client_address)
            most = settings.FAILED_CREDENTIALS_PER_MINUTE
            if wait := limits.count_failure(request.client_address, "credentials", most):
                raise Throttled(wait=wait, code="credentials")
            raise InvalidCredentials
        # Before it is refused, so that all calls of a test project are marked.
        token.project.mark_test_traffic(request.META)
        if reason := _refusal_reason(token, at):
            # Not counted: who has the secret guesses nothing, and must read why it is refused.
            logger.info(REFUSED, token_id, reason, request.client_address)
            raise InvalidCredentials(reason, token)
        token.record_use(at)
        return NOBODY, token

    def authenticate_header(self, request: Request) -> str:
        # Without a scheme, DRF answers 403 instead of 401.
        return SCHEME


def token_with_project(token_id: str) -> AccessToken | None:
    """Return the token and its project in one query, or None if there is no such token."""
    if connection.vendor == "postgresql":
        with connection.cursor() as cursor:
            cursor.execute(_SQL, [token_id])
            row: tuple[Any, ...] | None = cursor.fetchone()
    else:  # SQLite stores times as text
        row = AccessToken.objects.filter(token_id=token_id).values_list(*_NAMES).first()
    # An unknown token must take as long, so an empty row is turned into models too.
    values = row or (None,) * len(_NAMES)
    token = AccessToken.from_db(connection.alias, _TOKEN, values[: len(_TOKEN)])
    token.project = Project.from_db(connection.alias, _PROJECT, values[len(_TOKEN) :])
    return token if row else None


def _refusal_reason(token: AccessToken, at: datetime) -> str:
    match token.state_at(at):
        case TokenState.REVOKED:
            return "revoked"
        case TokenState.EXPIRED:
            return "rotated" if token.rotated_at else "expired"
    return "project_closed" if token.project.is_closed else ""


def _missing(request: Request) -> str:
    """Return what was seen in place of the header."""
    if "HTTP_X_ACCESS_TOKEN" in request.META:
        return f"{MISSING_HEADER} It was sent empty: a variable is probably not set."
    if "HTTP_AUTHORIZATION" in request.META:
        return f"{MISSING_HEADER} There is an Authorization header, which is not read."
    return MISSING_HEADER
