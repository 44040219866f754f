import sys
from datetime import timedelta
from typing import Any

from django.core.management.base import CommandParser
from django.views.decorators.debug import sensitive_variables

from partners.management.base import add_reason
from tokens.management.base import TokenCommand, duration, time_in_words
from tokens.models import DEFAULT_OVERLAP, ROTATE_REASON_MAX


class Command(TokenCommand):
    help = (
        "Issue the successor of an access token and print it once, as <TokenId>:<TokenSecret>. "
        "Both work until the overlap ends. A token can be rotated once; next time, rotate its "
        "successor. After a leak, use --overlap 0. It then asks at a terminal whether to cancel "
        "the unused links of the old token, or says how."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        super().add_arguments(parser)
        parser.add_argument("token_id", metavar="TOKEN_ID", help="tok_…, without the secret")
        parser.add_argument(
            "--overlap",
            type=duration,
            default=DEFAULT_OVERLAP,
            metavar="7d",
            help="how long the old token still works, in d, h or m; default 7d, 0 ends it now",
        )
        add_reason(parser, ROTATE_REASON_MAX)

    @sensitive_variables("secret")
    def handle(
        self, *, token_id: str, overlap: timedelta, reason: str, json: bool, **options: Any
    ) -> None:
        token = self.token(token_id)
        successor, secret = token.rotate(by=self.by, overlap=overlap, reason=reason)
        self.print_pair(
            successor,
            secret,
            as_json=json,
            replaces=token.token_id,
            replacedTokenEndsAt=token.expires_at,
        )
        self.say(f"{token.token_id}, which it replaces, ends at {time_in_words(token.expires_at)}.")
        if overlap:
            return
        # Asked last, so that nothing comes between the rotation and its secret.
        if sys.stdin.isatty() and token.unused_links() and self.agrees("Cancel its unused links?"):
            self.say(f"Unused links cancelled: {token.cancel_links(by=self.by):,}.")
        self.say_of_unused_links(token)
