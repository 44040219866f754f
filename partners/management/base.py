"""Base of commands that print data: output streams and confirmation."""

from __future__ import annotations

import json
import sys
from datetime import datetime
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser
from django.core.serializers.json import DjangoJSONEncoder

from partners.clock import WrongClock, checked_now


class DataCommand(BaseCommand):
    """A command that prints data on stdout, for scripts, and messages on stderr."""

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("--json", action="store_true", help="Print the data as JSON.")

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
        """Return the time. Raises CommandError if the clock is improbable."""
        try:
            return checked_now(is_right=clock_is_right)
        except WrongClock as error:
            raise CommandError(str(error)) from None
