from __future__ import annotations

from datetime import timedelta
from typing import Any

from django.core.management.base import CommandError, CommandParser
from django.views.decorators.debug import sensitive_variables

from partners.actor_context import command_actor
from tokens.management.base import TokenCommand, duration, in_words
from tokens.models import DEFAULT_OVERLAP, TokenRefused


class Command(TokenCommand):
    help = (
        "Issue the successor of an access token and print it once, as <TokenId>:<TokenSecret>. "
        "Both work until the overlap ends, then only the successor. A token can be rotated once; "
        "rotate its successor next time. After a leak, use --overlap 0."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        super().add_arguments(parser)
        parser.add_argument("token_id", metavar="TOKEN_ID", help="tok_…, without the secret")
        parser.add_argument(
            "--overlap",
            type=duration,
            default=DEFAULT_OVERLAP,
            metavar="7d",
            help="How long the old token still works, in d, h or m. Default 7d; 0 ends it now.",
        )

    @sensitive_variables("secret")
    def handle(self, *, token_id: str, overlap: timedelta, json: bool, **options: Any) -> None:
        token = self.token(token_id)
        try:
            successor, secret = token.rotate(overlap=overlap, **command_actor())
        except TokenRefused as refusal:
            raise CommandError(str(refusal)) from None
        self.print_pair(
            successor,
            secret,
            as_json=json,
            replaces=token.token_id,
            replacedTokenEndsAt=token.expires_at,
        )
        self.say(f"{token.token_id}, which it replaces, ends at {in_words(token.expires_at)}.")
