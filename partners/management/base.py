"""Base of commands: output streams, confirmation, and the project that an argument names."""

import argparse
import json
import sys
from typing import Any

from django.core.exceptions import ValidationError
from django.core.management.base import BaseCommand, CommandError, CommandParser
from django.core.serializers.json import DjangoJSONEncoder

from partners.models import Actor, Project, Refused, command_actor
from partners.plain_text import NO_CONTACT, fault_of, holds_contact


def add_reason(parser: CommandParser, longest: int = 200) -> None:
    """Add the option that takes what the admin's page asks for before the same act."""

    def reason(value: str) -> str:
        if len(value) > longest:
            raise argparse.ArgumentTypeError(f"at most {longest} characters, not {len(value)}")
        if fault := fault_of(value):
            raise argparse.ArgumentTypeError(f"it contains {fault}")
        if holds_contact(value):
            raise argparse.ArgumentTypeError(NO_CONTACT)
        return value

    parser.add_argument(
        "--reason", type=reason, default="", help="kept in the audit trail, so do not name anybody"
    )


class DataCommand(BaseCommand):
    """A command that prints data on stdout, for scripts, and messages on stderr."""

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("--json", action="store_true", help="print the data as JSON")

    def execute(self, *args: Any, **options: Any) -> str | None:
        # What a model refuses is an error of the command.
        try:
            return super().execute(*args, **options)
        except ValidationError as error:
            raise CommandError("\n".join(error.messages)) from None
        except Refused as refused:
            raise CommandError(str(refused)) from None

    @property
    def by(self) -> Actor:
        return command_actor()

    def say(self, text: str) -> None:
        self.stderr.write(text, style_func=str)

    def progress(self, text: str) -> None:
        """Show progress in a line that the next one overwrites, at a terminal only."""
        if self.stderr.isatty():
            self.stderr.write(f"{text:<40}", style_func=str, ending="\r")

    def print_data(self, data: Any) -> None:
        self.stdout.write(json.dumps(data, cls=DjangoJSONEncoder, ensure_ascii=False, indent=2))

    def confirm(self, question: str) -> None:
        """Ask, and raise CommandError unless the answer is yes."""
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
