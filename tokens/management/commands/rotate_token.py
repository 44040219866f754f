from __future__ import annotations

import sys
from datetime import timedelta
from typing import Any

from django.core.management.base import CommandError, CommandParser
from django.db import DatabaseError
from django.views.decorators.debug import sensitive_variables

from partners.models.audit import command_actor
from tokens.management.base import TokenCommand, counted, duration, in_words
from tokens.models import DEFAULT_OVERLAP


class Command(TokenCommand):
    help = (
        "Issue the successor of an access token and print it once, as <TokenId>:<TokenSecret>. "
        "Both work until the overlap ends, then only the successor. A token can be rotated once; "
        "rotate its successor next time. After a leak, use --overlap 0, and --cancel-links if the "
        "links that the old token issued should not be started."
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
        parser.add_argument(
            "--cancel-links",
            action="store_true",
            help="With --overlap 0: also cancel the links that the old token issued and nobody has "
            "started. Without it, it asks at a terminal, or keeps them.",
        )

    @sensitive_variables("secret")
    def handle(
        self, *, token_id: str, overlap: timedelta, cancel_links: bool, json: bool, **options: Any
    ) -> None:
        token = self.token(token_id)
        if overlap and cancel_links:
            raise CommandError(
                "Until it ends, the old token issues more links. Add --overlap 0, or run "
                "revoke_token --cancel-links later."
            )
        unused = 0 if overlap else token.unused_links()
        if unused and not cancel_links and sys.stdin.isatty():
            cancel_links = self.agrees(f"Cancel the {counted(unused)} that {token} issued as well?")
        successor, secret = token.rotate(overlap=overlap, **command_actor())
        cancelled, failure = None, None
        try:
            cancelled = token.cancel_links(**command_actor()) if cancel_links else None
        except DatabaseError as error:  # the secret must be printed all the same
            failure = error
        self.print_pair(
            successor,
            secret,
            as_json=json,
            replaces=token.token_id,
            replacedTokenEndsAt=token.expires_at,
            linksCancelled=cancelled or 0,
        )
        self.say(f"{token.token_id}, which it replaces, ends at {in_words(token.expires_at)}.")
        if failure:
            raise CommandError(
                f"The links were not cancelled. Run revoke_token {token} --cancel-links."
            ) from failure
        if not overlap:
            self.say_of_links(token, cancelled)
