from typing import Any

from django.core.management.base import CommandParser
from django.views.decorators.debug import sensitive_variables

from partners.management.base import add_reason
from tokens.management.base import TokenCommand, duration
from tokens.models import AccessToken


class Command(TokenCommand):
    help = (
        "Issue an access token for a project and print it once, as <TokenId>:<TokenSecret>. Only "
        "a digest of the secret is stored. A project can have at most five live tokens, not "
        "counting those that end after a rotation. A closed project gets none."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        super().add_arguments(parser)
        parser.add_argument("project_id", metavar="PROJECT_ID", help="prj_…")
        parser.add_argument("--label", default="", help="what the token is for")
        parser.add_argument(
            "--expires-in",
            type=duration,
            metavar="90d",
            help="lifetime in d, h or m; default: until it is rotated or revoked",
        )
        add_reason(parser)

    @sensitive_variables("secret")
    def handle(self, *args: Any, project_id: str, json: bool, **options: Any) -> None:
        token, secret = AccessToken.objects.issue(
            self.project(project_id),
            label=options["label"],
            expires_in=options["expires_in"],
            reason=options["reason"],
            by=self.by,
        )
        self.print_pair(token, secret, as_json=json)
