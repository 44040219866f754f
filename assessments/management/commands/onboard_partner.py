from pathlib import Path
from typing import Any

from django.conf import settings
from django.core.management.base import CommandParser
from django.views.decorators.debug import sensitive_variables

from assessments.desk.onboarding import onboard
from assessments.management.commands.load_courses import read_courses
from partners.management.base import DataCommand


class Command(DataCommand):
    help = (
        "Create a partner (or use the existing one of this name), a project, its first access "
        "token and, from a file, its courses: all or nothing. The secret is printed once, on "
        "stdout, and can't be shown again. You can change the project's settings in the admin."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        super().add_arguments(parser)
        parser.add_argument("name", metavar="NAME", help="the partner's name")
        parser.add_argument("--project", required=True, metavar="NAME", help="the project's name")
        parser.add_argument(
            "--contact-email", default="", metavar="E", help="contact of a new partner"
        )
        parser.add_argument("--courses", type=Path, metavar="FILE", help="CSV or Excel file")
        parser.add_argument(
            "--test",
            action="store_true",
            help="make a test project, for the partner's own tests; it can't become a live one",
        )

    @sensitive_variables("secret", "printed")
    def handle(self, *args: Any, name: str, project: str, json: bool, **options: Any) -> None:
        file = options["courses"]
        token, secret, _ = onboard(
            name,
            project,
            contact_email=options["contact_email"],
            is_test=options["test"],
            courses=read_courses(file, self.say) if file else [],
            by=self.by,
        )
        made = token.project
        if not made.is_test and not made.courses.recommendable().exists():
            self.say(
                f"The project has no active course for {made.get_takers_display().lower()}, so "
                f"results recommend nothing: load them with load_courses {made.project_id} FILE "
                "before you send the first link."
            )
        printed = {
            "partner": made.partner.name,
            "project": made.name,
            "projectId": made.project_id,
            "TokenId": token.token_id,
            "TokenSecret": secret,
        }
        if json:
            self.print_data(printed)
            return
        for key, value in printed.items():
            self.stdout.write(f"{key}: {value}")
        self.say(
            "Send the TokenSecret to the partner over a separate, secure channel: it is not stored "
            f"and can't be shown again. How to call: {settings.APP_URL}/docs/"
        )
