"""Why a token is not issued or not rotated. The texts are for staff."""

from __future__ import annotations


class TokenRefused(Exception):  # noqa: N818 - a refusal is no error
    """A token cannot be issued or rotated."""


class ProjectClosed(TokenRefused):
    """The project takes no calls, so it gets no token."""


class TooManyTokens(TokenRefused):
    """The project has as many live tokens as a project may have."""


class TokenNotLive(TokenRefused):
    """The token was revoked, has expired, or was rotated before."""


class AlreadyIssued(TokenRefused):
    """This very token exists: a form was sent twice."""
