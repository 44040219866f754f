from __future__ import annotations

from typing import Any

from django.core.management.base import CommandParser

from partners.management.base import text_up_to
from partners.models.audit import command_actor
from tokens.management.base import TokenCommand, time_in_words
from tokens.models import TokenState


class Command(TokenCommand):
    help = (
        "Revoke an access token: every call with it is refused from now on. "
        "This cannot be undone. Asks for confirmation, unless --yes is given. Links that the "
        "token issued go on working, unless --cancel-links is given, which also works for a token "
        "that was revoked before."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        super().add_arguments(parser)
        parser.add_argument("token_id", metavar="TOKEN_ID", help="tok_…, without the secret")
        parser.add_argument(
            "--reason",
            type=text_up_to(200),
            default="",
            help="Stored with the token and in the audit trail.",
        )
        parser.add_argument("--yes", action="store_true", help="Revoke without asking.")
        parser.add_argument(
            "--cancel-links",
            action="store_true",
            help="Also cancel the links that the token issued and nobody has started.",
        )

    def handle(
        self,
        *,
        token_id: str,
        reason: str,
        yes: bool,
        cancel_links: bool,
        json: bool,
        **options: Any,
    ) -> None:
        token = self.token(token_id)
        if not yes and token.state_at() is not TokenState.REVOKED:
            self.confirm(
                f"Revoke {token.token_id} of project {token.project} for good? "
                f"Its last use: {time_in_words(token.last_used_at)}."
            )
        revoked = token.revoke(by=command_actor(), reason=reason)
        cancelled = token.cancel_links(by=command_actor()) if cancel_links else 0
        if json:
            done = {"TokenId": token.token_id, "revokedAt": token.revoked_at}
            self.print_data({**done, "linksCancelled": cancelled})
        already = "" if revoked else "already "
        self.say(f"{token.token_id} was {already}revoked at {time_in_words(token.revoked_at)}.")
        if cancel_links:
            self.say(f"Unused links cancelled: {cancelled:,}.")
        self.say_of_unused_links(token)
