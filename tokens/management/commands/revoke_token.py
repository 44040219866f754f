from typing import Any

from django.core.management.base import CommandParser

from partners.management.base import add_reason
from partners.models import Refused
from tokens.management.base import TokenCommand, time_in_words
from tokens.models import TokenState


class Command(TokenCommand):
    help = (
        "Revoke an access token for good: every call with it is refused from now on. Links made "
        "with it keep working, unless you give --cancel-links, which also works for a token that "
        "was revoked before. Asks first, unless you give --yes."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        super().add_arguments(parser)
        parser.add_argument("token_id", metavar="TOKEN_ID", help="tok_…, without the secret")
        add_reason(parser)
        parser.add_argument("--yes", action="store_true", help="revoke without asking")
        parser.add_argument(
            "--cancel-links",
            action="store_true",
            help="also cancel the links made with the token that nobody has started",
        )

    def handle(self, *args: Any, token_id: str, cancel_links: bool, **options: Any) -> None:
        token = self.token(token_id)
        if not options["yes"] and token.state_at() is not TokenState.REVOKED:
            self.confirm(
                f"Revoke {token.token_id} of project {token.project} for good? "
                f"Its last use: {time_in_words(token.last_used_at)}."
            )
        already = ""
        try:
            token.revoke(by=self.by, reason=options["reason"])
        except Refused:  # as a script may call it twice
            already = "already "
        cancelled = token.cancel_links(by=self.by) if cancel_links else 0
        if options["json"]:
            done = {"TokenId": token.token_id, "revokedAt": token.revoked_at}
            self.print_data({**done, "linksCancelled": cancelled})
        self.say(f"{token.token_id} was {already}revoked at {time_in_words(token.revoked_at)}.")
        if cancel_links:
            self.say(f"Unused links cancelled: {cancelled:,}.")
        self.say_of_unused_links(token)
