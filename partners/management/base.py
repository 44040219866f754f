"""Bases of commands: output streams, confirmation, and a check of the clock."""

from __future__ import annotations

import json
import sys
from datetime import datetime, timedelta
from typing import Any

from django.core.exceptions import ValidationError
from django.core.management.base import BaseCommand, CommandError, CommandParser
from django.core.serializers.json import DjangoJSONEncoder
from django.db import connection
from django.utils import timezone

from partners.models import AuditEvent, Project

# A clock three years ahead makes every retention look over.
MOST_APART = timedelta(minutes=5)
LONGEST_SILENCE = timedelta(days=30)


class DataCommand(BaseCommand):
    """A command that prints data on stdout, for scripts, and messages on stderr."""

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("--json", action="store_true", help="Print the data as JSON.")

    def execute(self, *args: Any, **options: Any) -> str | None:
        """Run the command. What a model refuses is an error of the command."""
        try:
            return super().execute(*args, **options)
        except ValidationError as refused:
            raise CommandError("\n".join(refused.messages)) from None

    def say(self, text: str) -> None:
        self.stderr.write(text, style_func=str)

    def progress(self, text: str, *, quiet: bool = False) -> None:
        """Show progress at a terminal, in a line that the next one overwrites."""
        if not quiet and self.stderr.isatty():
            self.stderr.write(f"{text:<40}", style_func=str, ending="\r")

    def print_data(self, data: Any) -> None:
        self.stdout.write(json.dumps(data, cls=DjangoJSONEncoder, ensure_ascii=False, indent=2))

    def confirm(self, question: str) -> None:
        """Ask for confirmation. Raises CommandError unless the answer is yes."""
        if not sys.stdin.isatty():
            raise CommandError("There is no terminal to confirm at. Add --yes to proceed.")
        if not self.agrees(question):
            raise CommandError("Nothing was changed.")

    def agrees(self, question: str) -> bool:
        # Not input(), which prints the question on stdout.
        self.stderr.write(f"{question} [y/N] ", style_func=str, ending="")
        self.stderr.flush()
        return sys.stdin.readline().strip().lower() in {"y", "yes"}

    def project(self, project_id: str) -> Project:
        try:
            return Project.objects.get(project_id=project_id)
        except Project.DoesNotExist:
            raise CommandError(
                f"There is no project {project_id}. The admin lists the projects, list_tokens ids."
            ) from None


class ClockedCommand(DataCommand):
    """A command that deletes or settles data by the clock, and so checks it first."""

    def add_arguments(self, parser: CommandParser) -> None:
        super().add_arguments(parser)
        parser.add_argument(
            "--clock-is-right",
            action="store_true",
            help="run although the audit trail has no event of the last 30 days",
        )

    def checked_now(self, *, clock_is_right: bool) -> datetime:
        """Return the time. Raises CommandError if it is improbable.

        It must be within MOST_APART of the database's clock, and within LONGEST_SILENCE of the
        newest audit event, unless an operator says that nothing happened for so long.
        """
        now = timezone.now()
        theirs = database_time()
        if abs(now - theirs) > MOST_APART:
            raise CommandError(
                f"This machine's clock says {now:%Y-%m-%d %H:%M} UTC, the database's "
                f"{theirs:%Y-%m-%d %H:%M}. Set both by NTP, then run this again."
            )
        newest = AuditEvent.objects.newest_first().values_list("at", flat=True).first()
        if newest and not clock_is_right and now - newest > LONGEST_SILENCE:
            raise CommandError(
                f"It is {now:%Y-%m-%d %H:%M} UTC, and the newest event of the audit trail is from "
                f"{newest:%Y-%m-%d}, more than {LONGEST_SILENCE.days} days ago. If the clock is "
                "right, run this again with --clock-is-right."
            )
        return now


def database_time() -> datetime:
    """Return the time by the database's clock; that of SQLite is this machine's."""
    if connection.vendor != "postgresql":
        return timezone.now()
    with connection.cursor() as cursor:
        cursor.execute("SELECT clock_timestamp()")
        found: datetime = cursor.fetchone()[0]
    return found
