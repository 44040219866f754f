from __future__ import annotations

import argparse
from collections.abc import Callable
from datetime import timedelta
from pathlib import Path
from typing import Any

from django.core.exceptions import ValidationError
from django.core.management.base import CommandError, CommandParser
from django.views.decorators.debug import sensitive_variables

from assessments.management.commands.load_courses import read_courses
from assessments.onboarding.handover import pack
from assessments.onboarding.onboard import (
    LABEL,
    SETTINGS,
    Onboarded,
    onboard,
)
from partners.actor_context import command_actor
from partners.length_fields import finish_by_hours, start_by_minutes
from partners.management.base import DataCommand
from partners.student_pages import ConsentMode
from tokens.management.base import duration, text_up_to


def length(read: Callable[[str], int]) -> Callable[[str], int]:
    """Return an argument type that explains an invalid value in words."""

    def typed(text: str) -> int:
        try:
            return read(text)
        except ValueError as error:
            raise argparse.ArgumentTypeError(str(error)) from None

    return typed


class Command(DataCommand):
    help = (
        "Onboard a partner: create the partner (or use the existing one of this name), a project, "
        "its first token, and its catalogue if you give a file; all or nothing. The secret is "
        "printed once, on stdout, and can't be shown again. The onboarding pack, everything else "
        "that the partner needs, is printed on stderr, unless --json is given. Other settings "
        "have defaults, which you can change on the project's page in the admin."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        super().add_arguments(parser)
        parser.add_argument("name", metavar="NAME", help="the partner's name")
        parser.add_argument("--project", required=True, metavar="NAME", help="the project's name")
        parser.add_argument("--contact-email", default="", metavar="E", help="of a new partner")
        parser.add_argument("--courses", type=Path, metavar="FILE", help="a catalogue in CSV")
        parser.add_argument("--time-zone", metavar="ZONE", help="such as Asia/Kolkata, the default")
        parser.add_argument(
            "--start-by",
            dest="start_by_minutes",
            type=length(start_by_minutes),
            metavar="72h",
            help="how long a link can be started, 15m to 30d",
        )
        parser.add_argument(
            "--finish-by",
            dest="finish_by_hours",
            type=length(finish_by_hours),
            metavar="24h",
            help="how long a started assessment can be continued, 20h to 30d",
        )
        for name, operation in (("link", "links"), ("results", "results")):
            parser.add_argument(
                f"--{operation}-per-minute",
                dest=f"{name}_rate_per_minute",
                type=int,
                metavar="N",
                help="calls a minute; default: the service's limit",
            )
        parser.add_argument(
            "--consent",
            dest="consent_mode",
            choices=ConsentMode.values,
            help="for under-18s: obtained by the partner (the default), or asked of the student",
        )
        parser.add_argument(
            "--retention-months",
            type=int,
            metavar="N",
            help="months that answers are kept, 1 to 24 (24)",
        )
        parser.add_argument(
            "--test",
            dest="is_test",
            action="store_true",
            default=None,
            help="a test project, for the partner's own tests; it can't become a live one",
        )
        parser.add_argument("--label", type=text_up_to(100), default=LABEL, help="of the token")
        parser.add_argument(
            "--expires-in",
            type=duration,
            metavar="90d",
            help="lifetime of the token; default: unlimited",
        )

    @sensitive_variables("onboarded")
    def handle(
        self,
        *args: Any,
        name: str,
        project: str,
        contact_email: str,
        courses: Path | None,
        label: str,
        expires_in: timedelta | None,
        json: bool,
        **options: Any,
    ) -> None:
        if expires_in == timedelta(0):
            raise CommandError(
                "The token would expire at once. Use, for example, --expires-in 90d."
            )
        rows = read_courses(courses, self.say) if courses else []
        try:
            onboarded = onboard(
                name,
                project,
                contact_email=contact_email,
                settings={key: options[key] for key in SETTINGS if options[key] is not None},
                courses=rows,
                label=label,
                expires_in=expires_in,
                **command_actor(),
            )
        except ValidationError as error:
            raise CommandError("\n".join(["Nothing was created:", *_in_words(error)])) from error
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
            "Send the TokenSecret to the partner over a separate, secure channel: it is not stored "
            "and can't be shown again. Hand over the text below unchanged.\n"
        )
        self.say(pack(onboarded.project, onboarded.token))


def _in_words(error: ValidationError) -> list[str]:
    """Return each error with the name of its argument."""
    return [
        f"{name.replace('_', ' ')}: {text}"
        for name, texts in error.message_dict.items()
        for text in texts
    ]
