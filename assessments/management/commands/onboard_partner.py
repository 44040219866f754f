from __future__ import annotations

from pathlib import Path
from typing import Any

from django.core.exceptions import ValidationError
from django.core.management.base import CommandError, CommandParser

from assessments.management.commands.load_courses import read_courses
from assessments.onboarding import Onboarded, onboard
from partners.management.base import DataCommand
from partners.origin import of_command


class Command(DataCommand):
    help = (
        "Onboard a partner: make the partner (or take the one of this name), a project, its first "
        "token, and its catalogue if a file is given; all or nothing. The secret is printed once, "
        "on stdout, and can't be shown again."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        super().add_arguments(parser)
        parser.add_argument("name", metavar="NAME", help="the partner's name")
        parser.add_argument("--project", required=True, metavar="NAME", help="the project's name")
        parser.add_argument("--contact-email", default="", metavar="E")
        parser.add_argument("--courses", type=Path, metavar="FILE", help="a catalogue in CSV")

    def handle(
        self,
        *args: Any,
        name: str,
        project: str,
        contact_email: str,
        courses: Path | None,
        json: bool,
        **options: Any,
    ) -> None:
        rows = read_courses(courses, self.stderr) if courses else []
        try:
            onboarded = onboard(
                name, project, contact_email=contact_email, courses=rows, **of_command()
            )
        except ValidationError as error:
            raise CommandError("\n".join(["Nothing was made:", *error.messages])) from error
        self.report(onboarded, as_json=json)

    def report(self, onboarded: Onboarded, *, as_json: bool) -> None:
        made = {
            "partner": onboarded.project.partner.name,
            "project": onboarded.project.name,
            "projectId": onboarded.project.project_id,
            "TokenId": onboarded.token.token_id,
            "TokenSecret": onboarded.secret,
        }
        if as_json:
            self.print_data(made)
            return
        for name, value in made.items():
            self.stdout.write(f"{name}: {value}")
        self.say(
            "Hand projectId, TokenId and TokenSecret to the partner over a safe channel. The "
            "secret is not stored and can't be shown again."
        )
