from datetime import datetime
from typing import Any

from django.core.management.base import CommandParser
from django.utils import timezone

from tokens.management.base import TokenCommand, time_in_words
from tokens.models import AccessToken


class Command(TokenCommand):
    help = (
        "List the access tokens of one project or of all, newest first. States: live; ending "
        "(rotated, works until it expires); expired; revoked; closed (live, but its project is "
        "closed). Secrets can't be shown."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        super().add_arguments(parser)
        parser.add_argument("project_id", metavar="PROJECT_ID", nargs="?", help="prj_…")

    def handle(self, *, project_id: str | None, json: bool, **options: Any) -> None:
        at = timezone.now()
        tokens = AccessToken.objects.with_project().order_by("-issued_at", "-pk")
        if project_id:
            tokens = tokens.filter(project=self.project(project_id))
        if json:
            self.print_data([_record(token, at) for token in tokens])
            return
        if not tokens:
            self.say("There is no token yet. Issue one with issue_token.")
            return
        row = "{:20}  {:24}  {:7}  {:20}  {:20}  {}".format
        self.say(row("project", "token", "state", "expires", "last use", "label"))
        for token in tokens:
            is_closed = token.project.is_closed and token.is_live(at)
            cells = (
                token.project.project_id,
                token.token_id,
                "closed" if is_closed else token.state_at(at).value,
                time_in_words(token.expires_at),
                time_in_words(token.last_used_at),
                token.label,
            )
            self.stdout.write(row(*cells).rstrip())


def _record(token: AccessToken, at: datetime) -> dict[str, Any]:
    return {
        "projectId": token.project.project_id,
        "TokenId": token.token_id,
        "label": token.label,
        "state": token.state_at(at).value,
        "issuedAt": token.issued_at,
        "expiresAt": token.expires_at,
        "revokedAt": token.revoked_at,
        "lastUsedAt": token.last_used_at,
        "projectClosedAt": token.project.closed_at,
    }
