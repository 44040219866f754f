"""Base of the token commands: argument types, look-ups and output."""

import argparse
from datetime import datetime, timedelta
from typing import Any

from django.core.management.base import CommandError

from partners.management.base import DataCommand
from partners.times import parse_duration
from tokens.models import AccessToken


def duration(text: str) -> timedelta:
    try:
        return parse_duration(text)
    except ValueError as error:
        raise argparse.ArgumentTypeError(str(error)) from None


def time_in_words(at: datetime | None) -> str:
    return f"{at:%Y-%m-%d %H:%M UTC}" if at else "-"


class TokenCommand(DataCommand):
    def print_pair(self, token: AccessToken, secret: str, *, as_json: bool, **more: Any) -> None:
        if as_json:
            ids = {"projectId": token.project.project_id, "TokenId": token.token_id}
            more = {**ids, "TokenSecret": secret, "expiresAt": token.expires_at, **more}
            self.print_data(more)
        else:
            self.stdout.write(f"{token.token_id}:{secret}")
        expiry = f"It expires at {time_in_words(token.expires_at)}." if token.expires_at else ""
        self.say(
            f"Access token {token.token_id} of project {token.project.project_id}. {expiry}\n"
            "The secret is not stored and never shown again, so hand it over safely. "
            "The partner sends <TokenId>:<TokenSecret> in the header X-Access-Token."
        )

    def say_of_unused_links(self, token: AccessToken) -> None:
        if unused := token.unused_links():
            again = f"revoke_token {token} --cancel-links"
            self.say(f"Unused links that can still be started: {unused:,}. To cancel: {again}")

    def token(self, token_id: str) -> AccessToken:
        # A pasted header value would leave the secret in the shell history.
        if ":" in token_id:
            raise CommandError("Give the TokenId alone, without the colon and the secret.")
        try:
            return AccessToken.objects.with_project().get(token_id=token_id)
        except AccessToken.DoesNotExist:
            raise CommandError(
                f"There is no token {token_id}. List the tokens with list_tokens."
            ) from None
